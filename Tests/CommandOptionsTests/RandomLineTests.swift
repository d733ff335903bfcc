import CommandOptions
import TestSupport
import Testing

@Suite("Command lines drawn at random")
struct RandomLineTests {
    /// One way to give a value, and what it then is.
    private struct Given {
        var words: [String]
        let check: (ParsedArguments) -> Bool
    }

    private func given(by generator: inout SplitMix64) -> [Given] {
        let folder = ["/srv", "a b", "x=y", "ü", "0", "."].randomElement(using: &generator) ?? ""
        let forms = [
            ["--data", folder], ["--data=\(folder)"], ["-d", folder], ["-d\(folder)"], ["-d=\(folder)"],
        ]
        let world = SampleWorld.allCases.randomElement(using: &generator) ?? .sandbox
        let isVerbose = Bool.random(using: &generator)
        let all = [
            Given(words: forms.randomElement(using: &generator) ?? []) { $0[SampleOptions.data] == folder },
            Given(words: ["-e", world.rawValue]) { $0[SampleOptions.world] == world },
            Given(words: ["--verbose=\(isVerbose)"]) { $0[SampleOptions.verbose] == isVerbose },
            Given(words: ["--json"]) { $0[StandardOptions.json] },
            Given(words: [["--der"], ["--pem"]].randomElement(using: &generator) ?? []) {
                $0[SampleOptions.der] != $0[SampleOptions.pem]
            },
        ]
        return all.shuffled(using: &generator).filter { _ in Bool.random(using: &generator) }
    }

    @Test("Options mean the same in every form and order")
    func forms() throws {
        var generator = RandomizedRun.generator(named: "CommandOptions forms")
        for _ in 0..<RandomizedRun.cases(500) {
            let given = given(by: &generator)
            let words = ["keys", "init"] + given.flatMap(\.words)
            let arguments = try #require(Outcome(words: words).arguments, "\(words) TILL_SEED=\(RandomizedRun.seed)")
            for (index, value) in given.enumerated() {
                #expect(value.check(arguments), "\(words), value \(index), TILL_SEED=\(RandomizedRun.seed)")
            }
        }
    }

    @Test("Any words at all give a command, a text or an error, always the same, and nothing unprintable")
    func anything() {
        let pieces = [
            "-", "--", "=", "d", "data", "e", "h", "help", "t", "tag", "7", "\u{301}", "\u{FFFD}", " ", ",", "\u{1B}",
            "keys",
            "init", "rotate", "import", "open", "--owner=x", "\u{0}", "production", "json",
        ]
        var generator = RandomizedRun.generator(named: "CommandOptions anything")
        for _ in 0..<RandomizedRun.cases(2_000) {
            let words = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                (0..<Int.random(in: 0...4, using: &generator))
                    .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            let outcome = Outcome(words: words)
            let again = Outcome(words: words)
            let answers = [outcome.invocation != nil, outcome.text != nil, outcome.error != nil]
            #expect(answers.filter { $0 }.count == 1, "\(words) TILL_SEED=\(RandomizedRun.seed)")
            #expect(outcome.error == again.error && outcome.text == again.text)
            let printed = outcome.error?.description ?? ""
            let isClean = printed.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
            #expect(isClean, "\(words) TILL_SEED=\(RandomizedRun.seed)")
        }
    }

    @Test("After two dashes every word arrives as it is")
    func rest() throws {
        var generator = RandomizedRun.generator(named: "CommandOptions rest")
        let pieces = ["-", "--", "x", "=", "--json", "-h", "é", "1"]
        for _ in 0..<RandomizedRun.cases(300) {
            let words = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                (1...3).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            }
            let arguments = try #require(Outcome(words: ["import", "--", "a", "1"] + words).arguments, "\(words)")
            #expect(arguments[SampleOptions.more] == words)
        }
    }
}
