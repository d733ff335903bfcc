import Testing

@testable import CommandOptions

@Suite("Text of unknown origin on a terminal")
struct PrintableTextTests {
    @Test("Letters, marks, digits and signs of all scripts stay as they are")
    func harmless() {
        for text in ["plain", "Grüße, 世界", "a\u{301}", "€ 1,99 — “ok”", "👩🏽", ""] {
            #expect(PrintableText(text).description == text)
        }
    }

    @Test(
        "What moves the cursor, hides or turns text is shown as its number",
        arguments: [
            ("\u{1B}[2J", #"\u{1B}[2J"#), ("a\nb", #"a\u{A}b"#), ("\u{7F}", #"\u{7F}"#), ("\u{9B}31m", #"\u{9B}31m"#),
            ("\u{202E}abc", #"\u{202E}abc"#), ("\u{2066}", #"\u{2066}"#), ("\u{200B}", #"\u{200B}"#),
            ("\u{2028}", #"\u{2028}"#), ("\u{E000}", #"\u{E000}"#), ("\u{FEFF}x", #"\u{FEFF}x"#), ("\u{0}", #"\u{0}"#),
        ])
    func harmful(text: String, shown: String) {
        #expect(PrintableText(text).description == shown)
    }

    @Test("Long text is cut, by scalars, so that no single character can be long")
    func long() {
        #expect(PrintableText("abcdef", limit: 3).description == "abc…")
        #expect(PrintableText("abc", limit: 3).description == "abc")
        let piled = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(PrintableText(piled).description.unicodeScalars.count == 81)
    }
}
