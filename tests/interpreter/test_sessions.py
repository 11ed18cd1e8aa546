"""A session moves to a new child by its bytes; what cannot is named."""

# ruff: noqa: E501 - programs on one line
from __future__ import annotations

import pytest

from fle_ray.errors import SnapshotError
from fle_ray.interpreter import Limits

MOVES = {
    "plain values": ("v = [1, 2.5, 'a', b'b', None, True, {1: (2,)}, {3}, frozenset([4]), 10**100]", "print(v)"),
    "game values": (
        "v = [Position(1, 2), Prototype.Coal, Direction.LEFT, Technology.Automation, BoundingBox, Resource.Coal]",
        "print(v, v[1] is Prototype.Coal, v[4] is BoundingBox)",
    ),
    "function": ("def f(a, b=2, *c, d=4, **e):\n    'doc'\n    return a, b, c, d, e", "print(f(1, x=5), f.__doc__, f.__name__)"),
    "function attributes": ("def f(): return f.n\nf.n = 3", "print(f())"),
    "annotations": ("def f(a: int) -> List[str]: pass", "print(f.__annotations__)"),
    "lambda": ("f = lambda x: x + 1", "print(f(1))"),
    "closure": ("def make(n):\n    def g(): return n\n    return g\nf = make(3)", "print(f())"),
    "shared closure": (
        "def make():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n    def get(): return n\n    return up, get\nup, get = make()\nup()",
        "up()\nprint(get())",
    ),
    "closure over itself": (
        "def make():\n    def fact(n): return 1 if n < 2 else n * fact(n - 1)\n    return fact\nf = make()",
        "print(f(5))",
    ),
    "decorated": (
        "import functools\ndef twice(f):\n    @functools.wraps(f)\n    def g(*a): return 2 * f(*a)\n    return g\n@twice\ndef f(x): return x",
        "print(f(4), f.__name__, f.__wrapped__(4))",
    ),
    "mutual recursion": ("def even(n): return n == 0 or odd(n - 1)\ndef odd(n): return n != 0 and even(n - 1)", "print(even(10))"),
    "generator function": ("def g():\n    yield 1\n    yield 2", "print(list(g()))"),
    "context manager": ("import contextlib\n@contextlib.contextmanager\ndef c():\n    yield 6", "with c() as x: print(x)"),
    "class": ("class K:\n    n = 1\n    def __init__(self): self.v = 2\n    def m(self): return self.n + self.v\nk = K()", "print(k.m(), type(k) is K, K)"),
    "inheritance": (
        "class A:\n    def f(self): return 1\nclass B(A):\n    def f(self): return super().f() + 1\nb = B()",
        "print(b.f(), isinstance(b, A), B.__mro__[1] is A)",
    ),
    "kinds of methods": (
        "class K:\n    @classmethod\n    def c(cls): return cls.__name__\n    @staticmethod\n    def s(): return 2\n    @property\n    def p(self): return 3\n    @p.setter\n    def p(self, v): self.q = v\nk = K()",
        "k.p = 7\nprint(K.c(), K.s(), k.p, k.q)",
    ),
    "bound method": ("class K:\n    def m(self): return 4\nm = K().m", "print(m())"),
    "slots": ("class K:\n    __slots__ = ('a', '__b')\n    def __init__(self): self.a = 1; self.__b = 2\n    def s(self): return self.a + self.__b\nk = K()", "print(k.s(), hasattr(k, '__dict__'))"),
    "class that knows itself": ("class Node:\n    root = None\nNode.root = Node()", "print(type(Node.root) is Node)"),
    "subclass hook": (
        "REG = []\nclass Base:\n    def __init_subclass__(cls, **k): REG.append(cls.__name__)\nclass A(Base): pass",
        "class B(Base): pass\nprint(REG)",
    ),
    "abstract class": (
        "import abc\nclass A(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\nclass B(A):\n    def f(self): return 1",
        "print(B().f())\ntry:\n    A()\nexcept TypeError as e:\n    print('abstract' in str(e))",
    ),
    "metaclass": ("class M(type):\n    def __new__(m, n, b, d):\n        d['tag'] = len(b)\n        return type.__new__(m, n, b, d)\n    def hi(cls): return cls.tag\nclass K(metaclass=M): pass", "print(K.hi(), type(K) is M)"),
    "dataclass": (
        "from dataclasses import dataclass, field, replace, asdict, fields\n@dataclass\nclass P:\n    x: int\n    ys: list = field(default_factory=list)\np = P(1)",
        "print(p, P(2), p == P(1), replace(p, x=3), asdict(p), [f.name for f in fields(P)])",
    ),
    "frozen dataclass with slots": (
        "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass P:\n    x: int\np = P(1)\nd = {p: 2}",
        "print(d[P(1)])\ntry:\n    p.x = 2\nexcept Exception as e:\n    print(type(e).__name__)",
    ),
    "named tuple": ("from typing import NamedTuple\nclass P(NamedTuple):\n    x: int\n    y: int = 2\n    def s(self): return self.x + self.y\np = P(1)", "print(p, p.s(), P(3)._replace(y=9), p == (1, 2))"),
    "old named tuple": ("from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P(1, 2)", "print(p, p._asdict())"),
    "enum": ("from enum import Enum\nclass E(Enum):\n    A = 1\n    B = 2\n    C = 1\n    def up(self): return E(self.value + 1)\ne = E.A", "print(e is E.A, E.C is E.A, E['B'], E(2), e.up(), list(E))"),
    "int enum, text enum and flags": (
        "from enum import IntEnum, Flag\nclass I(IntEnum):\n    A = 3\nclass S(str, __import__('enum').Enum):\n    X = 'x'\nclass F(Flag):\n    P = 1\n    Q = 2\nf = F.P | F.Q",
        "print(I.A + 1, S.X == 'x', f == F.P | F.Q, F.P in f)",
    ),
    "enum with attributes": ("from enum import Enum\nclass E(Enum):\n    A = (1, 'one')\n    def __init__(self, n, word):\n        self.n, self.word = n, word", "print(E.A.n, E.A.word, E.A.value)"),
    "exception class": ("class E(ValueError):\n    def __init__(self, a, b):\n        super().__init__(f'{a}-{b}')\n        self.a = a\ne = E(1, 2)", "print(repr(e), e.a, isinstance(e, ValueError))"),
    "builtin exception": ("try:\n    {}['k']\nexcept KeyError as x:\n    e = x", "print(repr(e))"),
    "generic class": ("from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Box(Generic[T]):\n    def __init__(self, v: T): self.v = v\nb = Box[int](3)", "print(b.v, Box[str]('a').v)"),
    "protocol": ("from typing import Protocol, runtime_checkable\n@runtime_checkable\nclass Has(Protocol):\n    def f(self): ...\nclass K:\n    def f(self): return 1", "print(isinstance(K(), Has), isinstance(1, Has))"),
    "partial and cache": ("import functools\n@functools.lru_cache(maxsize=None)\ndef f(x): return x + 1\ng = functools.partial(f, 4)", "print(f(1), g(), f.cache_info().maxsize)"),
    "cached property": ("import functools\nclass K:\n    @functools.cached_property\n    def p(self): return 5\nk = K()", "print(k.p)"),
    "modules": ("import math, random as r, collections.abc\nimport time, sys, asyncio", "print(math.pi > 3, r.randint(1, 1), collections.abc.Sized, time.time(), sys.maxsize > 0, asyncio.run)"),
    "functions of modules": ("from math import sqrt as s\nfrom itertools import chain\nfrom time import time\nfrom collections import defaultdict, deque, Counter", "print(s(4), list(chain('a')), time(), defaultdict(list), Counter('aa'))"),
    "containers": ("from collections import *\nd = defaultdict(lambda: 7)\nd[1]\nq = deque([1], maxlen=3)\nc = Counter('ab')\no = OrderedDict(a=1)", "print(d[2], q, c, o)"),
    "views and iterators": ("d = {'a': 1}\nk, v, i = d.keys(), d.values(), d.items()\nn = iter([1, 2])\nnext(n)\nm = map(str, [1])", "d['b'] = 2\nprint(list(k), list(v), list(i), list(n), list(m))"),
    "pattern and match": ("import re\np = re.compile('a(b)')\nm = p.search('xxab')", "print(p.sub('c', 'ab'), m.group(1), m.span())"),
    "types": ("import types, typing\nv = [type(None), types.FunctionType, int, List[int], Optional[str], range(3), slice(1), ..., NotImplemented, type]", "print(v)"),
    "shared values": ("a = []\nb = {'a': a}", "a.append(1)\nprint(b)"),
    "cycles": ("a = []\na.append(a)\nclass N: pass\nx = N(); y = N(); x.o = y; y.o = x", "print(a[0] is a, x.o.o is x)"),
    "random generator": ("import random\nr = random.Random(5)\nr.random()", "r2 = random.Random(5)\nr2.random()\nprint(r.random() == r2.random())"),
    "decimal context": ("import decimal\ndecimal.getcontext().prec = 5", "import decimal\nprint(decimal.Decimal(1) / 3)"),
    "dates": ("import datetime\nd = datetime.datetime(2020, 1, 2)\nt = d - datetime.datetime(2020, 1, 1)", "print(d, t, type(d) is datetime.datetime)"),
    "hidden builtins": ("sum = 3", "print(sum)"),
    "replaced convenience": ("pi = 3", "print(pi)"),
    "linked list of 1000 nodes": (
        "class N:\n    def __init__(self, n): self.n = n\nh = None\nfor i in range(1000):\n    h = N(h)",
        "k = 0\nwhile h:\n    h = h.n; k += 1\nprint(k)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MOVES)
def test_a_session_in_a_new_child_goes_on_as_in_the_old_one(make, name):
    first, second = MOVES[name]
    one = make()
    result = one.run(first, seed=0)
    assert result.error is None
    assert result.lost == {}
    state = one.save()
    two = make()
    two.load(state)
    stayed = one.run(second, seed=0)
    moved = two.run(second, seed=0)
    assert stayed.error is None
    assert (moved.output, moved.error) == (stayed.output, stayed.error)
    assert stayed.output


def test_a_session_moved_twice_is_still_whole(make):
    one = make()
    one.run("class K:\n    def m(self): return n\nn = 5\nk = K()", seed=0)
    for _ in range(2):
        state = one.save()
        one = make()
        one.load(state)
    assert one.run("print(k.m())", seed=0).output == "1: (5,)"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("x = (i for i in range(3))", "a generator cannot be kept; a list of its values can"),
        ("class K: pass\nx = K()\nx.inner = {'deep': [(i for i in range(3))]}", "a generator cannot be kept"),
        ("async def f(): pass\nx = f()", "a coroutine cannot be kept"),
        ("x = None\nfor i in range(100_000):\n    x = [x]", "it is nested too deeply"),
        ("class K:\n    def __reduce__(self): raise ValueError('no')\nx = K()", "ValueError: no"),
        ("class K:\n    def __setstate__(self, s): raise ValueError('not again')\nx = K()\nx.a = 1", "not again"),
        ("import types\nx = types.ModuleType('mine')", "the module 'mine' is not one that programs may import"),
    ],
)
def test_what_cannot_be_carried_over_is_named_and_gone_in_every_child(make, code, reason):
    one = make()
    result = one.run("kept = 1\n" + code, seed=0)
    assert result.error is None
    assert reason in result.lost["x"]
    two = make()
    two.load(one.save())
    for interpreter in (one, two):
        output = interpreter.run("print(kept)\nprint('x' in globals())", seed=0).output
        notice, *rest = output.split("\n")
        assert notice.startswith("0: (")
        assert "x was not carried over from the program before" in notice
        assert rest == ["1: (1,)", "2: (False,)"]
        assert interpreter.run("print(kept)", seed=0).output == "1: (1,)"


