//! Every construct of the standard's symmetric nets, one by one: what the unfolding has to be
//! is written down by hand here, or the file is refused with its place.

use brine_pnml::{Model, UnfoldLimits, read_model_from};

/// What all nets here declare.
const DECLARATIONS: &str = "\
<namedsort id='A' name='A'><finiteenumeration><feconstant id='a1' name='a1'/>\
<feconstant id='a2' name='a2'/></finiteenumeration></namedsort>\
<namedsort id='B' name='B'><cyclicenumeration><feconstant id='b1' name='b1'/>\
<feconstant id='b2' name='b2'/><feconstant id='b3' name='b3'/></cyclicenumeration></namedsort>\
<namedsort id='I' name='I'><finiteintrange start='3' end='5'/></namedsort>\
<namedsort id='D' name='D'><dot/></namedsort><namedsort id='Bool' name='Bool'><bool/></namedsort>\
<namedsort id='AB' name='AB'><productsort><usersort declaration='A'/><usersort declaration='B'/>\
</productsort></namedsort>\
<namedsort id='ABI' name='ABI'><productsort><usersort declaration='AB'/>\
<usersort declaration='I'/></productsort></namedsort>\
<namedsort id='Deep' name='Deep'><productsort><usersort declaration='ABI'/><productsort>\
<usersort declaration='Bool'/><usersort declaration='AB'/></productsort></productsort></namedsort>\
<partition id='BP' name='BPartition'><usersort declaration='B'/>\
<partitionelement id='late' name='late'><useroperator declaration='b2'/>\
<useroperator declaration='b3'/></partitionelement>\
<partitionelement id='early' name='early'><useroperator declaration='b1'/></partitionelement>\
</partition>\
<partition id='IP' name='IPartition'><usersort declaration='I'/>\
<partitionelement id='odd' name='odd'>\
<finiteintrangeconstant value='3'><finiteintrange start='3' end='5'/></finiteintrangeconstant>\
<finiteintrangeconstant value='5'><finiteintrange start='3' end='5'/></finiteintrangeconstant>\
</partitionelement><partitionelement id='even' name='even'>\
<finiteintrangeconstant value='4'><finiteintrange start='3' end='5'/></finiteintrangeconstant>\
</partitionelement></partition>\
<variabledecl id='a' name='a'><usersort declaration='A'/></variabledecl>\
<variabledecl id='b' name='b'><usersort declaration='B'/></variabledecl>\
<variabledecl id='c' name='c'><usersort declaration='B'/></variabledecl>\
<variabledecl id='i' name='i'><usersort declaration='I'/></variabledecl>\
<variabledecl id='l' name='l'><usersort declaration='late'/></variabledecl>\
<variabledecl id='q' name='q'><usersort declaration='BP'/></variabledecl>\
<variabledecl id='t' name='t'><usersort declaration='Bool'/></variabledecl>\
<variabledecl id='ab' name='ab'><usersort declaration='AB'/></variabledecl>";

