//! Every mistake in a coloured net is refused with its place in the file.

use brine_pnml::{UnfoldLimits, read_model_from};

/// The parts of a small valid net, one line of the file each.
#[derive(Clone)]
struct Parts<'a> {
    /// Line 3, from column 1.
    sorts: &'a str,
    /// Line 5: the type of place `p`, from column 1.
    sort: &'a str,
    /// Line 6: its initial marking.
    initial: &'a str,
    /// Line 7: the condition of transition `t`.
    guard: &'a str,
    /// Line 8: what the arc from `p` to `t` takes.
    arc: &'a str,
}

const SORTS: &str = "<namedsort id='S' name='S'><cyclicenumeration><feconstant id='a' name='a'/>\
    <feconstant id='b' name='b'/></cyclicenumeration></namedsort>\
    <namedsort id='P' name='P'><productsort><usersort declaration='S'/><usersort declaration='S'/>\
    </productsort></namedsort><namedsort id='I' name='I'><finiteintrange start='1' end='3'/>\
    </namedsort><namedsort id='D' name='D'><dot/></namedsort>\
    <variabledecl id='x' name='x'><usersort declaration='S'/></variabledecl>\
    <variabledecl id='i' name='i'><usersort declaration='I'/></variabledecl>";

const VALID: Parts<'_> = Parts {
    sorts: SORTS,
    sort: "<usersort declaration='S'/>",
    initial: "<all><usersort declaration='S'/></all>",
    guard: "<equality><subterm><variable refvariable='x'/></subterm>\
            <subterm><useroperator declaration='a'/></subterm></equality>",
    arc: "<variable refvariable='x'/>",
};

fn document(parts: &Parts<'_>) -> String {
    let Parts { sorts, sort, initial, guard, arc } = parts;
    format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\n\
         <declaration><structure><declarations>\n{sorts}\n</declarations></structure></declaration>\
         <page id='g'><place id='p'><type><structure>\n{sort}</structure></type>\
         <hlinitialMarking><structure>\n{initial}</structure></hlinitialMarking></place>\
         <transition id='t'><condition><structure>\n{guard}</structure></condition></transition>\
         <arc id='arc' source='p' target='t'><hlinscription><structure>\n{arc}</structure>\
         </hlinscription></arc></page></net></pnml>"
    )
}

fn error(document: &str) -> String {
    let result = read_model_from(document.as_bytes(), "f", &UnfoldLimits::default());
    result.expect_err("must be refused").to_string()
}

#[track_caller]
fn refused(parts: &Parts<'_>, expected: &str) {
    let message = error(&document(parts));
    assert!(message.starts_with(&format!("f:{expected}")), "{message}");
    assert!(message.contains("expected"), "{message}");
}

#[test]
fn the_valid_net_is_read() {
    let model = read_model_from(document(&VALID).as_bytes(), "f", &UnfoldLimits::default());
    let model = model.expect("valid");
    assert_eq!(model.net.transition(brine_net::TransitionId(0)).id(), "t[x=a]");
    assert_eq!(model.idle_tokens(), 1);
}

#[test]
fn sorts() {
    let sorts = |sorts: &str, expected: &str| {
        let all = format!("{sorts}{SORTS}");
        refused(&Parts { sorts: &all, ..VALID }, expected);
    };
    sorts("<namedsort id='T'><usersort declaration='U'/></namedsort>", "3:19: unknown sort \"U\"");
    sorts(
        "<namedsort id='T'><usersort declaration='U'/></namedsort>\
         <namedsort id='U'><usersort declaration='T'/></namedsort>",
        "3:76: sort \"T\" is built from itself",
    );
    sorts("<namedsort id='T'><usersort declaration='T'/></namedsort>", "3:19: sort \"T\" is built");
    sorts("<namedsort id='S'><dot/></namedsort>", "3:37: sort \"S\" is declared twice");
    sorts("<namedsort id='T'/>", "3:1: malformed <namedsort>, expected one sort");
    sorts("<namedsort><dot/></namedsort>", "3:1: <namedsort> has no attribute id");
    sorts("<namedsort id='T'><cyclicenumeration/></namedsort>", "3:1: 0 constants");
    sorts(
        "<namedsort id='T'><finiteenumeration><feconstant id='a'/></finiteenumeration></namedsort>",
        "3:136: constant \"a\" is declared twice",
    );
    sorts(
        "<namedsort id='T'><finiteintrange start='3' end='1'/></namedsort>",
        "3:19: the range 3..1",
    );
    sorts(
        "<namedsort id='T'><finiteintrange start='1' end='99999999999'/></namedsort>",
        "3:19: the range 1..99999999999 holds too many",
    );
    sorts(
        "<namedsort id='T'><finiteintrange start='1'/></namedsort>",
        "3:19: <finiteintrange> has no",
    );
    sorts(
        "<namedsort id='T'><finiteintrange start='1' end='x'/></namedsort>",
        "3:50: end \"x\" is not a number",
    );
    sorts("<namedsort id='T'><productsort/></namedsort>", "3:19: malformed <productsort>");
    sorts("<namedsort id='T'><strings/></namedsort>", "3:19: <strings> is not known");
    sorts("<variabledecl id='x'><dot/></variabledecl>", "3:");
    sorts("<variabledecl id='y'><usersort declaration='Q'/></variabledecl>", "3:22: unknown sort");
    sorts("<variable refvariable='x'/>", "3:1: <variable> does not belong here");
    let twice = "<partitionelement id='e'><useroperator declaration='a'/></partitionelement>\
                 <partitionelement id='f'><useroperator declaration='a'/></partitionelement>";
    let partition =
        |parts: &str| format!("<partition id='R'><usersort declaration='S'/>{parts}</partition>");
    sorts(&partition(twice), "3:1: a is in two parts of S");
    let half = "<partitionelement id='e'><useroperator declaration='a'/></partitionelement>";
    sorts(&partition(half), "3:1: b is in no part of S");
    let strange = "<partitionelement id='e'><useroperator declaration='z'/></partitionelement>";
    sorts(&partition(strange), "3:71: not a constant of sort S");
    let wide = "<partition id='R'><usersort declaration='P'/></partition>";
    sorts(wide, "3:1: a partition of a product");
}

