"""Brine decides properties of Petri nets.

>>> import brine
>>> net = brine.Builder("lamp")
>>> off, on = net.place("off", 1), net.place("on")
>>> net.transition("press", takes=[off], puts=[on])
>>> net.transition("wait", takes=[off], puts=[off])
>>> net = net.build()
>>> verdict = net.check("F on = 1")
>>> verdict.verdict, verdict.run.cycle
('violated', ['wait'])
>>> net.check("G on + off = 1").holds
True
>>> sorted(tuple(marking.values()) for marking in net.reachable())
[(0, 1), (1, 0)]
"""

from ._brine import version as __version__
from ._campaigns import bench, command, read_results
from ._errors import BrineError, InputError, InternalError, OptionsError, StoppedError
from ._models import (
    Analysis,
    Automaton,
    Builder,
    Markings,
    Net,
    Run,
    States,
    Step,
    Verdict,
    automaton,
    from_networkx,
    from_pm4py,
    load,
    read_automaton,
    read_commands,
    read_dve,
    read_pnml,
)

__all__ = [
    "Analysis",
    "Automaton",
    "BrineError",
    "Builder",
    "InputError",
    "InternalError",
    "Markings",
    "Net",
    "OptionsError",
    "Run",
    "States",
    "Step",
    "StoppedError",
    "Verdict",
    "__version__",
    "automaton",
    "bench",
    "command",
    "from_networkx",
    "from_pm4py",
    "load",
    "read_automaton",
    "read_commands",
    "read_dve",
    "read_pnml",
    "read_results",
]
