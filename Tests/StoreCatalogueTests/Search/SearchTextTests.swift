import Testing

@testable import StoreCatalogue

@Suite("The words of a search")
struct SearchTextTests {
    @Test(
        "Case, diacritics, widths and apostrophes make no difference",
        arguments: [
            ("iBooks", "ibooks"), ("Beyoncé", "beyonce"), ("ＡＢＣ１２", "abc12"), ("Straße", "strasse"), ("Ærø", "aero"),
            ("İstanbul", "istanbul"), ("Ёлка", "елка"), ("Ωμέγας", "ωμεγασ"), ("ガラス", "がらす"), ("ｶﾞﾗｽ", "がらす"),
            ("ﬁlm", "film"), ("Łódź", "lodz"), ("한국어", "한국어"), ("Don’t", "don’t"),
        ])
    func folding(text: String, folded: String) {
        #expect(SearchText.folded(text) == folded)
    }

    @Test(
        "Words end at spaces and signs; an apostrophe does not end one",
        arguments: [
            ("Dot and the Kangaroo", ["dot", "and", "the", "kangaroo"]),
            ("Don't stop-me/now!", ["dont", "stop", "me", "now"]),
            ("", []), (" ★ — ", []), ("C++ 11", ["c", "11"]), ("हिन्दी गीत", ["हिन्दी", "गीत"]),
            ("O\u{0}R \"x\" *", ["o", "r", "x"]),
        ])
    func words(text: String, words: [String]) {
        #expect(SearchText.words(of: text) == words)
    }

    @Test("Characters of scripts without spaces are kept in pairs, and the last alone")
    func pairs() {
        #expect(SearchText.words(of: "東京物語") == ["東京", "京物", "物語", "語"])
        #expect(SearchText.words(of: "東") == ["東"])
        #expect(SearchText.words(of: "iBooks日本 版") == ["ibooks", "日本", "本", "版"])
        #expect(SearchText.pieces(of: "ネコ") == [.characters(["ね", "こ"])])
    }

    @Test("Long words and long texts are cut at their limits")
    func limits() {
        let long = SearchText.words(of: String(repeating: "x", count: 5_000))
        #expect(long.map(\.count) == [SearchText.longestWord])
        #expect(SearchText.words(of: String(repeating: "a ", count: 5_000)).count == SearchText.mostWords)
        #expect(SearchText.words(of: String(repeating: "語", count: 5_000)).count <= 2 * SearchText.mostWords)
    }

    @Test("A spelling is of letters and digits of ASCII in every script")
    func spelling() {
        #expect(SearchText.spelling(of: "kangaroo") == "kangaroo")
        let russian = SearchText.spelling(of: "москва")
        #expect(!russian.isEmpty && russian.utf8.allSatisfy { $0 < 0x80 })
        #expect(SearchText.spelling(of: "москве") != russian)
    }

    @Test("Names that differ only in what makes no difference have one key")
    func keys() {
        #expect(SearchText.key(of: "  DOT — and the Kangaroo! ") == "dot and the kangaroo")
        #expect(SearchText.key(of: "東京・物語") == "東京 物語")
    }
}