#[test]
fn declarations_that_are_none() {
    let text = document(&VALID)
        .replace("<declarations>", "<tuple>")
        .replace("</declarations>", "</tuple>");
    assert!(error(&text).starts_with("f:2:"), "{}", error(&text));
    let text = document(&VALID).replacen("<structure><declarations>", "<structure/><x>", 1);
    let text = text.replacen("</declarations></structure>", "</x>", 1);
    let message = error(&text);
    assert!(message.starts_with("f:2:14: <structure> holds 0 elements"), "{message}");
    let text = document(&VALID).replacen("<type><structure>", "<type><text>S</text><!--", 1);
    let text = text.replacen("</structure></type>", "--></type>", 1);
    let message = error(&text);
    assert!(message.starts_with("f:4:69: <type> has no <structure>"), "{message}");
}

#[test]
fn places() {
    let sort = |sort: &str, expected: &str| refused(&Parts { sort, ..VALID }, expected);
    sort("<usersort declaration='T'/>", "5:1: unknown sort \"T\"");
    sort("<usersort/>", "5:1: <usersort> has no attribute declaration");
    sort("<dotconstant/>", "5:1: not a sort");
    sort("", "4:75: <structure> holds 0 elements");
    sort("<dot/><dot/>", "4:75: <structure> holds 2 elements");
    let initial = |initial: &str, expected: &str| refused(&Parts { initial, ..VALID }, expected);
    initial("<variable refvariable='x'/>", "6:1: variable \"x\" in an initial marking");
    initial("<dotconstant/>", "6:1: this is of sort dot, expected one of sort S");
    initial("<all><usersort declaration='P'/></all>", "6:1: this is of sort S x S");
    initial("<all><dotconstant/></all>", "6:1: malformed <all>, expected one sort");
    initial("<and><booleanconstant value='true'/></and>", "6:1: this does not stand for tokens");
    initial(
        "<finiteintrangeconstant value='4'><finiteintrange start='1' end='3'/>\
         </finiteintrangeconstant>",
        "6:1: 4 is not in the range",
    );
    initial("<booleanconstant value='yes'/>", "6:25: malformed value");
    let count = |n: &str| {
        format!(
            "<numberof><subterm><numberconstant value='{n}'><natural/></numberconstant></subterm>\
             <subterm><useroperator declaration='a'/></subterm></numberof>"
        )
    };
    initial(&count("-1"), "6:20: count -1");
    initial(&count("4294967296"), "6:20: count 4294967296");
    initial(&count("many"), "6:43: value \"many\" is not a number");
    let huge = format!("<add>{}{}</add>", count("4294967295"), count("1"));
    initial(&huge, "4:55: 4294967296 tokens of one colour");
    let text = document(&VALID).replacen("<type>", "<!--", 1).replacen("</type>", "-->", 1);
    let message = error(&text);
    assert!(message.starts_with("f:4:55: place \"p\" has no <type>"), "{message}");
}

