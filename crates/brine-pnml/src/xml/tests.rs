use super::*;

#[test]
fn a_token_too_long_is_refused() {
    // A comment of endless spaces; the reader must give up, not fill the memory.
    let input = std::io::Read::chain("<a>\n<!--".as_bytes(), std::io::repeat(b' '));
    let mut xml = XmlReader::new(input);
    assert!(matches!(xml.next(), Ok(Token::Start(_))));
    assert!(matches!(xml.next(), Ok(Token::Text(..))));
    let error = xml.next().expect_err("endless");
    assert_eq!(error.message, "this markup is longer than 64 MiB, expected smaller pieces");
    assert_eq!(error.at.line, 2);
}

#[test]
fn text_is_collected_over_pieces() {
    let mut xml = XmlReader::new("<a> \n x&lt;<!-- c --><![CDATA[&y]]></a>".as_bytes());
    assert!(matches!(xml.next(), Ok(Token::Start(_))));
    let mut text = String::new();
    let at = xml.read_text(&mut text).expect("well-formed");
    assert_eq!(text, " \n x<&y");
    assert_eq!(at, Position { line: 2, column: 2 });
    assert!(matches!(xml.next(), Ok(Token::Eof)));
}

#[test]
fn no_element_hides_in_a_text() {
    let mut xml = XmlReader::new("<a>1<b>2</b></a>".as_bytes());
    assert!(matches!(xml.next(), Ok(Token::Start(_))));
    let error = xml.read_text(&mut String::new()).expect_err("an element");
    assert_eq!(error.to_string(), "1:5: <b> in a text, expected none");
}

#[test]
fn attributes_are_asked_for_or_decoration_or_refused() {
    let read = |text: &str| {
        let mut xml = XmlReader::new(text.as_bytes());
        let Token::Start(tag) = xml.next().expect("a tag") else { panic!("a tag") };
        let found = tag.attributes(["id", "ref"], &["x"]).map(|v| v.map(|v| v.is_some()));
        found.map_err(|e| e.to_string())
    };
    assert_eq!(read("<a/>"), Ok([false, false]));
    assert_eq!(read("<a x='1' xmlns='u' xmlns:b='u' xml:lang='en' id=''/>"), Ok([true, false]));
    assert_eq!(
        read("<a id='1'\n  weight='5'/>"),
        Err("2:3: unknown attribute weight=\"5\" of <a>, expected only id and ref (in this kind \
             of net, the weight of an arc is written <inscription><text>N</text></inscription>)"
            .to_owned())
    );
    for unknown in ["xmlnsfoo", "b:id", "xml:id", "Id", "X", "xml"] {
        let error = read(&format!("<a {unknown}='1'/>")).expect_err(unknown);
        assert!(error.starts_with("1:4: unknown attribute"), "{error}");
    }
}
