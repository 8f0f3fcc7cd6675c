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
    let mut xml = XmlReader::new("<a> \n x&lt;<!-- c --><b>no</b><![CDATA[&y]]></a>".as_bytes());
    assert!(matches!(xml.next(), Ok(Token::Start(_))));
    let mut text = String::new();
    let at = xml.read_text(&mut text).expect("well-formed");
    assert_eq!(text, " \n x<&y");
    assert_eq!(at, Position { line: 2, column: 2 });
    assert!(matches!(xml.next(), Ok(Token::Eof)));
}
