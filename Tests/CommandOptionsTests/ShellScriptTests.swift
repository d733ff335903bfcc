import CommandOptions
import Testing

@Suite("A script for a shell")
struct ShellScriptTests {
    private func words(_ text: String) -> [[String]] { ShellScript(text).commands.map(\.words) }

    @Test("Each command has its words, whatever joins them to the next one")
    func joined() {
        let pieces = [["a", "1"], ["b"], ["c"], ["d"], ["e"]]
        #expect(words("a 1 && b || c; d | e &") == pieces)
        #expect(words("a 1\n  b\n\n\tc # d\nd \\\n\n(e)") == pieces)
        #expect(words("if a 1; then b; else c; fi\n! d\nexec e") == [["a", "1"], ["b"], ["c"], ["fi"], ["d"], ["e"]])
    }

    @Test("Quotes belong to the shell, and so do backslashes")
    func quotes() {
        #expect(words(#"a 'b c'd "e 'f' \"g\"" h\ i '' "#) == [["a", "b cd", "e 'f' \"g\"", "h i", ""]])
        #expect(words("a 'b # c' d#e") == [["a", "b # c", "d#e"]])
        #expect(words("a \\\n  b") == [["a", "b"]])
        #expect(words("a 'never ended") == [["a", "never ended"]])
    }

    @Test("What a command is substituted from is a command of its own")
    func substitutions() {
        #expect(words(#"a "$(b "$c")" `d e`"#) == [["b", "$c"], ["d", "e"], ["a", "$()", "$()"]])
        #expect(words("source <(a b)") == [["a", "b"], ["source", "$()"]])
        #expect(words("a=$(b c) d $a ${e:-f g}") == [["b", "c"], ["d", "$a", "${e:-f g}"]])
        let deep = String(repeating: "$(", count: 100_000)
        #expect(words("a \(deep)").last?.first == "a")
    }

    @Test("Redirections and here-documents are no words")
    func redirections() {
        #expect(words("a 1 >b 2>&1 2> c <d <<< e 3") == [["a", "1", "3"]])
        #expect(words("a <<END b\nc d\nEND\ne") == [["a", "b"], ["e"]])
    }

    @Test("Variables of one command are told apart from its words")
    func variables() {
        let command = ShellScript("A=1 B_C='2 3' env D=4 a E=5").commands.first
        #expect(command?.variables == ["A": "1", "B_C": "2 3", "D": "4"])
        #expect(command?.words == ["a", "E=5"])
    }

    @Test("A program finds what it does not understand of it, and on which line")
    func mistakes() {
        func mistakes(_ text: String) -> [String] {
            SampleProgram.program.mistakes(in: ShellScript(text)).map {
                "\($0.line) \($0.error.code) \($0.error.subject)"
            }
        }
        let script = """
            shop keys init --environment sandbox && other --what
            shop keys shwo
            result=$(shop open --der --json | jq .)
            ./bin/shop import
            shop import --tag "$WORD" file.txt $COUNT; shop import file $COUNT --no
            shop keys rotate
            SHOP_X=1 TILL_OWNER=me shop keys rotate
            shop import file 99
            """
        #expect(
            mistakes(script) == [
                "2 unknown-command shwo", "4 missing-argument FILE", "5 unknown-option --no",
                "6 missing-option --owner",
                "8 invalid-value COUNT",
            ])
    }
}
