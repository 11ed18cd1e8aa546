"""The numbered log (tools contract 4.3)."""

from __future__ import annotations

from fle_ray.interpreter import Limits


def test_an_entry_is_the_line_and_the_tuple_of_arguments(run):
    result = run("\n\nprint('coal', 5)\nprint('hi')\nprint()")
    assert result.output == "3: ('coal', 5)\n4: ('hi',)\n5: ()"


def test_newlines_inside_strings_stay_escaped(run):
    assert run("print('a\\nb')").output == "1: ('a\\nb',)"


def test_bodies_at_top_level_count_by_their_own_lines(run):
    code = "for i in range(2):\n    print(i)\n    if i:\n        print('last')\nelse:\n    print('done')"
    assert run(code).output == "2: (0,)\n2: (1,)\n4: ('last',)\n6: ('done',)"


def test_prints_in_functions_carry_the_line_of_the_calling_statement(run):
    assert run("def f():\n    print('in f')\n\nf()").output == "4: ('in f',)"


def test_a_statement_over_several_lines_counts_by_its_first(run):
    assert run("x = 1\nprint(\n    'a',\n    'b',\n)").output == "2: ('a', 'b')"


def test_prints_everywhere_are_logged(run):
    code = """
import contextlib
with contextlib.nullcontext():
    print('with')
class K:
    print('body')
    def m(self):
        print('method')
K().m()
(lambda: print('lambda'))()
match 1:
    case 1:
        print('case')
[print(i) for i in range(1)]
try:
    print('try')
finally:
    print('finally')
"""
    shown = ["4: ('with',)", "5: ('body',)", "9: ('method',)", "10: ('lambda',)", "13: ('case',)", "14: (0,)"]
    assert run(code).output.split("\n") == [*shown, "16: ('try',)", "18: ('finally',)"]


def test_print_takes_pythons_keywords_and_stars(run):
    code = "xs = [1, 2]\nprint(*xs)\nprint('a', 'b', sep='-', end='')\nprint('c', flush=True)"
    assert run(code).output == "2: (1, 2)\n3: ('a', 'b')\n4: ('c',)"


def test_print_to_a_file_in_memory_goes_there(run):
    code = "import io\nf = io.StringIO()\nprint('a', 1, sep='|', end='!', file=f)\nprint(f.getvalue())"
    assert run(code).output == "4: ('a|1!',)"


def test_redirected_output_is_caught_by_the_program(run):
    code = "import io, contextlib\nf = io.StringIO()\n"
    code += "with contextlib.redirect_stdout(f):\n    print('x')\nprint(f.getvalue())"
    assert run(code).output == "5: ('x\\n',)"


def test_writing_to_stdout_and_stderr_is_logged_line_by_line(run):
    code = "import sys, pprint\nsys.stderr.write('a\\nb\\n')\npprint.pprint({'k': 1})\nprint('c', file=sys.stderr)"
    assert run(code).output == "2: ('a',)\n2: ('b',)\n3: (\"{'k': 1}\",)\n4: ('c',)"


def test_bare_expressions_print_nothing(run):
    assert run("1 + 1\n'text'\nPosition(1, 2)").output == ""


def test_a_return_at_top_level_logs_its_value_and_ends_the_program(run):
    result = run("x = 1\nif x:\n    return 'found', x\nprint('not reached')")
    assert result.output == "3: (('found', 1),)"
    assert result.error is None
    assert run("return\nprint('not reached')").output == ""
    assert run("return None").output == ""


def test_a_return_passes_through_bare_excepts_and_runs_finally(run):
    result = run("try:\n    return 1\nexcept:\n    print('caught')\nfinally:\n    print('finally')\nprint('after')")
    assert result.output == "6: ('finally',)\n2: (1,)"


def test_a_return_in_a_loop_ends_the_program(run):
    assert run("while True:\n    for i in range(9):\n        if i == 3:\n            return i").output == "4: (3,)"


def test_512_lines_are_shown_and_the_rest_is_counted(run):
    lines = run("for i in range(600):\n    print(i)").output.split("\n")
    assert len(lines) == 513
    assert lines[511] == "2: (511,)"
    assert lines[512] == "... 88 lines truncated"


def test_the_error_line_comes_last_even_behind_truncated_lines(run):
    lines = run("for i in range(513):\n    print(i)\n1 / 0").output.split("\n")
    assert lines[512:] == ["... 1 lines truncated", "3: ('ZeroDivisionError: division by zero',)"]


def test_more_output_than_the_limit_ends_the_program_and_keeps_what_was_done(make):
    interpreter = make(Limits(output_bytes=1_000))
    result = interpreter.run("x = 1\nprint('a' * 5000)\nx = 2", seed=0)
    assert result.error.kind == "output_limit"
    assert result.error.line == 2
    assert len(result.output) < 1_300
    assert interpreter.run("print(x)", seed=0).output == "1: (1,)"


def test_an_endless_flood_of_lines_ends_the_program(run):
    result = run("n = 0\nwhile True:\n    n += 1\n    print(n)")
    assert result.error.kind == "output_limit"
    assert result.output.split("\n")[512] == "... 99489 lines truncated"  # 100,001 printed, 512 of them shown
    assert run("print(n)").output == "1: (100001,)"


def test_half_a_surrogate_pair_is_shown_escaped(run):
    result = run("print(chr(0xd800))\nraise ValueError(chr(0xdfff))")
    assert result.output.isprintable() or "\n" in result.output
    result.output.encode("utf-8")
    result.error.message.encode("utf-8")


def test_memory_addresses_are_left_out(run):
    assert run("class K: pass\nprint(K(), [object()])").output == "2: (<__main__.K object>, [<object object>])"
