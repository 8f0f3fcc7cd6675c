"""The package against the command, and what only the package does.

Run by `cargo xtask python`. Needs nothing but the package; what needs more is skipped.
"""

import doctest
import itertools
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from types import SimpleNamespace

import brine

ROOT = Path(__file__).resolve().parent.parent.parent
#: Everything about these is answered in no time.
NETS = [
    "database-coloured-4",
    "fms-1",
    "fork-join-2",
    "kanban-1",
    "lamport-2",
    "load-balancer-2",
    "peterson-2",
    "philosophers-5",
    "philosophers-atomic-4",
    "philosophers-coloured-5",
    "producer-consumer-1",
    "slotted-ring-3",
    "token-ring-5",
]


def has(module):
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def command(*args):
    ended = subprocess.run([brine.command(), *args], capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr


def pnml(name):
    return str(ROOT / "pnml" / f"{name}.pnml")


class Agreement(unittest.TestCase):
    """Whatever the command says, the package says."""

    def test_verdicts_and_runs(self):
        runs = asked = 0
        for name in NETS:
            net = brine.load(pnml(name))
            p, t = net.places[0], net.transitions[-1]
            questions = [
                ("--ltl", {"formula": f'G F "{p}" >= 1'}),
                ("--ltl", {"formula": f'(F "{p}" = 0) & G !deadlock'}),
                ("--ltl", {"formula": f'G (fireable("{t}") -> X X "{p}" <= 3)'}),
                ("--reach", {"reach": "EF deadlock"}),
                ("--ctl", {"ctl": f'AG EF "{p}" >= 1'}),
            ]
            for (option, question), engine in itertools.product(questions, ["auto", "explicit"]):
                with self.subTest(net=name, question=question, engine=engine):
                    (text,) = question.values()
                    how = ["--engine", engine, "--threads", "1", "--json"]
                    told = json.loads(command("check", pnml(name), option, text, *how)[1])
                    verdict = net.check(**question, engine=engine, threads=1)
                    self.assertEqual(verdict.verdict, told["verdict"])
                    self.assertNotEqual(verdict.verdict, "unknown")
                    self.assertEqual(verdict.run is None, told["witness"] is None)
                    asked += 1
                    if engine == "explicit" and verdict.run is not None:
                        self.assertEqual(verdict.run.prefix, told["witness"]["prefix"])
                        self.assertEqual(verdict.run.cycle, told["witness"]["cycle"])
                        end = {p: n for p, n in verdict.run.markings[-1].items() if n}
                        self.assertEqual(end, told["witness"]["markings"]["end"])
                        truth = {
                            row["formula"]: [{"T": True, "F": False}.get(c) for c in row["values"]]
                            for row in told["witness"]["truth"]
                        }
                        self.assertEqual(verdict.run.truth, truth)
                        runs += 1
        self.assertGreater(asked, 100)
        self.assertGreater(runs, 20)

    def test_state_spaces(self):
        for name, engine in itertools.product(NETS, ["auto", "explicit"]):
            with self.subTest(net=name, engine=engine):
                told = json.loads(command("states", pnml(name), "--engine", engine, "--json")[1])
                states = brine.load(pnml(name)).states(engine=engine)
                self.assertEqual(str(states.states), told["states"])
                self.assertEqual(str(states.transitions), told["transitions"])
                self.assertEqual(states.max_token_in_place, told["max_token_in_place"])
                self.assertEqual(states.max_token_per_marking, told["max_token_per_marking"])

    def test_analyses(self):
        for name in NETS:
            with self.subTest(net=name):
                told = json.loads(command("analyse", pnml(name), "--json")[1])
                found = brine.load(pnml(name)).analyse()
                del told["time_s"], told["peak_mem_mib"]
                self.assertEqual(found, told)
                self.assertEqual(found.deadlock, told["deadlock"])
        with self.assertRaises(AttributeError):
            found.nothing
        self.assertIn("<table>", found._repr_html_())
        self.assertEqual(brine.load(pnml("philosophers-20")).analyse(timeout=0).reason, "timeout")
        with self.assertRaises(brine.OptionsError):
            brine.read_commands("var x = 0; up: x < 3 -> x := x + 1;").analyse()

    def test_other_languages(self):
        dve = sorted((ROOT / "dve").glob("*.dve"))
        for path in dve[:6]:
            with self.subTest(model=path.name):
                told = json.loads(command("states", str(path), "--json")[1])
                self.assertEqual(str(brine.load(path).states().states), told["states"])
        for path in sorted((ROOT / "gcl").glob("*.gcl"))[:3]:
            with self.subTest(model=path.name):
                told = json.loads(command("states", str(path), "--json")[1])
                model = brine.load(path)
                self.assertEqual(str(model.states().states), told["states"])
                self.assertEqual(model.kind, "guarded commands")

    def test_automata(self):
        for formula in ["G(a -> F b)", "a U b", "G F a & G F b", "X X a | G b", "false"]:
            for kind in ["tgba", "ba"]:
                told = command("automaton", formula, "--type", kind)[1]
                automaton = brine.automaton(formula, type=kind)
                self.assertEqual(automaton.hoa, told)
                again = brine.read_automaton(told, type=kind)
                self.assertEqual(again.edges, automaton.edges)
                self.assertIn("<svg", automaton._repr_svg_())

    def test_mistakes(self):
        net = brine.load(pnml("philosophers-5"))
        with self.assertRaises(brine.InputError) as caught:
            net.check("G fork_0 <")
        error = caught.exception
        self.assertEqual((error.line, error.column), (1, 11))
        self.assertIn(str(error), command("check", pnml("philosophers-5"), "--ltl", "G fork_0 <")[2])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bad.pnml"
            path.write_text("<pnml>\n<net>")
            with self.assertRaises(brine.InputError) as caught:
                brine.load(path)
            self.assertEqual(caught.exception.file, str(path))
            self.assertEqual(caught.exception.line, 2)
            self.assertIn(str(caught.exception), command("states", str(path))[2])
        for wrong in [
            lambda: net.check(),
            lambda: net.check("true", reach="EF deadlock"),
            lambda: net.check("true", engine="swift"),
            lambda: net.check("true", options=["--order", "places/sloan"], engine="explicit"),
            lambda: net.check("true", options="--por"),
            lambda: net.check(property=True),
            lambda: brine.read_dve("byte x = 0; process P { state a; init a; } system async;").reachable(),
        ]:
            with self.assertRaises(brine.OptionsError):
                wrong()
        for wrong in [
            lambda: net.check("true", timeout=-1),
            lambda: net.check("true", threads=0),
            lambda: brine.automaton("a", type="dba"),
        ]:
            with self.assertRaises(ValueError):
                wrong()


class Sources(unittest.TestCase):
    """Nets that are no files."""

    def test_a_net_built_in_code(self):
        net = brine.Builder("three")
        a, b = net.place("a", 3), net.place("b", name="the second")
        net.transition("move", takes=[(a, 2)], puts=b)
        with self.assertRaises(brine.InputError):
            net.place("a")
        with self.assertRaises(brine.InputError):
            net.transition("wrong", takes=["c"])
        net = net.build()
        self.assertEqual(net.initial_marking, {"a": 3, "b": 0})
        self.assertEqual(net.arcs, [("a", "move", 2), ("move", "b", 1)])
        self.assertEqual(net.names["b"], "the second")
        self.assertFalse(net.check("G b = 0"))
        again = brine.read_pnml(net.pnml())
        self.assertEqual((again.arcs, again.initial_marking), (net.arcs, net.initial_marking))

    def test_texts(self):
        model = brine.read_commands("var x = 0; up: x < 3 -> x := x + 1;")
        self.assertEqual(model.states().states, 4)
        text = "byte x = 0; process P { state a; init a; trans a -> a { guard x < 3; effect x = x + 1; }; } system async;"
        self.assertEqual(brine.read_dve(text).states().states, 4)
        self.assertTrue(brine.read_dve(text).check("F x == 3"))
        net = brine.read_pnml(Path(pnml("philosophers-5")).read_text())
        self.assertEqual(net.states().states, 243)

    def test_objects_like_those_of_pm4py(self):
        place = lambda name: SimpleNamespace(name=name)
        start, end = Named("start"), Named("end")
        work = Named("t1", label="work")
        net = SimpleNamespace(
            name="process",
            places={start, end},
            transitions={work},
            arcs={Arrow(start, work, 1), Arrow(work, end, 2)},
        )
        read = brine.from_pm4py((net, {start: 1}, {end: 2}))
        self.assertEqual(read.initial_marking, {"end": 0, "start": 1})
        self.assertTrue(read.check("F end = 2"))
        self.assertEqual(read.names["t1"], "work")
        self.assertTrue(read.check("fireable(work)"))

    @unittest.skipUnless(has("pm4py"), "pm4py is not installed")
    def test_pm4py(self):
        from pm4py.objects.petri_net.obj import Marking, PetriNet
        from pm4py.objects.petri_net.utils import petri_utils

        net = PetriNet("p")
        a, b = PetriNet.Place("a"), PetriNet.Place("b")
        t = PetriNet.Transition("t", "label")
        net.places.update([a, b])
        net.transitions.add(t)
        petri_utils.add_arc_from_to(a, t, net)
        petri_utils.add_arc_from_to(t, b, net)
        self.assertEqual(brine.from_pm4py(net, Marking({a: 1})).states().states, 2)

    @unittest.skipUnless(has("networkx"), "networkx is not installed")
    def test_networkx(self):
        import networkx

        for name in ["philosophers-5", "kanban-1"]:
            net = brine.load(pnml(name))
            again = brine.from_networkx(net.to_networkx())
            self.assertEqual(again.states().states, net.states().states)
            self.assertEqual(again.states().transitions, net.states().transitions)
        graph = networkx.DiGraph()
        graph.add_node("p", kind="place")
        graph.add_node("q", kind="place")
        graph.add_edge("p", "q")
        with self.assertRaises(brine.InputError):
            brine.from_networkx(graph)
        self.assertEqual(len(brine.automaton("a U b").to_networkx()), 2)


class Named:
    def __init__(self, name, label=None):
        self.name, self.label = name, label


class Arrow:
    def __init__(self, source, target, weight):
        self.source, self.target, self.weight = source, target, weight


class Sets(unittest.TestCase):
    def test_markings(self):
        net = brine.load(pnml("philosophers-5"))
        markings = net.reachable()
        self.assertEqual((len(markings), markings.count()), (243, 243))
        listed = list(markings)
        self.assertEqual(len({tuple(m.items()) for m in listed}), 243)
        self.assertIn(net.initial_marking, markings)
        self.assertNotIn({"fork_0": 2}, markings)
        with self.assertRaises(brine.InputError):
            {"nowhere": 1} in markings
        self.assertEqual(markings.sample(seed=3), markings.sample(seed=3))
        for marking in markings.sample(50, seed=1):
            self.assertIn(marking, listed)

    def test_many(self):
        markings = brine.load(pnml("philosophers-20")).reachable()
        self.assertEqual(markings.count(), 3**20)
        self.assertEqual(len(list(itertools.islice(markings, 1000))), 1000)
        self.assertIn(markings.sample(seed=5), markings)


LONG = f"""
import brine, sys
net = brine.load({pnml("philosophers-20")!r})
print("ready", flush=True)
net.check("G (eat_0 = 1 -> X eat_1 = 0)", engine="explicit")
print("answered", flush=True)
"""


class Waiting(unittest.TestCase):
    """Long calls."""

    def net(self):
        return brine.load(pnml("philosophers-20"))

    def test_others_go_on(self):
        ticks = []
        over = threading.Event()

        def tick():
            while not over.wait(0.01):
                ticks.append(time.monotonic())

        other = threading.Thread(target=tick)
        other.start()
        verdict = self.net().check("G (eat_0 = 1 -> X eat_1 = 0)", engine="explicit", timeout=1)
        over.set()
        other.join()
        self.assertEqual((verdict.verdict, verdict.reason), ("unknown", "timeout"))
        self.assertGreater(len(ticks), 5)
        with self.assertRaises(ValueError):
            bool(verdict)

    def test_a_watcher_is_told_and_may_end_it(self):
        told = []
        question = "G (eat_0 = 1 -> X eat_1 = 0)"
        self.net().check(
            question, engine="explicit", timeout=1, progress=lambda *now: told.append(now)
        )
        self.assertTrue(told and told[0][0] < told[-1][0])

        def enough(*now):
            raise RuntimeError("enough")

        with self.assertRaises(RuntimeError):
            self.net().check(question, engine="explicit", progress=enough)

    def test_bars_come_and_go(self):
        question = "G (eat_0 = 1 -> X eat_1 = 0)"
        self.net().check(question, engine="explicit", timeout=0.3, progress=True)

    def test_ctrl_c(self):
        process = subprocess.Popen(
            [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        self.assertEqual(out, "")
        self.assertIn("KeyboardInterrupt", err)


PLAN = f"""
[limits]
time_s = 60
memory_mib = 1024
[[models]]
glob = {json.dumps(pnml("philosophers-5"))}
[[properties]]
ltl = "G !deadlock"
[[properties]]
ltl = "F eat_0 = 1"
[[configurations]]
name = "explicit"
options = ["--engine", "explicit"]
"""


@unittest.skipUnless(has("pandas"), "pandas is not installed")
class Frames(unittest.TestCase):
    def test_a_campaign(self):
        with tempfile.TemporaryDirectory() as folder:
            plan, results = Path(folder) / "plan.toml", Path(folder) / "results.csv"
            plan.write_text(PLAN)
            frame = brine.bench(plan, results)
            self.assertEqual(list(frame["verdict"]), ["violated", "violated"])
            by_command = Path(folder) / "command.csv"
            command("bench", str(plan), "-o", str(by_command))
            columns = ["model", "property", "config", "verdict", "product_states", "fingerprint"]
            told = brine.read_results(by_command)
            self.assertTrue(told[columns].equals(frame[columns]))
            # Done already.
            self.assertTrue(brine.bench(plan, results).equals(frame))
        self.assertEqual(len(brine.bench(PLAN)), 2)
        with self.assertRaises(brine.InputError):
            brine.bench("[limits]\n")

    def test_a_run(self):
        verdict = brine.load(pnml("philosophers-5")).check("G !deadlock")
        frame = verdict.run.to_pandas()
        self.assertEqual(len(frame), len(verdict.run) + 1)
        self.assertEqual(list(frame["step"])[1:], [s.transition for s in verdict.run.steps])
        self.assertLess(len(frame.columns), len(verdict.run.to_pandas(full=True).columns) + 1)
        tokens = brine.load(pnml("philosophers-5")).analyse().to_pandas()
        self.assertEqual((len(tokens), tokens["bound"].max()), (25, 1))
        markings = brine.load(pnml("philosophers-5")).reachable().to_pandas()
        self.assertEqual(markings.shape, (243, 25))


class Pictures(unittest.TestCase):
    def test_notebooks_see_pictures(self):
        net = brine.load(pnml("philosophers-5"))
        verdict = net.check("G !deadlock")
        self.assertIn("iframe", verdict._repr_html_())
        self.assertIn("<svg", net._repr_svg_())
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "run.html"
            command("check", pnml("philosophers-5"), "--ltl", "G !deadlock", "--html", str(page))
            told, shown = page.read_text(), verdict.html()
        # The same page but for its title.
        self.assertIn("<!doctype html>", shown)
        self.assertLess(abs(len(told) - len(shown)), 200)
        self.assertIn("<svg", verdict.run._repr_svg_())
        self.assertIn("violated", repr(verdict))


class Docs(unittest.TestCase):
    def test_the_example_of_the_package(self):
        self.assertEqual(doctest.testmod(brine).failed, 0)
        self.assertGreater(doctest.testmod(brine).attempted, 5)

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_types(self):
        ended = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--disable-error-code=import-untyped", "-p", "brine"], capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    @unittest.skipUnless(has("mypy"), "mypy is not installed")
    def test_stubs_are_what_is_there(self):
        ended = subprocess.run(
            [sys.executable, "-m", "mypy.stubtest", "brine._brine"], capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


if __name__ == "__main__":
    unittest.main()
