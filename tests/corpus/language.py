"""What of Python models use: classes, closures, generators, imports; what stays from program to program."""

from __future__ import annotations

from tests.corpus.kit import Case, Outcome

CASES = [
    Case(
        "helpers defined once, used later",
        "suite",
        '''
        def safe_place(prototype, position, direction=Direction.UP, retries=3):
            """Try to place something, moving one tile to the right each time it fails."""
            for i in range(retries):
                try:
                    return place_entity(prototype, direction, position)
                except Exception as e:
                    print(f"retry {i}: {e}")
                    position = position.right(1)
            return None
        ''',
        '''
        first = safe_place(Prototype.IronChest, Position(x=3.5, y=3.5))
        second = safe_place(Prototype.IronChest, Position(x=3.5, y=3.5))
        assert first.position.x == 3.5 and second.position.x == 4.5
        chests = [first, second]
        ''',
        '''
        # the list and the function are still there
        for chest in chests:
            insert_item(Prototype.Coal, chest, 5)
        print(safe_place(Prototype.IronChest, Position(x=6.5, y=3.5)), len(chests))
        ''',
        outcome=Outcome(
            built={"iron-chest": 2},
            holds={(3.5, 3.5): {"coal": 5}, (4.5, 3.5): {"coal": 5}},
            says=("retry 0:", "no iron-chest in your inventory", "retry 2:", "(None, 2)"),
        ),
    ),
    Case(
        "a planner class",
        "suite",
        '''
        class FactoryPlanner:
            """Keeps track of what I have built"""

            def __init__(self, origin):
                self.origin = origin
                self.entities = {}
                self.log = []

            def add(self, label, prototype, dx, dy, direction=Direction.UP):
                position = Position(x=self.origin.x + dx, y=self.origin.y + dy)
                entity = place_entity(prototype, direction, position)
                self.entities[label] = entity
                self.log.append(f"{label}@{entity.position}")
                return entity

            def refresh(self):
                for label, e in self.entities.items():
                    self.entities[label] = get_entity(e.prototype, e.position)

            @property
            def count(self):
                return len(self.entities)

        planner = FactoryPlanner(Position(x=2, y=2))
        planner.add("furnace", Prototype.StoneFurnace, 0, 0)
        planner.add("chest", Prototype.IronChest, 3, 0)
        print(planner.log)
        ''',
        '''
        insert_item(Prototype.Coal, planner.entities["furnace"], 7)
        assert planner.entities["furnace"].fuel.get(Prototype.Coal, 0) == 0  # an old snapshot
        planner.refresh()
        print(planner.count, planner.entities["furnace"].fuel)
        ''',
        outcome=Outcome(holds={(2, 2): {"coal": 7}}, says=("(2, Inventory(coal=7))",)),
    ),
    Case(
        "decorators and closures",
        "suite",
        '''
        import functools

        def with_retry(times):
            def decorator(func):
                @functools.wraps(func)
                def wrapper(*args, **kwargs):
                    last = None
                    for attempt in range(times):
                        try:
                            return func(*args, **kwargs)
                        except Exception as error:
                            last = error
                            sleep(1)
                    raise last
                return wrapper
            return decorator

        calls = {"n": 0}

        @with_retry(4)
        def flaky(position, *, prototype=Prototype.IronChest):
            calls["n"] += 1
            if calls["n"] < 3:
                raise Exception("not yet")
            return place_entity(prototype, Direction.UP, position)

        chest = flaky(Position(x=3, y=3))
        print(chest.position, calls)
        ''',
        '''
        # and it still works in the next program
        second = flaky(Position(x=5, y=3), prototype=Prototype.StoneFurnace)
        print(second.name, calls["n"])
        try:
            flaky(Position(x=500, y=3))
        except Exception as error:
            print("gave up:", error)
        ''',
        # two failures in the first program, four in the second: a second each
        outcome=Outcome(
            tick=6 * 60,
            built={"iron-chest": 1, "stone-furnace": 1},
            says=("('stone-furnace', 4)", "gave up:", "too far away"),
        ),
    ),
    Case(
        "generators and comprehensions",
        "suite",
        '''
        from itertools import islice, product

        def spots(width, height, step=2):
            for y, x in product(range(0, height, step), range(0, width, step)):
                yield Position(x=x + 0.5, y=y + 2.5)

        placed = [place_entity(Prototype.SmallElectricPole, position=p) for p in islice(spots(8, 4), 6)]
        by_row = {}
        for pole in placed:
            by_row.setdefault(pole.position.y, []).append(pole.position.x)
        print(by_row)
        rows = {y: len(xs) for y, xs in by_row.items()}
        assert sum(rows.values()) == 6
        print(sorted((p.position.x for p in placed), reverse=True)[:2])
        ''',
        outcome=Outcome(
            built={"small-electric-pole": 6},
            says=("{2.5: [0.5, 2.5, 4.5, 6.5], 4.5: [0.5, 2.5]}", "([6.5, 4.5],)"),
        ),
    ),
    Case(
        "dataclasses, counters and sorting",
        "suite",
        '''
        from collections import Counter, defaultdict
        from dataclasses import dataclass, field

        @dataclass(order=True)
        class Job:
            priority: int
            item: str = field(compare=False)
            amount: int = field(compare=False, default=1)

        jobs = [Job(2, "iron-gear-wheel", 3), Job(1, "copper-cable", 4), Job(3, "pipe", 2)]
        made = Counter()
        for job in sorted(jobs):
            made[job.item] += craft_item(job.item, job.amount)
        ticks = defaultdict(int)
        for job in jobs:
            ticks[job.item] += job.amount
        print(made.most_common(1), dict(ticks), [j.item for j in sorted(jobs)])
        ''',
        # cables: 2 crafts; gears 3; pipes 2; half a second each
        outcome=Outcome(
            tick=(2 + 3 + 2) * 30,
            have={"copper-cable": 4, "iron-gear-wheel": 3, "pipe": 17, "iron-plate": 42, "copper-plate": 48},
            says=("[('copper-cable', 4)]", "['copper-cable', 'iron-gear-wheel', 'pipe']"),
        ),
    ),
    Case(
        "time sleeps game time",
        "suite",
        '''
        import time
        start = time.time()
        time.sleep(2)
        sleep(3)
        print("elapsed", round(time.time() - start))
        ''',
        outcome=Outcome(tick=300, says=("('elapsed', 5)",)),
    ),
    Case(
        "tuple assignment and globals stay",
        "suite",
        '''
        counter, names = 0, []
        a, b = 1, 2

        def bump(name):
            global counter
            counter += 1
            names.append(name)
            return counter

        for i, label in enumerate(["x", "y"]):
            result = bump(label)
        a, b = b, a
        ''',
        '''
        value = bump("z")
        print(counter, names, a, b, i, label, result, value)
        del a
        try:
            print(a)
        except NameError as e:
            print("gone")
        ''',
        outcome=Outcome(tick=0, says=("(3, ['x', 'y', 'z'], 2, 1, 1, 'y', 2, 3)", "gone")),
    ),
    Case(
        "printing of all kinds",
        "suite",
        '''
        print("plain")
        print()
        print("several", 1, 2.5, None, True)
        print("a", "b", sep="-", end="!")
        items = [1, 2, 3]
        print(*items)
        print(f"{3.14159:.2f} {'left':<8}|")
        with_entity = place_entity(Prototype.IronChest, position=Position(x=1, y=1))
        print(with_entity.position, with_entity.name, with_entity.status)
        print({"status": with_entity.status, "d": Direction.UP, "p": Prototype.IronChest})
        for n in range(2):
            if n:
                print("in a loop", n)
        ''',
        outcome=Outcome(
            says=(
                "1: ('plain',)",
                "2: ()",
                "3: ('several', 1, 2.5, None, True)",
                "4: ('a', 'b')",
                "6: (1, 2, 3)",
                "7: ('3.14 left    |',)",
                "(Position(x=1.5, y=1.5), 'iron-chest', EntityStatus.NORMAL)",
                "'status': EntityStatus.NORMAL, 'd': Direction.UP",
                "('in a loop', 1)",
            ),
        ),
    ),
    Case(
        "a small state machine with match",
        "bare",
        '''
        def next_action(inventory):
            match inventory:
                case {"plates": n} if n >= 10:
                    return "craft"
                case {"ore": n, **rest} if n > 0:
                    return "smelt"
                case _:
                    return "mine"

        state = {"ore": 0, "plates": 0}
        history = []
        while True:
            action = next_action(state)
            history.append(action)
            if action == "mine":
                state["ore"] += 10
            elif action == "smelt":
                state["plates"] += state.pop("ore")
            else:
                craft_item(Prototype.IronGearWheel, 5)
                break
        print(history)
        ''',
        outcome=Outcome(tick=150, have={"iron-gear-wheel": 5}, says=("(['mine', 'smelt', 'craft'],)",)),
    ),
    Case(
        "an agent that reports",
        "suite",
        '''
        ok = send_message("starting work")
        total, automated = score()
        report = {"ok": ok, "score": total, "automated": automated}
        print(report)
        craft_item(Prototype.IronGearWheel, 10)
        total_after, automated_after = score()
        gained = total_after - total
        print("gained", gained, "automated", automated_after - automated)
        assert gained > 0 and automated_after == 0
        ''',
        # ten gears of 12.614 less twenty plates of 5.627: 13.6
        outcome=Outcome(
            tick=300,
            says=("{'ok': True, 'score': 0.0, 'automated': 0.0}", "('gained', 13.0, 'automated', 0.0)"),
        ),
    ),
]