/// A term in short: `name(child,...)` is an element with children in `<subterm>`s; a name
/// alone is a constant if it is declared here, else a variable; `:X` is a sort and `7` a
/// number; `I7` is the integer 7 of the range.
fn xml(short: &str) -> String {
    let short: String = short.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((head, rest)) = short.split_once('(') else { return leaf(&short) };
    let inside = rest.strip_suffix(')').expect("closed");
    let (mut depth, mut start, mut children) = (0, 0, Vec::new());
    for (at, c) in inside.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                children.push(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    children.push(&inside[start..]);
    let child = |c: &&str| match c.starts_with(':') {
        true => xml(c),
        false => format!("<subterm>{}</subterm>", xml(c)),
    };
    let body: String = children.iter().map(child).collect();
    match head.split_once('@') {
        Some((name, partition)) => format!("<{name} refpartition='{partition}'>{body}</{name}>"),
        None => format!("<{head}>{body}</{head}>"),
    }
}

fn leaf(name: &str) -> String {
    const CONSTANTS: [&str; 9] = ["a1", "a2", "b1", "b2", "b3", "late", "early", "odd", "even"];
    if let Some(sort) = name.strip_prefix(':') {
        return format!("<usersort declaration='{sort}'/>");
    }
    if name.parse::<u64>().is_ok() {
        return format!("<numberconstant value='{name}'><positive/></numberconstant>");
    }
    if let Some(value) = name.strip_prefix('I') {
        return format!(
            "<finiteintrangeconstant value='{value}'><finiteintrange start='3' end='5'/>\
             </finiteintrangeconstant>"
        );
    }
    match name {
        "dot" => "<dotconstant/>".to_owned(),
        "true" | "false" => format!("<booleanconstant value='{name}'/>"),
        _ if CONSTANTS.contains(&name) => format!("<useroperator declaration='{name}'/>"),
        _ => format!("<variable refvariable='{name}'/>"),
    }
}

/// A net with a place `p` of a sort (line 3) and its marking (line 4), a transition `t` with
/// a guard (line 5) and an arc from `p` (line 6). Everything here is in short.
fn document(sort: &str, initial: &str, guard: &str, arc: &str) -> String {
    format!(
        "<pnml><net id='n' type='http://www.pnml.org/version-2009/grammar/symmetricnet'>\
         <declaration><structure><declarations>\n{DECLARATIONS}</declarations></structure>\
         </declaration><page id='g'><place id='p'><type><structure>\n{}</structure></type>\
         <hlinitialMarking><structure>\n{}</structure></hlinitialMarking></place>\
         <transition id='t'><condition><structure>\n{}</structure></condition></transition>\
         <arc id='arc' source='p' target='t'><hlinscription><structure>\n{}</structure>\
         </hlinscription></arc></page></net></pnml>",
        xml(sort),
        xml(initial),
        xml(guard),
        xml(arc)
    )
}

fn read(text: &str) -> Result<Model, String> {
    let limits = UnfoldLimits::default();
    read_model_from(text.as_bytes(), "f", &limits).map_err(|e| e.to_string())
}

/// The marking of a place of this sort, as `colour*tokens` in the order of the colours.
#[track_caller]
fn marking(sort: &str, initial: &str, expected: &str) {
    // Taking every colour keeps every colour.
    let text = document(sort, initial, "true", &format!("all({sort})"));
    let text = text.replace(
        "</page>",
        "<transition id='put'/><arc id='r' source='put' target='p'>\
        <hlinscription><structure>REST</structure></hlinscription></arc></page>",
    );
    let model = read(&text.replace("REST", &xml(&format!("all({sort})")))).expect(initial);
    let shown = |p: brine_net::Place<'_>| {
        let id = p.id();
        let colour = id.trim_start_matches("p[").trim_end_matches(']');
        format!("{colour}*{}", p.initial)
    };
    let found: Vec<String> = model.net.places().filter(|p| p.initial > 0).map(shown).collect();
    assert_eq!(found.join(" "), expected, "{initial}");
}

/// The bindings of `t` that take from a full place of this sort: `binding:colour*weight+..`.
#[track_caller]
fn bindings(sort: &str, guard: &str, arc: &str, expected: &str) {
    let model = read(&document(sort, &format!("all({sort})"), guard, arc)).expect(arc);
    let mut found = Vec::new();
    for t in model.net.transitions() {
        let weight = |&(p, w): &(brine_net::PlaceId, u32)| {
            let colour = model.net.place(p).id();
            format!("{}*{w}", colour.trim_start_matches("p[").trim_end_matches(']'))
        };
        let taken: Vec<String> = t.pre.iter().map(weight).collect();
        let id = t.id();
        let binding = id.trim_start_matches("t[").trim_end_matches(']');
        found.push(format!("{binding}:{}", taken.join("+")));
    }
    assert_eq!(found.join(" "), expected, "{guard} {arc}");
}

/// A guard over `b` and `c` allows just these pairs.
#[track_caller]
fn allows(guard: &str, expected: &str) {
    let text = document(":AB", "all(:AB)", guard, "add(tuple(a1,b),tuple(a2,c))");
    let model = read(&text).expect(guard);
    let pair = |id: &str| id.trim_start_matches("t[b=b").trim_end_matches(']').replace(",c=b", "");
    let found: Vec<String> = model.net.transitions().map(|t| pair(&t.id())).collect();
    assert_eq!(found.join(" "), expected, "{guard}");
}

#[track_caller]
fn refused(sort: &str, initial: &str, guard: &str, arc: &str, expected: &str) {
    let message = read(&document(sort, initial, guard, arc)).expect_err("must be refused");
    assert!(message.starts_with(&format!("f:{expected}")), "{message}");
    assert!(message.contains("expected"), "{message}");
}