def test_the_notice_is_given_even_if_the_next_program_is_not_python(run):
    run("x = (i for i in range(3))")
    assert "x was not carried over" in run("x = (").output.split("\n")[0]


def test_the_rest_of_a_session_keeps_its_sharing_when_something_is_lost(interpreter, run):
    run("a = []\nb = [a]\ng = (i for i in a)")
    interpreter.load(interpreter.save())
    assert run("a.append(1)\nprint(b)").output.split("\n")[-1] == "2: ([[1]],)"


def test_a_saved_session_does_not_change_with_later_programs(interpreter, run):
    run("x = 1")
    state = interpreter.save()
    run("x = 2")
    interpreter.load(state)
    assert run("print(x)").output == "1: (1,)"


def test_an_empty_session_can_be_saved_and_loaded(interpreter, run):
    state = interpreter.save()
    run("x = 1")
    interpreter.load(state)
    assert run("print(x)").error.type == "NameError"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda state: b"", "no saved session"),
        (lambda state: b"garbage" + state, "no saved session"),
        (lambda state: state[:-1], "damaged"),
        (lambda state: state[:-1] + bytes([state[-1] ^ 1]), "damaged"),
        (lambda state: state.replace(b"\ncpython-3", b"\ncpython-2", 1), "saved by cpython-2"),
    ],
)
def test_damaged_bytes_are_refused_and_the_session_is_as_it_was(interpreter, run, change, message):
    run("x = 1")
    state = interpreter.save()
    with pytest.raises(SnapshotError, match=message):
        interpreter.load(change(state))
    assert run("print(x)").output == "1: (1,)"


def test_bytes_that_only_look_like_a_session_are_refused_by_the_child(interpreter, run):
    import hashlib

    run("x = 1")
    state = interpreter.save()
    head = state[: state.index(b"\n", state.index(b"\n") + 1) + 1]
    body = b"cos\nsystem\n(S'touch /tmp/fle_ray_escaped'\ntR."  # a classic hostile pickle
    with pytest.raises(SnapshotError):
        interpreter.load(head + hashlib.blake2b(body, digest_size=16).digest() + body)
    assert run("print(x)").output == "1: (1,)"


def test_a_session_too_big_to_keep_is_rolled_back(make):
    interpreter = make(Limits(session_bytes=100_000))
    interpreter.run("x = 1", seed=0)
    result = interpreter.run("x = bytes(200_000)", seed=0)
    assert result.error.kind == "memory"
    assert "at most 100,000 can be kept" in result.error.message
    assert interpreter.run("print(x)", seed=0).output == "1: (1,)"


def test_sources_are_kept_only_while_something_refers_to_them(interpreter, run):
    run("x = 1\n" + "# a long comment\n" * 10_000)
    for _ in range(5):
        run("x += 1")
    assert len(interpreter.save()) < 5_000
