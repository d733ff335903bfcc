import StoreModel
import StoreRules
import TestSupport
import Testing

@Suite("What differs between two texts, word by word")
struct WordDifferenceTests {
    @Test("Words that were added and taken away are told apart from those that stayed")
    func words() {
        let added = WordDifference(
            from: "Ten credits every month.", to: "Ten credits and a golden banana, every month.")
        #expect(added.pieces == [.same("Ten credits "), .added("and a golden banana, "), .same("every month.")])
        let replaced = WordDifference(from: "The old title", to: "The new title")
        #expect(replaced.pieces == [.same("The "), .removed("old"), .added("new"), .same(" title")])
        // Words that are replaced one after another are one change.
        let run = WordDifference(from: "a b c d", to: "a x y d")
        #expect(run.pieces == [.same("a "), .removed("b c"), .added("x y"), .same(" d")])
    }

    @Test("An amount, a version and a date are compared whole")
    func numbers() {
        let price = WordDifference(from: "It costs 2.29 USD.", to: "It costs 1.29 USD.")
        #expect(price.pieces == [.same("It costs "), .removed("2.29"), .added("1.29"), .same(" USD.")])
        let date = WordDifference(from: "2027-01-01, 1.0", to: "2027-02-01, 1.0")
        #expect(date.pieces == [.removed("2027-01-01"), .added("2027-02-01"), .same(", 1.0")])
    }

    @Test("A script without spaces is compared character by character")
    func japanese() {
        let found = WordDifference(from: "毎月十枚", to: "毎月二十枚")
        #expect(found.pieces == [.same("毎月"), .added("二"), .same("十枚")])
    }

    @Test("Nothing, one text alone, and the same text")
    func edges() {
        #expect(WordDifference(from: "", to: "").pieces.isEmpty)
        #expect(WordDifference(from: "", to: "new").pieces == [.added("new")])
        #expect(WordDifference(from: "old", to: "").pieces == [.removed("old")])
        let same = WordDifference(from: "a b", to: "a b")
        #expect(same.isEmpty && same.pieces == [.same("a b")])
        #expect(!WordDifference(from: "a b", to: "a  b").isEmpty)
    }

    /// Fails if a piece is lost, doubled or put on the wrong side, whatever the texts are.
    @Test("What stayed and was removed is the old text, what stayed and was added the new one")
    func applied() {
        var random = SplitMix64(seed: 36)
        let words = ["a", "b", "Banane", "é", "-", ".", " ", "  ", "\n", "金", "👩‍👩‍👧", "10", "<b>"]
        for _ in 0..<400 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...24, using: &random)).map { _ in
                    words[Int.random(in: 0..<words.count, using: &random)]
                }.joined()
            }
            for limit in [WordDifference.limit, 20] {
                let found = WordDifference(from: texts[0], to: texts[1], limit: limit)
                #expect(found.old == texts[0] && found.new == texts[1], "\(texts)")
                #expect(found.isEmpty == (texts[0] == texts[1]))
                #expect(!found.pieces.contains { $0.text.isEmpty })
            }
        }
    }

    @Test("Texts that are too long to be compared are replaced as far as they differ")
    func limited() {
        let (old, new) = ("start a b c end", "start x y z end")
        let found = WordDifference(from: old, to: new, limit: 3)
        #expect(found.pieces.first == .same("start ") && found.pieces.last == .same(" end"))
        #expect(found.old == old && found.new == new)
    }
}
