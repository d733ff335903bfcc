import Testing

@Suite("Parting a source into code, comments and literals")
struct SourceScannerTests {
    private func code(_ text: String, _ language: SourceScanner.Language = .swift) -> [String] {
        SourceScanner.scan(text, language: language).lines.map(\.trimmedCode)
    }

    private func comments(_ text: String) -> [String] {
        SourceScanner.scan(text).lines.map(\.trimmedComment)
    }

    private func literals(_ text: String) -> [String] {
        SourceScanner.scan(text).lines.map(\.literal.trimmingSpaces)
    }

    @Test("Comments end with their line, or with their own sign")
    func comments() {
        #expect(code("a // b\nc") == ["a", "c"])
        #expect(code("a /* b\n c */ d") == ["a", "d"])
        #expect(comments("a /* b\n c */ d // e") == ["/* b", "c */   // e"])
        #expect(code("a /* b /* c */ d */ e") == ["a                   e"])
        #expect(code("a /* b /* c */ d", .c) == ["a              d"])
        #expect(code("a /* never closed") == ["a"])
    }

    @Test("The text of a string is no code, its quotes are")
    func strings() {
        #expect(code(#"a "b // c" d"#) == [#"a "      " d"#])
        #expect(literals(#"a "b // c" d"#) == ["b // c"])
        #expect(code(#"a "b \" c" d"#) == [#"a "      " d"#])
        #expect(code(#"a "" b"#) == [#"a "" b"#])
        #expect(code("a \"never closed\nb") == ["a \"", "b"])
    }

    @Test("A raw string ends with as many signs as it began with")
    func rawStrings() {
        #expect(code(##"a #"b " c \" d"# e"##) == [##"a #"          "# e"##])
        #expect(code(##"a #"""# e"##) == [##"a #" "# e"##])
        #expect(literals(##"#"x \#(y) \(z)"#"##) == [##"x \#    \(z)"##])
    }

    @Test("A multi-line string ends with three quotes")
    func multilineStrings() {
        let text = "a = \"\"\"\n  b \"c\" // d\n  \"\"\" + e"
        #expect(code(text) == ["a = \"\"\"", "", "\"\"\" + e"])
        #expect(literals(text) == ["", "b \"c\" // d", ""])
    }

    @Test("An interpolation is code, however deep")
    func interpolations() {
        #expect(code(#""a \(b) c""#) == [#""   (b)  ""#])
        #expect(code(#""a \(b("c \(d)", (e))) f" g"#) == [#""   (b("   (d)", (e)))  " g"#])
        #expect(code("\"\"\"\n\\(a) b\n\"\"\"")[1] == "(a)")
    }

    @Test("Regular expressions are literals, divisions are not")
    func regularExpressions() {
        #expect(code(#"let a = /"b/ + c"#) == ["let a =      + c"])
        #expect(code(#"let a = #/"b/c/# + d"#) == ["let a =          + d"])
        #expect(code("a / b / c") == ["a / b / c"])
        #expect(code("let a = (b + c) / d /* e */") == ["let a = (b + c) / d"])
        #expect(code("reduce(1, /)") == ["reduce(1, /)"])
    }

    @Test("Characters of C are literals")
    func characters() {
        #expect(code(#"a = '"'; b = '\''; // c"#, .c) == ["a = ' '; b = '  ';"])
    }

    @Test("Nothing is lost: the parts add up to the text")
    func parts() {
        let text = "let é = \"ü\\(x)\" // ö\n/* ä */ let b = #\"\"\"\n raw\n \"\"\"#\n"
        for line in SourceScanner.scan(text).lines {
            let bytes = zip(zip(line.code.utf8, line.comment.utf8), line.literal.utf8).map { max($0.0, $0.1, $1) }
            #expect(String(decoding: bytes, as: UTF8.self) == line.text)
        }
    }

    @Test("Tokens know their line, their depth and their neighbour")
    func tokens() {
        let tokens = SourceScanner.scan("a {\n  b! c\n}").tokens
        #expect(tokens.map(\.text) == ["a", "{", "b", "!", "c", "}"])
        #expect(tokens.map(\.line) == [1, 1, 2, 2, 2, 3])
        #expect(tokens.map(\.depth) == [0, 0, 1, 1, 1, 0])
        #expect(tokens.map(\.isAttached) == [false, false, false, true, false, false])
    }

    @Test("Declarations of types are told from other uses of the words")
    func declarations() {
        let text = """
            public final class A { struct B {} }
            class func c() {}
            import struct D.E
            func f(_ g: any H.Type = X.self) where Y: class {}
            package typealias I = Int
            actor J: K {}

            """
        let found = TypeDeclaration.all(in: SourceScanner.scan(text))
        #expect(found.map(\.name) == ["A", "B", "I", "J"])
        #expect(found.map(\.isTopLevel) == [true, false, true, true])
        #expect(found.map(\.isPublic) == [true, false, false, false])
    }
}
