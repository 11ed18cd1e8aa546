"""Programs in replies: what counts as one, and the verdict when nothing does."""

from __future__ import annotations

import pytest

from fle_ray.agents.parsing import parse_reply


@pytest.mark.parametrize(
    ("reply", "code", "kind"),
    [
        ("```python\nx = 1\n```", "x = 1", "fenced"),
        ("I will mine.\n\n```python\nx = 1\n```\nThen wait.", "x = 1", "fenced"),
        ("```py\nx = 1\n```", "x = 1", "fenced"),
        ("```Python\nx = 1\n```", "x = 1", "fenced"),
        ("~~~python\nx = 1\n~~~", "x = 1", "fenced"),
        ("````python\ns = '''\n```\n'''\n````", "s = '''\n```\n'''", "fenced"),
        ("```python\na = 1\n```\nand\n```python\nb = 2\n```", "a = 1\n\nb = 2", "fenced"),
        ("```\nplan: mine, smelt\n```\n```python\nb = 2\n```", "b = 2", "fenced"),
        ("1. First:\n   ```python\n   if x:\n       y()\n   ```", "if x:\n    y()", "fenced"),
        ("```python\nx = 1", "x = 1", "fenced"),  # a model that forgot to close the fence
        ("```python\nx = (\n```", "x = (", "fenced"),  # the agent is shown its syntax error
        ("```\nx = 1\n```", "x = 1", "unmarked"),
        ("```\nsome notes\n```\n```\nprint(1)\n```", "print(1)", "unmarked"),
        ("x = 1\nprint(x)", "x = 1\nprint(x)", "bare"),
        ("\n# look first\nprint(get_entities())\n", "# look first\nprint(get_entities())", "bare"),
    ],
)
def test_a_program_is_found(reply, code, kind):
    parsed = parse_reply(reply)
    assert (parsed.code, parsed.kind, parsed.reason) == (code, kind, "")


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", "empty"),
        ("  \n ", "empty"),
        ("I shall place a drill on the ore.", "prose"),
        ("Done", "prose"),
        ("'ok'", "prose"),
        ("ok, done", "prose"),
        ('```json\n{"x": 1}\n```', "prose"),
        ("```\nplan: mine, smelt\n```", "prose"),
        ("```python\n```", "prose"),
    ],
)
def test_a_reply_without_a_program_gets_a_reason(reply, kind):
    parsed = parse_reply(reply)
    assert (parsed.code, parsed.kind) == (None, kind)
    assert parsed.reason


def test_half_a_program_is_never_run():
    assert parse_reply("```python\nfor i in range(9):\n    place", cut_off=True).kind == "cut_off"
    assert parse_reply("```python\na = 1\n```\n```python\nb =", cut_off=True).code is None
    assert parse_reply("a = 1\nb = 2", cut_off=True).kind == "cut_off"
    assert parse_reply("```\na = 1", cut_off=True).kind == "cut_off"
    assert parse_reply("", cut_off=True).reason.startswith("the token limit")


def test_a_whole_program_before_the_cut_is_run():
    assert parse_reply("```python\na = 1\n```\nNow I exp", cut_off=True).code == "a = 1"


def test_deeply_nested_text_is_prose_not_a_crash():
    assert parse_reply("(" * 50_000).kind == "prose"
