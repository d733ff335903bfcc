import Testing

@testable import CommandOptions

@Suite("Text set into lines")
struct TextColumnTests {
    @Test("Lines are as full as words allow")
    func wrapping() {
        let column = TextColumn(width: 10)
        #expect(column.lines(of: "one two three four") == ["one two", "three four"])
        #expect(column.lines(of: "1234567890 1") == ["1234567890", "1"])
        #expect(column.lines(of: "  spaces\n and\tlines  ") == ["spaces and", "lines"])
        #expect(column.lines(of: "") == [])
    }

    @Test("A word longer than a line has one of its own")
    func longWord() {
        #expect(TextColumn(width: 4).lines(of: "a abcdefgh b") == ["a", "abcdefgh", "b"])
        #expect(TextColumn(width: 0).lines(of: "a b") == ["a", "b"])
        #expect(TextColumn(width: -5).lines(of: "a b") == ["a", "b"])
    }

    @Test("Pieces stay whole")
    func pieces() {
        #expect(TextColumn(width: 12).lines(of: ["[--data DIR]", "FILE", "[N]"]) == ["[--data DIR]", "FILE [N]"])
    }

    @Test("Width is counted in characters, not in bytes")
    func characters() {
        #expect(TextColumn(width: 7).lines(of: "äöü äöü äöü") == ["äöü äöü", "äöü"])
    }

    @Test("Paragraphs keep their distance, indented ones their lines")
    func paragraphs() {
        let text = """

            one
            two

              kept
                as it is


            three four five
            """
        #expect(
            TextColumn(width: 10).paragraphs(of: text)
                == ["one two", "", "  kept", "    as it is", "", "three four", "five"])
        #expect(TextColumn(width: 10).paragraphs(of: "") == [])
        #expect(TextColumn(width: 10).paragraphs(of: "\n\n") == [])
    }
}
