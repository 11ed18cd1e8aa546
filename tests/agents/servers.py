"""A model service on this machine that speaks the OpenAI and the Anthropic API, and misbehaves when told to."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

__all__ = ["ModelServer"]


class ModelServer:
    """Answers each request with the next of `answers`; the last one again and again.

    An answer is a text (a reply of that text), or a dictionary: `status`, `headers` and `body` of a response;
    `text` with `finish_reason` and `usage`; `half` (a body that breaks off), `drop` (no answer at all) or
    `wait_s` (a late one). Every request body is kept in `requests`.
    """

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server.headers.append({k.lower(): v for k, v in self.headers.items()})
                server._answer(self, body)

            def log_message(self, *_: Any) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _answer(self, http: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        number = min(len(self.requests), len(self.answers)) - 1
        answer = self.answers[number]
        if isinstance(answer, str):
            answer = {"text": answer}
        time.sleep(answer.get("wait_s", 0))
        if answer.get("drop"):
            http.close_connection = True
            http.connection.close()
            return
        if "text" in answer:
            form = _anthropic if http.path.endswith("/messages") else _openai
            body = json.dumps(form(answer, request)).encode()
        else:
            content = answer.get("body", {"error": {"message": "told to fail", "type": "test"}})
            body = content.encode() if isinstance(content, str) else json.dumps(content).encode()
        http.send_response(answer.get("status", 200))
        for name, value in {"Content-Type": "application/json", **answer.get("headers", {})}.items():
            http.send_header(name, value)
        http.send_header("Content-Length", str(len(body)))
        http.end_headers()
        http.wfile.write(body[: len(body) // 2] if answer.get("half") else body)
        http.wfile.flush()
        if answer.get("half"):
            http.close_connection = True


def _openai(answer: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "call-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"] + "-2026",
        "choices": [
            {
                "index": 0,
                "finish_reason": answer.get("finish_reason", "stop"),
                "message": {"role": "assistant", "content": answer["text"]},
            }
        ],
        "usage": answer.get(
            "usage",
            {
                "prompt_tokens": 1000,
                "completion_tokens": 200,
                "total_tokens": 1200,
                "prompt_tokens_details": {"cached_tokens": 400},
                "completion_tokens_details": {"reasoning_tokens": 50},
            },
        ),
    }


def _anthropic(answer: dict[str, Any], request: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": "msg-1",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": [{"type": "text", "text": answer["text"]}],
        "stop_reason": answer.get("finish_reason", "end_turn"),
        "stop_sequence": None,
        "usage": answer.get(
            "usage",
            {
                "input_tokens": 100,
                "output_tokens": 200,
                "cache_read_input_tokens": 600,
                "cache_creation_input_tokens": 300,
            },
        ),
    }