#[test]
fn sorts_and_constants() {
    marking(":A", "a2", "a2*1");
    marking(":B", "all(:B)", "b1*1 b2*1 b3*1");
    marking(":I", "I4", "4*1");
    marking(":I", "all(:I)", "3*1 4*1 5*1");
    marking(":Bool", "add(true,true,false)", "false*1 true*2");
    marking(":D", "dot", "p*1");
    marking(":D", "numberof(7,all(:D))", "p*7");
    marking(":BP", "all(:BP)", "late*1 early*1");
    marking(":BP", "numberof(2,early)", "early*2");
}

#[test]
fn products_of_products() {
    marking(":AB", "tuple(a1,b3)", "a1,b3*1");
    marking(":ABI", "tuple(tuple(a2,b1),I5)", "a2,b1,5*1");
    // Flat and nested tuples are the same.
    marking(":ABI", "tuple(a2,b1,I5)", "a2,b1,5*1");
    marking(":ABI", "tuple(a2,tuple(b1,I5))", "a2,b1,5*1");
    marking(":ABI", "tuple(all(:A),b2,I3)", "a1,b2,3*1 a2,b2,3*1");
    marking(
        ":Deep",
        "tuple(tuple(tuple(a1,b1),I3),tuple(true,tuple(a2,add(b2,numberof(2,b3)))))",
        "a1,b1,3,true,a2,b2*1 a1,b1,3,true,a2,b3*2",
    );
    let all = read(&document(":Deep", "all(:Deep)", "true", "all(:Deep)")).expect("valid");
    assert_eq!(all.net.places().len(), 2 * 3 * 3 * 2 * 2 * 3);
    bindings(":AB", "equality(ab,tuple(a2,b3))", "ab", "ab.1=a2,ab.2=b3:a2,b3*1");
    bindings(":AB", "true", "tuple(a1,l)", "l=b2:a1,b2*1 l=b3:a1,b3*1");
}

#[test]
fn multisets() {
    marking(":A", "empty(:A)", "");
    marking(":A", "add(a1,a2,a1)", "a1*2 a2*1");
    marking(":A", "subtract(all(:A),a1)", "a2*1");
    marking(":A", "subtract(add(a1,a1,a1),a1,a1)", "a1*1");
    // A difference stops at zero, colour by colour.
    marking(":A", "subtract(all(:A),numberof(5,a1))", "a2*1");
    marking(":A", "add(subtract(a2,numberof(5,a1)),a1)", "a1*1 a2*1");
    marking(":A", "numberof(4294967295,a1)", "a1*4294967295");
    marking(":A", "numberof(0,a1)", "");
    marking(":A", "scalarproduct(3,add(a1,numberof(2,a2)))", "a1*3 a2*6");
    marking(":A", "numberof(65535,numberof(65537,a1))", "a1*4294967295");
    marking(
        ":A",
        "subtract(numberof(4294967295,all(:A)),numberof(4294967294,a2))",
        "a1*4294967295 a2*1",
    );
    refused(":A", "numberof(65536,numberof(65536,a1))", "true", "a1", "2:");
    // 2^32 only on the way.
    marking(":A", "subtract(numberof(65536,numberof(65536,a1)),numberof(4294967295,a1))", "a1*1");
    bindings(":A", "true", "numberof(4294967295,a)", "a=a1:a1*4294967295 a=a2:a2*4294967295");
    bindings(":A", "true", "subtract(all(:A),a)", "a=a1:a2*1 a=a2:a1*1");
    bindings(":A", "true", "add(a,numberof(2,a1))", "a=a1:a1*3 a=a2:a1*2+a2*1");
}

#[test]
fn successors_and_predecessors() {
    bindings(":B", "true", "successor(b)", "b=b1:b2*1 b=b2:b3*1 b=b3:b1*1");
    bindings(":B", "true", "predecessor(b)", "b=b1:b3*1 b=b2:b1*1 b=b3:b2*1");
    bindings(":B", "true", "successor(predecessor(b))", "b=b1:b1*1 b=b2:b2*1 b=b3:b3*1");
    marking(":B", "successor(successor(b3))", "b2*1");
    marking(":B", "predecessor(b1)", "b3*1");
    // Not in the standard for these, but in use.
    marking(":I", "add(successor(I5),predecessor(I5))", "3*1 4*1");
    marking(":A", "successor(a2)", "a1*1");
    allows("equality(c,successor(b))", "12 23 31");
    refused(":BP", "late", "true", "successor(late)", "6:1: malformed <successor>");
    refused(":BP", "late", "true", "predecessor(q)", "6:1: malformed <predecessor>");
}

