import Testing

@testable import StoreModel

@Suite("Reading short texts")
struct TextReaderTests {
    @Test("Pieces are consumed one after another, and nothing else is")
    func pieces() {
        var reader = TextReader("P12-ab")
        let otherLetter = reader.skip("Q")
        let letter = reader.skip("P")
        let number = reader.number(digits: 2)
        let hyphen = reader.skip("-")
        let longerText = reader.skip(text: "abc")
        #expect((otherLetter, letter, hyphen, longerText) == (false, true, true, false))
        #expect(number == 12)
        #expect(!reader.isAtEnd)
        let text = reader.skip(text: "ab")
        let afterEnd = reader.digit()
        #expect(text)
        #expect(afterEnd == nil)
        #expect(reader.isAtEnd)
    }

    @Test(
        "A number of fixed length takes leading zeros, but no fewer digits",
        arguments: [("007x", 7), ("123", 123), ("12", nil), ("12x", nil), ("-12", nil), ("", nil)])
    func fixedNumbers(text: String, number: Int?) {
        var reader = TextReader(text)
        let read = reader.number(digits: 3)
        #expect(read == number)
    }

    @Test(
        "A free number has no leading zeros and fits 64 bits",
        arguments: [
            ("0", 0), ("7", 7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil), ("00", nil),
            ("", nil), ("-1", nil),
        ])
    func freeNumbers(text: String, number: Int64?) {
        var reader = TextReader(text)
        let read = reader.number()
        #expect(read == number)
    }

    @Test("Parts of a longer text are read like texts of their own")
    func substrings() {
        var reader = TextReader("2025-12"[...].dropFirst(5))
        let read = reader.number(digits: 2)
        #expect(read == 12)
        #expect(reader.isAtEnd)
    }
}
