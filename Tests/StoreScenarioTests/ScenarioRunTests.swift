import StoreFoundation
import Synchronization
import TestSupport
import Testing

@testable import StoreScenario

@Suite("A run of a scenario (X8)")
struct ScenarioRunTests {
    /// Commands that answer as they are told to.
    private final class Answers: ScenarioCommands {
        private let answers: Mutex<[ScenarioAnswer]>
        private let asked = Mutex<[[String]]>([])
        private let hangs: Bool

        init(_ answers: [ScenarioAnswer], hangs: Bool = false) {
            self.answers = Mutex(answers)
            self.hangs = hangs
        }

        var words: [[String]] { asked.withLock { $0 } }

        func complaint(about words: [String]) -> ScenarioComplaint? {
            words.contains { $0.hasPrefix("--wrong") }
                ? ScenarioComplaint(word: "--wrong", "there is no option --wrong") : nil
        }

        func answer(to words: [String]) async -> ScenarioAnswer {
            asked.withLock { $0.append(words) }
            if hangs {
                // Takes no notice of being cancelled for a while, as a call of C does.
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                Task.detached {
                    try? await Task.sleep(for: .milliseconds(300))
                    continuation.finish()
                }
                for await _ in stream {}
            }
            return answers.withLock { $0.isEmpty ? .output([]) : $0.removeFirst() }
        }
    }

    private func json(_ text: String) -> ScenarioAnswer { .output(Array(text.utf8)) }

    private func run(_ text: String, _ answers: Answers, time: Duration = .seconds(60)) async throws -> ScenarioReport {
        var run = ScenarioRun(try Scenario(Array(text.utf8), named: "a.till"), answers, commandTime: time)
        return await run.run()
    }

    @Test("Values that were captured stand in commands and in expectations", .bounded)
    func captures() async throws {
        let answers = Answers([
            json(#"{"id": "7", "at": 12}"#), json(#"{"items": [{"id": "6"}, {"id": "7", "at": 13}]}"#),
        ])
        let report = try await run(
            """
            till a
            let id = .id
            let at = .at
            till b --id=$id "x $at"
            expect .items[.id == $id] count 1
            expect .items[.id == $id][0].at > $at
            """, answers)
        #expect(report.fault == nil)
        #expect(report.passed)
        #expect(answers.words == [["till", "a"], ["till", "b", "--id=7", "x 12"]])
        #expect(report.steps.map(\.line) == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        "What does not hold says what there was",
        arguments: [
            (#".a == 2"#, ".a: expected == 2, found 1"), (#".a != 1.0"#, ".a: expected != 1.0, found 1"),
            (#".a > 1"#, ".a: expected > 1, found 1"),
            (#".b == 1"#, ".b: there is no .b: . has no member b; it has a, l, s"),
            (#".l count 3"#, ".l: expected 3 elements, found 2: [1, \"x\"]"),
            (#".l[2] exists"#, ".l[2]: there is no .l[2]: .l has 2 elements"),
            (#".l contains "y""#, ".l: expected contains \"y\", found [1, \"x\"]"),
            (#".s contains "xy""#, ".s: expected contains \"xy\", found \"axb\""),
            (#".a missing"#, ".a: expected nothing, found 1"),
            (#".s.t exists"#, ".s.t: there is no .s.t: .s is a text, which has no members"),
            (#".s < 1"#, ".s: expected a number, found \"axb\""),
            (#".a contains 1"#, ".a: expected a list or a text, found 1"),
        ])
    func failures(_ expectation: String, _ message: String) async throws {
        let answers = Answers([json(#"{"a": 1, "l": [1, "x"], "s": "axb"}"#)])
        let report = try await run("till a\nexpect \(expectation)\ntill b", answers)
        #expect(report.fault.map { "\($0)" } == "a.till:2:8: \(message)")
        #expect(!report.passed)
        // Nothing is run behind it.
        #expect(answers.words == [["till", "a"]])
    }

    @Test(
        "What holds, holds",
        arguments: [
            #".a == 1"#, #".a == 1.0"#, #".a >= 1"#, #".l[-1] == "x""#, #".l contains "x""#, #".s contains "xb""#,
            #".b missing"#,
            #".n == null"#, #".n exists"#, #". count 5"#, #".l[0] <= 1"#, #".o == true"#, #".["a"] != "1""#,
        ])
    func holding(_ expectation: String) async throws {
        let answers = Answers([json(#"{"a": 1, "l": [1, "x"], "s": "axb", "n": null, "o": true}"#)])
        #expect(try await run("till a\nexpect \(expectation)", answers).fault == nil)
    }

    @Test("A refusal is expected by its code, and nothing else is one", .bounded)
    func refusals() async throws {
        let refused = ScenarioAnswer.failure(code: "not_found", message: "there is no such account")
        #expect(
            try await run(
                "till a\nexpect error not_found\nexpect .error.message contains \"account\"", Answers([refused])
            )
            .passed)
        let told = ScenarioAnswer.failure(
            code: "failure", message: "it waits", output: Array(#"{"state": "approval"}"#.utf8))
        let waiting = "till a\nexpect error failure\nexpect .state == \"approval\"\nlet why = .error.message"
        #expect(try await run(waiting, Answers([told])).passed)
        let other = try await run("till a\nexpect error refund_exhausted", Answers([refused]))
        #expect(
            other.fault.map { "\($0)" }
                == "a.till:2:14: refund_exhausted: the command failed with another code, not_found: there is no such account"
        )
        let surprise = try await run("till a", Answers([refused]))
        #expect(
            surprise.fault.map { "\($0)" } == "a.till:1:1: the command failed (not_found): there is no such account")
        let success = try await run("till a\nexpect error not_found", Answers([json("{}")]))
        #expect(success.fault.map { "\($0)" } == "a.till:1:1: the command was to fail, and did not: {}")
    }

    @Test("Nothing is run while a command further down is wrong")
    func checkedFirst() async throws {
        let answers = Answers([])
        let report = try await run("till a\ntill b --wrong=1", answers)
        #expect(report.fault?.place == ScenarioPlace(line: 2, column: 8))
        #expect(answers.words.isEmpty)
    }

    @Test("A command is asked again while an expectation may wait, and the wait has an end", .bounded)
    func waiting() async throws {
        let answers = Answers([json("[]"), json("[]"), json("[1]")])
        #expect(try await run("till a\nexpect within 5s . count 1", answers).passed)
        #expect(answers.words.count == 3)
        let late = try await run(
            "till a\nexpect within 100ms . count 1", Answers([json("[]"), json("[]"), json("[]"), json("[]")]))
        #expect(late.fault.map { "\($0)" } == "a.till:2:21: .: within 100 ms, expected 1 elements, found 0: []")
        let gone = ScenarioAnswer.failure(code: "unavailable", message: "the store does not answer", output: [])
        let away = try await run("till a\nexpect within 50ms .n exists", Answers([json("[]"), gone, gone]))
        let text = away.fault.map { "\($0)" } ?? ""
        #expect(text.contains("(the command failed: unavailable: the store does not answer)"), "\(text)")
    }

    @Test("A command that is not over in time ends the run, and says what time it had", .bounded)
    func hanging() async throws {
        let report = try await run("till a", Answers([], hangs: true), time: .milliseconds(20))
        #expect(
            report.fault.map { "\($0)" } == "a.till:1:1: the command was not over within 0.02 s, the time of a command")
    }
}