#[test]
fn comparisons_and_connectives() {
    allows("equality(b,c)", "11 22 33");
    allows("inequality(b,c)", "12 13 21 23 31 32");
    allows("lessthan(b,c)", "12 13 23");
    allows("lessthanorequal(b,c)", "11 12 13 22 23 33");
    allows("greaterthan(b,c)", "21 31 32");
    allows("greaterthanorequal(b,c)", "11 21 22 31 32 33");
    allows("equality(tuple(b,c),tuple(b1,b2))", "12");
    allows("inequality(tuple(b,c),tuple(b1,b2))", "11 13 21 22 23 31 32 33");
    allows("false", "");
    allows("and(lessthan(b,c),not(equality(b,b1)))", "23");
    allows("not(and(lessthan(b,c),not(equality(b,b1))))", "11 12 13 21 22 31 32 33");
    allows("imply(equality(b,b1),equality(c,b1))", "11 21 22 23 31 32 33");
    allows("not(imply(equality(b,b1),equality(c,b1)))", "12 13");
    allows("imply(imply(equality(b,b1),equality(c,b1)),false)", "12 13");
    allows(
        "or(and(equality(b,b1),or(equality(c,b1),equality(c,b3))),equality(b,c))",
        "11 13 22 33",
    );
    allows(
        "and(or(equality(b,b1),equality(b,b2)),imply(equality(b,b2),not(equality(c,b2))))",
        "11 12 13 21 23",
    );
    allows(
        "or(not(or(equality(b,b1),equality(b,b2))),and(true,equality(b,c),true))",
        "11 22 31 32 33",
    );
    bindings(":I", "lessthan(i,I5)", "i", "i=3:3*1 i=4:4*1");
    bindings(":I", "and(greaterthan(i,I3),lessthanorequal(i,I5))", "i", "i=4:4*1 i=5:5*1");
    bindings(":Bool", "t", "t", "t=true:true*1");
    bindings(":Bool", "not(t)", "t", "t=false:false*1");
    bindings(":Bool", "imply(t,equality(t,false))", "t", "t=false:false*1");
}

#[test]
fn parts_of_a_partition() {
    // In a condition: which part, and the order of the parts (late is declared first).
    allows("equality(partitionelementof@BP(b),partitionelementof@BP(c))", "11 22 23 32 33");
    allows("ltp(partitionelementof@BP(b),partitionelementof@BP(c))", "21 31");
    allows("gtp(partitionelementof@BP(b),partitionelementof@BP(c))", "12 13");
    allows("and(equality(b,c),equality(partitionelementof@BP(b),late))", "22 33");
    allows("and(equality(b,c),gtp(partitionelementof@BP(b),late))", "11");
    bindings(":I", "equality(partitionelementof@IP(i),odd)", "i", "i=3:3*1 i=5:5*1");
    // As a colour.
    bindings(":BP", "true", "q", "q=late:late*1 q=early:early*1");
    bindings(":BP", "true", "partitionelementof@BP(b)", "b=b1:early*1 b=b2:late*1 b=b3:late*1");
    // As a sort.
    marking(":B", "all(:late)", "b2*1 b3*1");
    bindings(":B", "true", "l", "l=b2:b2*1 l=b3:b3*1");
    bindings(":B", "equality(l,b)", "add(l,b)", "l=b2,b=b2:b2*2 l=b3,b=b3:b3*2");
    // Orders of parts are for parts.
    refused(":A", "a1", "ltp(b,c)", "a1", "5:1: malformed <ltp>, expected two parts");
    refused(":A", "a1", "gtp(I3,I4)", "a1", "5:1: malformed <gtp>, expected two parts");
    refused(
        ":A",
        "a1",
        "equality(partitionelementof@IP(b),odd)",
        "a1",
        "5:20: this is of sort B, expected one of sort 3..5",
    );
}

