//! What becomes of every file in `pnml/dialects`.

use super::Outcome::{Read, Refused, Warned};
use super::Treatment::{Ignored, Told, Understood};
use super::{Case, case};

/// All of them, in the order of the table.
pub(super) const CASES: [Case; 71] = [
    case(
        "standard.pnml",
        "standard",
        &[
            ("arcs of type normal", Understood),
            ("reference places", Understood),
            ("graphics, parts of other tools", Ignored),
        ],
        Read([2, 2, 4, 1]),
    ),
    case(
        "standard-inhibitor.pnml",
        "standard",
        &[("inhibitor arcs", Told)],
        Refused(
            "10:56: an arc of type \"inhibitor\" in a place/transition net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "standard-reset.pnml",
        "standard",
        &[("reset arcs", Told)],
        Refused(
            "10:56: an arc of type \"reset\" in a place/transition net, expected a normal one (reset arcs are not supported)",
        ),
    ),
    case(
        "standard-test.pnml",
        "standard",
        &[("test arcs", Told)],
        Refused(
            "10:56: an arc of type \"test\" in a place/transition net, expected a normal one (read arcs are not supported: write an arc to the transition and one back)",
        ),
    ),
    case(
        "standard-read.pnml",
        "standard",
        &[("read arcs", Told)],
        Refused(
            "10:56: an arc of type \"read\" in a place/transition net, expected a normal one (read arcs are not supported: write an arc to the transition and one back)",
        ),
    ),
    case(
        "standard-weight.pnml",
        "standard",
        &[("weight as attribute", Told)],
        Refused(
            "10:50: unknown attribute weight=\"5\" of <arc>, expected only id, source, target and type (in this kind of net, the weight of an arc is written <inscription><text>N</text></inscription>)",
        ),
    ),
    case(
        "standard-marking.pnml",
        "standard",
        &[("marking as attribute", Told)],
        Refused(
            "7:26: unknown attribute initialMarking=\"1\" of <place>, expected only id (in this kind of net, tokens are written <initialMarking><text>N</text></initialMarking>)",
        ),
    ),
    case(
        "standard-capacity.pnml",
        "standard",
        &[("capacity as attribute", Told)],
        Refused(
            "7:26: unknown attribute capacity=\"1\" of <place>, expected only id (capacities are not supported: add a complementary place)",
        ),
    ),
    case(
        "standard-capacity-label.pnml",
        "standard",
        &[("capacity as label", Told)],
        Refused(
            "7:26: unknown <capacity> in a <place> of a place/transition net, expected <name>, <initialMarking>, <graphics> or <toolspecific> (capacities are not supported: add a complementary place)",
        ),
    ),
    case(
        "standard-priority.pnml",
        "standard",
        &[("priority as attribute", Told)],
        Refused(
            "8:29: unknown attribute priority=\"2\" of <transition>, expected only id (priorities are not supported: without them the net has more runs)",
        ),
    ),
    case(
        "standard-delay.pnml",
        "standard",
        &[("delays", Told)],
        Refused(
            "8:29: unknown <delay> in a <transition> of a place/transition net, expected <name>, <graphics> or <toolspecific> (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "standard-toolspecific.pnml",
        "standard",
        &[("a tool part of an arc that mentions a feature", Told)],
        Warned(
            [2, 2, 4, 1],
            "10:50: warning: a <toolspecific> of editor mentions \"inhibitor\"; such parts are not read, so editor may see another net than Brine",
        ),
    ),
    case("standard-latin1.pnml", "standard", &[("ISO-8859-1", Understood)], Read([2, 2, 4, 1])),
    case("standard-windows.pnml", "standard", &[("windows-1252", Understood)], Read([2, 2, 4, 1])),
    case("standard-utf16.pnml", "standard", &[("UTF-16", Understood)], Read([2, 2, 4, 1])),
    case(
        "standard-ebcdic.pnml",
        "standard",
        &[("other encodings", Told)],
        Refused(
            "1:1: encoding \"IBM037\" is not read, expected UTF-8, UTF-16, ISO-8859-1, windows-1252 or US-ASCII",
        ),
    ),
    case(
        "standard-doctype.pnml",
        "standard",
        &[("a DOCTYPE that names a grammar", Ignored)],
        Read([2, 2, 4, 1]),
    ),
    case(
        "standard-entities.pnml",
        "standard",
        &[("a DOCTYPE that defines entities", Told)],
        Refused(
            "2:1: document type declarations are not read (they can define entities that explode, and default values of attributes), expected one without [...] or none",
        ),
    ),
    case(
        "pm4py.pnml",
        "pm4py",
        &[
            ("core model, weights", Understood),
            ("final markings", Ignored),
            ("silent transitions", Ignored),
        ],
        Read([3, 2, 6, 1]),
    ),
    case(
        "pm4py-inhibitor.pnml",
        "pm4py",
        &[("inhibitor arcs", Told)],
        Refused(
            "43:17: an arc of type \"inhibitor\" in a ProM or pm4py net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "pm4py-reset.pnml",
        "pm4py",
        &[("reset arcs", Told)],
        Refused(
            "42:17: an arc of type \"reset\" in a ProM or pm4py net, expected a normal one (reset arcs are not supported)",
        ),
    ),
    case(
        "pm4py-guard.pnml",
        "pm4py",
        &[("guards of data nets", Told)],
        Refused(
            "31:29: unknown attribute guard=\"amount &gt; 5\" of <transition>, expected only id (data and guards are not supported, except in symmetric nets)",
        ),
    ),
    case(
        "pm4py-stochastic.pnml",
        "pm4py",
        &[("stochastic nets", Told)],
        Warned(
            [3, 2, 4, 1],
            "35:9: warning: a <toolspecific> of StochasticPetriNet mentions \"priority\"; such parts are not read, so StochasticPetriNet may see another net than Brine",
        ),
    ),
    case(
        "prom.pnml",
        "ProM",
        &[
            ("arcs of type normal", Understood),
            ("final markings", Ignored),
            ("activities, node ids, names of arcs", Ignored),
        ],
        Read([2, 1, 2, 1]),
    ),
    case(
        "prom-inhibitor.pnml",
        "ProM",
        &[("inhibitor arcs", Told)],
        Refused(
            "21:20: an arc of type \"inhibitor\" in a ProM or pm4py net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "prom-reset.pnml",
        "ProM",
        &[("reset arcs", Told)],
        Refused(
            "21:20: an arc of type \"reset\" in a ProM or pm4py net, expected a normal one (reset arcs are not supported)",
        ),
    ),
    case(
        "pipe.pnml",
        "PIPE",
        &[
            ("`Default,1`, capacity 0, all transitions immediate", Understood),
            ("notes, paths of arcs, orientations, servers", Ignored),
        ],
        Read([2, 2, 6, 1]),
    ),
    case("pipe-old.pnml", "PIPE", &[("numbers without a class", Understood)], Read([2, 2, 6, 1])),
    case(
        "pipe-timed.pnml",
        "PIPE",
        &[("all transitions timed, positive rates", Understood)],
        Read([2, 2, 6, 1]),
    ),
    case(
        "pipe-one-class.pnml",
        "PIPE",
        &[("several classes, tokens of one", Understood)],
        Read([2, 2, 6, 1]),
    ),
    case(
        "pipe-coloured.pnml",
        "PIPE",
        &[("tokens of two classes", Told)],
        Refused(
            "19:8: tokens of class \"Red\" and of class \"Default\", expected one class in a PIPE net (coloured nets are read as symmetric nets)",
        ),
    ),
    case(
        "pipe-capacity.pnml",
        "PIPE",
        &[("capacities", Told)],
        Refused(
            "25:8: \"3\" in a PIPE net, expected 0 as capacity, which means none (capacities are not supported: add a complementary place)",
        ),
    ),
    case(
        "pipe-mixed.pnml",
        "PIPE",
        &[("timed and immediate transitions", Told)],
        Refused(
            "74:1: this PIPE net has timed and immediate transitions, expected all of one kind (immediate ones go first, and priorities are not supported)",
        ),
    ),
    case(
        "pipe-priority.pnml",
        "PIPE",
        &[("priorities that differ", Told)],
        Refused(
            "74:1: priority 2 in a PIPE net that also has priority 1, expected the same everywhere (priorities are not supported: without them the net has more runs)",
        ),
    ),
    case(
        "pipe-rate.pnml",
        "PIPE",
        &[("rates that depend on the marking", Told)],
        Refused(
            "62:8: \"#(P0)\" in a PIPE net, expected a positive number as rate (a transition of rate 0 never fires, and rates that depend on the marking are not supported)",
        ),
    ),
    case(
        "pipe-inhibitor.pnml",
        "PIPE",
        &[("inhibitor arcs", Told)],
        Refused(
            "111:14: an arc of type \"inhibitor\" in a PIPE net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "pipe-tagged.pnml",
        "PIPE",
        &[("tagged arcs", Told)],
        Refused("107:8: \"true\" in a PIPE net, expected false (tagged tokens are not supported)"),
    ),
    case(
        "pipe-definition.pnml",
        "PIPE",
        &[("parameters", Told)],
        Refused(
            "152:1: unknown <definition>, expected a page, place, transition or arc of a PIPE net",
        ),
    ),
    case(
        "tapaal.pnml",
        "TAPAAL export",
        &[("arcs of type normal", Understood)],
        Read([2, 2, 5, 2]),
    ),
    case(
        "tapaal-inhibitor.pnml",
        "TAPAAL export",
        &[("inhibitor arcs", Told)],
        Refused(
            "13:55: an arc of type \"inhibitor\" in a place/transition net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "tapaal-coloured.pnml",
        "TAPAAL export",
        &[("coloured nets", Understood)],
        Read([2, 2, 4, 2]),
    ),
    case(
        "tapaal-coloured-inhibitor.pnml",
        "TAPAAL export",
        &[("inhibitor arcs of coloured nets", Told)],
        Refused(
            "9:54: an arc of type \"inhibitor\" in a symmetric net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "tapaal-coloured-weight.pnml",
        "TAPAAL export",
        &[("weights of coloured arcs as attribute", Told)],
        Refused(
            "9:48: unknown attribute weight=\"2\" of <arc>, expected only id, source, target and type (in this kind of net, the weight of an arc is written <inscription><text>N</text></inscription>)",
        ),
    ),
    case(
        "tapaal.tapn",
        "TAPAAL `.tapn`",
        &[
            (
                "guards `[0,inf)`, invariants `< inf`, constants, transport arcs, terms over black tokens",
                Understood,
            ),
            ("queries, bounds, notes, distributions, drawing", Ignored),
        ],
        Read([2, 2, 5, 2]),
    ),
    case(
        "tapaal-old.tapn",
        "TAPAAL `.tapn`",
        &[("files of older versions", Understood)],
        Read([2, 2, 5, 2]),
    ),
    case(
        "tapaal-guard.tapn",
        "TAPAAL `.tapn`",
        &[("guards", Told)],
        Refused(
            "10:31: guard [2,5] on an arc of a TAPAAL net, expected [0,inf) (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tapaal-invariant.tapn",
        "TAPAAL `.tapn`",
        &[("invariants", Told)],
        Refused(
            "6:133: invariant <= 5 of a TAPAAL place, expected < inf (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tapaal-urgent.tapn",
        "TAPAAL `.tapn`",
        &[("urgent transitions", Told)],
        Refused(
            "8:176: urgent=\"true\" in a TAPAAL net, expected false (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tapaal-inhibitor.tapn",
        "TAPAAL `.tapn`",
        &[("inhibitor arcs", Told)],
        Refused(
            "10:107: an arc of type \"tapnInhibitor\" in a TAPAAL net (inhibitor arcs are not supported: use a complementary place)",
        ),
    ),
    case(
        "tapaal-shared.tapn",
        "TAPAAL `.tapn`",
        &[("shared places and transitions", Told)],
        Refused(
            "3:3: <shared-place>: TAPAAL nets of several components are not read, expected one component (TAPAAL's PNML export composes them)",
        ),
    ),
    case(
        "tapaal-components.tapn",
        "TAPAAL `.tapn`",
        &[("several components", Told)],
        Refused(
            "15:3: a second <net>: TAPAAL nets of several components are not read, expected one component (TAPAAL's PNML export composes them)",
        ),
    ),
    case(
        "tapaal-coloured.tapn",
        "TAPAAL `.tapn`",
        &[("colours", Told)],
        Refused(
            "7:155: colours in a TAPAAL net, expected black tokens only (TAPAAL's PNML export of a coloured net without time is read)",
        ),
    ),
    case(
        "tapaal-terms.tapn",
        "TAPAAL `.tapn`",
        &[("terms that say something else", Told)],
        Refused("7:236: <hlinitialMarking> says 3, the attribute says 2, expected the same"),
    ),
    case(
        "tapaal-game.tapn",
        "TAPAAL `.tapn`",
        &[("games (transitions)", Told)],
        Refused("9:191: player=\"1\" in a TAPAAL net, expected 0"),
    ),
    case(
        "tapaal-game-feature.tapn",
        "TAPAAL `.tapn`",
        &[("games (the whole net)", Told)],
        Refused("18:38: isGame=\"true\" in a TAPAAL net, expected false: not supported"),
    ),
    case(
        "tina.pnml",
        "Tina",
        &[("intervals from 0 to infinity", Understood), ("labels, drawing", Ignored)],
        Read([2, 2, 4, 2]),
    ),
    case(
        "tina-time.pnml",
        "Tina",
        &[("firing intervals", Told)],
        Refused(
            "8:93: a Tina transition with the firing interval 4, 9, expected 0, infty (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tina-urgent.pnml",
        "Tina",
        &[("urgent transitions", Told)],
        Refused(
            "8:93: a Tina transition with the firing interval 0, 0, expected 0, infty (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tina-test.pnml",
        "Tina",
        &[("test arcs", Told)],
        Refused(
            "10:60: an arc of type \"test\" in a Tina net, expected a normal one (read arcs are not supported: write an arc to the transition and one back)",
        ),
    ),
    case(
        "tina-inhibitor.pnml",
        "Tina",
        &[("inhibitor arcs", Told)],
        Refused(
            "10:60: an arc of type \"inhibitor\" in a Tina net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "tina-stopwatch.pnml",
        "Tina",
        &[("stopwatch arcs", Told)],
        Refused(
            "10:60: an arc of type \"stopwatch\" in a Tina net, expected a normal one (time is not supported: without it the net has more runs)",
        ),
    ),
    case(
        "tina-priority.pnml",
        "Tina",
        &[("priorities", Told)],
        Refused(
            "8:253: unknown <priority> in a <transition> of a Tina net, expected <name>, <graphics> or <toolspecific> (priorities are not supported: without them the net has more runs)",
        ),
    ),
    case(
        "yasper.pnml",
        "Yasper",
        &[("EPNML 1.1, weights", Understood), ("roles, emitters", Ignored)],
        Read([1, 1, 3, 1]),
    ),
    case(
        "yasper-inhibitor.pnml",
        "Yasper",
        &[("inhibitor arcs", Told)],
        Refused(
            "7:56: an arc of type \"inhibitor\" in a Yasper net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "yasper-reset.pnml",
        "Yasper",
        &[("reset arcs", Told)],
        Refused(
            "7:56: an arc of type \"reset\" in a Yasper net, expected a normal one (reset arcs are not supported)",
        ),
    ),
    case(
        "yasper-xor.pnml",
        "Yasper",
        &[("types of transitions", Told)],
        Refused(
            "6:26: unknown <type> in a <transition> of a Yasper net, expected <name>, <graphics> or <toolspecific>",
        ),
    ),
    case(
        "woped.pnml",
        "WoPeD",
        &[
            ("XOR operators (written out as transitions)", Understood),
            ("operators, times, probabilities, resources", Ignored),
        ],
        Read([3, 2, 4, 1]),
    ),
    case(
        "woped-subprocess.pnml",
        "WoPeD",
        &[("subprocesses", Told)],
        Warned(
            [3, 2, 4, 1],
            "9:62: warning: a <toolspecific> of WoPeD mentions \"subprocess\"; such parts are not read, so WoPeD may see another net than Brine",
        ),
    ),
    case("greatspn.pnml", "GreatSPN", &[("nets", Understood)], Read([1, 1, 3, 3])),
    case(
        "greatspn-inhibitor.pnml",
        "GreatSPN",
        &[("inhibitor arcs", Told)],
        Refused(
            "8:58: an arc of type \"inhibitor\" in a place/transition net, expected a normal one (inhibitor arcs are not supported: test for zero tokens with a complementary place)",
        ),
    ),
    case(
        "greatspn-priority.pnml",
        "GreatSPN",
        &[("immediate transitions and priorities in a tool part", Told)],
        Warned(
            [1, 1, 3, 3],
            "7:55: warning: a <toolspecific> of GreatSPN mentions \"priority\"; such parts are not read, so GreatSPN may see another net than Brine",
        ),
    ),
];