#[test]
fn guards() {
    let guard = |guard: &str, expected: &str| refused(&Parts { guard, ..VALID }, expected);
    guard("<variable refvariable='x'/>", "7:1: not a condition");
    let equal = |a: &str, b: &str| format!("<equality>{a}{b}</equality>");
    let x = "<variable refvariable='x'/>";
    guard(
        &equal(x, "<variable refvariable='i'/>"),
        "7:1: this is of sort 1..3, expected one of sort S",
    );
    guard(&equal(x, "<variable refvariable='y'/>"), "7:38: unknown variable \"y\"");
    guard(&equal(x, "<useroperator declaration='c'/>"), "7:38: unknown constant \"c\"");
    guard(&equal(x, ""), "7:1: malformed <equality>, expected two terms");
    guard(
        &equal(x, "<all><usersort declaration='S'/></all>"),
        "7:1: malformed <equality>, expected two single",
    );
    guard("<not/>", "7:1: malformed <not>, expected one condition");
    guard("<or/>", "7:1: malformed <or>");
    guard(&format!("<and>{x}</and>"), "7:1: malformed <and>");
    guard(&format!("<imply>{}</imply>", equal(x, x)), "7:1: malformed <imply>");
    let pair = format!("<tuple>{x}{x}</tuple>");
    guard(&format!("<lessthan>{pair}{pair}</lessthan>"), "7:1: products have no order");
    guard(&format!("<lessthan>{x}<add/></lessthan>"), "7:38: malformed <add>");
    guard("<cardinality/>", "7:1: <cardinality> asks about a multiset");
    guard(&format!("<equality>{x}{x}<equality>"), "7:");
}

#[test]
fn arcs() {
    let arc = |arc: &str, expected: &str| refused(&Parts { arc, ..VALID }, expected);
    let x = "<variable refvariable='x'/>";
    arc("<variable refvariable='i'/>", "8:1: this is of sort 1..3, expected one of sort S");
    arc("<variable/>", "8:1: <variable> has no attribute refvariable");
    arc(&format!("<tuple>{x}{x}</tuple>"), "8:1: this is of sort S x S, expected one of sort S");
    arc("<tuple/>", "8:1: malformed <tuple>");
    arc(&format!("<successor>{x}{x}</successor>"), "8:1: malformed <successor>");
    arc(&format!("<successor><tuple>{x}{x}</tuple></successor>"), "8:1: malformed <successor>");
    arc(&format!("<numberof>{x}</numberof>"), "8:1: malformed <numberof>");
    arc(&format!("<numberof>{x}{x}</numberof>"), "8:1: malformed <numberof>");
    arc(&format!("<add>{x}<dotconstant/></add>"), "8:1: this is of sort dot");
    arc(&format!("<subtract>{x}<dotconstant/></subtract>"), "8:1: this is of sort dot");
    arc(
        &format!("<partitionelementof refpartition='R'>{x}</partitionelementof>"),
        "8:1: unknown partition \"R\"",
    );
    arc("<usersort declaration='S'/>", "8:1: this does not stand for tokens");
    let bare = document(&VALID).replacen("<hlinscription>", "<!--", 1);
    let message = error(&bare.replacen("</hlinscription>", "-->", 1));
    assert!(message.starts_with("f:7:155: an arc without <hlinscription>"), "{message}");
    let odd = document(&VALID).replacen("<hlinscription>", "<type/><hlinscription>", 1);
    let message = error(&odd);
    assert!(message.starts_with("f:7:191: unknown <type> in the <arc>"), "{message}");
}

#[test]
fn a_weight_over_the_limit() {
    let million = "<numberconstant value='4294967295'><natural/></numberconstant>";
    let x = "<variable refvariable='x'/>";
    let one = format!("<numberof>{million}{x}</numberof>");
    let two = format!("<add>{one}{one}</add>");
    refused(&Parts { arc: &two, ..VALID }, "7:155: weight 8589934590");
}

#[test]
fn deep_terms_need_no_deep_stack() {
    // Elements nest at most 1024 deep, so this is the deepest sum there is.
    let depth = 1000;
    let x = "<variable refvariable='x'/>";
    let deep = format!("{}{x}{}", "<add>".repeat(depth), "</add>".repeat(depth));
    let document = document(&Parts { arc: &deep, ..VALID });
    assert!(read_model_from(document.as_bytes(), "f", &UnfoldLimits::default()).is_ok());
    let deep = format!("{}{x}{}", "<successor>".repeat(depth), "</successor>".repeat(depth));
    let model = read_model_from(
        self::document(&Parts { arc: &deep, ..VALID }).as_bytes(),
        "f",
        &UnfoldLimits::default(),
    );
    assert_eq!(model.expect("valid").net.transition(brine_net::TransitionId(0)).pre.len(), 1);
}