/// The contest's case: constants of a class with a partition keep the sort of the class, and
/// a part where the class is expected stands for its constants.
#[test]
fn parts_stand_for_their_constants() {
    marking(":AB", "tuple(a1,b3)", "a1,b3*1");
    bindings(":AB", "true", "tuple(a2,successor(b2))", "t:a2,b3*1");
    marking(":AB", "tuple(a1,add(late,early))", "a1,b1*1 a1,b2*1 a1,b3*1");
    marking(":AB", "add(tuple(a1,late),tuple(a2,early))", "a1,b2*1 a1,b3*1 a2,b1*1");
    marking(":AB", "tuple(a1,all(:BP))", "a1,b1*1 a1,b2*1 a1,b3*1");
    marking(":AB", "tuple(a1,empty(:BP))", "");
    marking(":B", "late", "b2*1 b3*1");
    marking(":B", "add(late,b1,b2)", "b1*1 b2*2 b3*1");
    marking(":B", "subtract(all(:B),late)", "b1*1");
    marking(":B", "numberof(3,subtract(add(late,early),b3))", "b1*3 b2*3");
    marking(":ABI", "tuple(tuple(a1,late),odd)", "a1,b2,3*1 a1,b2,5*1 a1,b3,3*1 a1,b3,5*1");
    marking(":ABI", "tuple(a1,tuple(numberof(2,early),subtract(odd,I3)))", "a1,b1,5*2");
    marking(":ABI", "tuple(a1,b1,add(odd,odd,even))", "a1,b1,3*2 a1,b1,4*1 a1,b1,5*2");
    marking(":ABI", "tuple(add(a1,a1),late,add(even,even))", "a1,b2,4*4 a1,b3,4*4");
    bindings(":AB", "true", "tuple(a,late)", "a=a1:a1,b2*1+a1,b3*1 a=a2:a2,b2*1+a2,b3*1");
    bindings(
        ":AB",
        "true",
        "subtract(tuple(a1,late),tuple(a1,b))",
        "b=b1:a1,b2*1+a1,b3*1 b=b2:a1,b3*1 b=b3:a1,b2*1",
    );
    // Where parts are expected, a part is a part.
    marking(":BP", "add(late,late)", "late*2");
    // Not guessed.
    refused(
        ":AB",
        "all(:AB)",
        "true",
        "tuple(a,q)",
        "6:1: this is of sort A x BPartition, expected one of sort A x B (a part stands",
    );
    refused(
        ":AB",
        "all(:AB)",
        "true",
        "tuple(a,partitionelementof@BP(b))",
        "6:1: this is of sort A x BPartition, expected one of sort A x B (a part stands",
    );
    refused(
        ":A",
        "a1",
        "equality(b,late)",
        "a1",
        "5:1: this is of sort BPartition, expected one of sort B (a part stands",
    );
    refused(":BP", "b1", "true", "late", "4:1: this is of sort B, expected one of sort BPartition");
    refused(":BP", "add(late,b1)", "true", "late", "4:1: this is of sort B, expected");
    refused(
        ":AB",
        "tuple(a1,odd)",
        "true",
        "ab",
        "4:1: this is of sort A x IPartition, expected one of sort A x B",
    );
}

/// What the standard's grammar has and these nets cannot use.
#[test]
fn constructs_that_are_refused() {
    let with = |old: &str, new: &str| {
        let text = document(":A", "a1", "true", "a").replacen(old, new, 1);
        read(&text).expect_err("must be refused")
    };
    let arc = |new: &str| with("<variable refvariable='a'/>", new);
    let start = |message: String, expected: &str| {
        assert!(message.starts_with(expected), "{message}");
        assert!(message.contains("expected"), "{message}");
    };
    start(arc("<unparsed>a + 1</unparsed>"), "f:6:1: <unparsed> is text that only the tool");
    start(arc("<cardinality><subterm/></cardinality>"), "f:6:1: <cardinality> asks about");
    start(arc("<cardinalityof/>"), "f:6:1: <cardinalityof> asks about a multiset");
    start(arc("<contains/>"), "f:6:1: <contains> asks about a multiset");
    start(arc("<namedoperator id='f'/>"), "f:6:1: <namedoperator> belongs to high-level nets");
    start(arc("<stringconstant/>"), "f:6:1: <stringconstant> is not known in a symmetric net");
    start(
        with("<usersort declaration='A'/></structure>", "<multisetsort/></structure>"),
        "f:3:1: <multisetsort>: places hold colours",
    );
    start(
        with("<namedsort id='A'", "<arbitrarysort id='Z'/><namedsort id='A'"),
        "f:2:1: <arbitrarysort> belongs to high-level nets",
    );
    start(
        with(
            "<productsort><usersort declaration='A'/>",
            "<productsort><usersort declaration='late'/>",
        ),
        "f:2:",
    );
}
