import StoreFoundation

/// One run of a scenario.
///
/// It ends at the first line that does not go as it is written. Commands run one after the other; the scenario ends when the
/// last of them is over.
package struct ScenarioRun<Commands: ScenarioCommands>: Sendable {
    private let scenario: Scenario
    private let commands: Commands
    private let commandTime: Duration
    /// What was captured.
    private var values: [String: JSONNode] = [:]
    private var steps: [ScenarioReport.Step] = []
    /// What the newest command answered, and its words.
    private var answer: JSONNode = .null
    private var words: [String] = []

    /// - Parameter commandTime: how long each command may take.
    package init(_ scenario: Scenario, _ commands: Commands, commandTime: Duration = ScenarioLimits.commandTime) {
        self.scenario = scenario
        self.commands = commands
        self.commandTime = commandTime
    }

    /// Says what is wrong with commands as they are written, before any is run. Those with names are looked at when they have
    /// their values.
    package func check() throws(ScenarioFault) {
        for step in scenario.steps {
            guard case .command(let words, _) = step.work else { continue }
            let literals = words.compactMap(\.literal)
            guard literals.count == words.count else { continue }
            try complain(about: literals, of: words, in: step)
        }
    }

    /// Runs it.
    ///
    /// - Parameter news: hears of each step.
    package mutating func run(_ news: (ScenarioNews) -> Void = { _ in }) async -> ScenarioReport {
        var fault: ScenarioFault?
        do throws(ScenarioFault) {
            try check()
            for step in scenario.steps {
                news(.began(step))
                let outcome = try await take(step)
                note(step, outcome)
                news(.done(step, outcome))
            }
        } catch {
            fault = error
        }
        return ScenarioReport(scenario: scenario.name, passed: fault == nil, steps: steps, fault: fault)
    }

    private mutating func take(_ step: ScenarioStep) async throws(ScenarioFault) -> ScenarioOutcome {
        switch step.work {
        case .command(let words, let fails): return try await run(words, fails: fails, in: step)
        case .expectation(let expectation):
            try await require(expectation, in: step)
            return .held
        case .capture(let name, let path, _):
            switch path.find(in: answer, values) {
            case .found(let value):
                values[name] = value
                return .captured(name: name, value: value)
            case .missing(let why): throw fault(step, path.column, "\(path)", why)
            }
        }
    }

    private mutating func note(_ step: ScenarioStep, _ outcome: ScenarioOutcome) {
        var (refusedBy, captured): (String?, JSONNode?)
        if case .failedAsExpected(let code, _) = outcome { refusedBy = code }
        if case .captured(_, let value) = outcome { captured = value }
        steps.append(.init(line: step.line, text: step.text, refusedBy: refusedBy, captured: captured))
    }

    // MARK: Commands

    private mutating func run(
        _ words: [ScenarioWord], fails: Bool, in step: ScenarioStep
    ) async throws(ScenarioFault) -> ScenarioOutcome {
        var texts: [String] = []
        for word in words {
            guard let text = word.text(values) else {
                throw fault(step, word.column, "\(word)", "only a text, a number, true or false can stand in a command")
            }
            texts.append(text)
        }
        // Those without names were looked at before the first was run.
        if words.contains(where: { $0.literal == nil }) { try complain(about: texts, of: words, in: step) }
        self.words = texts
        switch try await answer(to: texts, step) {
        case .output(let bytes):
            guard !fails else {
                throw fault(step, 1, "", "the command was to fail, and did not: \(preview(bytes))")
            }
            answer = try read(bytes, step)
            return .ran
        case .failure(let code, let message, let output):
            guard fails else { throw fault(step, 1, "", "the command failed (\(code)): \(message)") }
            answer = refusal(code, message, output)
            return .failedAsExpected(code: code, message: message)
        }
    }

    private func complain(
        about texts: [String], of words: [ScenarioWord], in step: ScenarioStep
    ) throws(ScenarioFault) {
        guard let complaint = commands.complaint(about: texts) else { return }
        let place = complaint.word.flatMap { word in
            texts.firstIndex(of: word) ?? texts.firstIndex { $0.hasPrefix("\(word)=") }
        }
        throw fault(
            step, place.map { words[$0].column } ?? words[0].column, complaint.word ?? "", complaint.message)
    }

    /// The answer to a command, or that there was none in time. A command that takes no notice of being cancelled is left
    /// to itself.
    private func answer(to texts: [String], _ step: ScenarioStep) async throws(ScenarioFault) -> ScenarioAnswer {
        let (stream, continuation) = AsyncStream<ScenarioAnswer?>.makeStream()
        let (commands, time) = (commands, commandTime)
        let command = Task { continuation.yield(await commands.answer(to: texts)) }
        let limit = Task {
            guard (try? await Task.sleep(for: time)) != nil else { return }
            continuation.yield(nil)
        }
        defer {
            command.cancel()
            limit.cancel()
        }
        for await answer in stream {
            if let answer { return answer }
            break
        }
        let seconds = Double(commandTime.wholeMilliseconds) / 1000
        throw fault(step, 1, "", "the command was not over within \(seconds) s, the time of a command")
    }

    private func read(_ bytes: [UInt8], _ step: ScenarioStep) throws(ScenarioFault) -> JSONNode {
        guard bytes.count <= ScenarioLimits.answerBytes else {
            throw fault(step, 1, "", "the answer has more than \(ScenarioLimits.answerBytes) bytes")
        }
        // Some commands have nothing to say, or say it without JSON.
        if bytes.allSatisfy({ $0 == UInt8(ascii: "\n") }) { return .null }
        return (try? JSONNode(bytes, depth: ScenarioLimits.answerDepth))
            ?? .text(String(decoding: bytes, as: UTF8.self))
    }

    /// What a command printed that failed, with the failure as its member `error`.
    private func refusal(_ code: String, _ message: String, _ output: [UInt8]) -> JSONNode {
        var members = (try? JSONNode(output, depth: ScenarioLimits.answerDepth))?.members ?? [:]
        members["error"] = .object(["code": .text(code), "message": .text(message)])
        return .object(members)
    }

    private func preview(_ bytes: [UInt8]) -> String {
        let node = try? JSONNode(bytes, depth: ScenarioLimits.answerDepth)
        return node?.brief() ?? String(String(decoding: bytes, as: UTF8.self).prefix(ScenarioLimits.shownCharacters))
    }

    // MARK: Expectations

    /// Waits for an expectation, and asks the command above again where it may.
    private mutating func require(
        _ expectation: ScenarioExpectation, in step: ScenarioStep
    ) async throws(ScenarioFault) {
        var rest = expectation.within ?? .zero
        while true {
            guard let problem = problem(expectation) else { return }
            guard rest > .zero else {
                let waited = expectation.within.map { "within \($0.wholeMilliseconds) ms, " } ?? ""
                throw fault(step, problem.column, problem.word, waited + problem.message + refusal(expectation))
            }
            let pause = min(rest, ScenarioLimits.pause)
            rest -= pause
            guard (try? await Task.sleep(for: pause)) != nil else {
                throw fault(step, 1, "", "the run was broken off")
            }
            switch try await answer(to: words, step) {
            case .output(let bytes): answer = try read(bytes, step)
            case .failure(let code, let message, let output): answer = refusal(code, message, output)
            }
        }
    }

    /// What the command said that was asked again and failed, where that was not what is expected.
    private func refusal(_ expectation: ScenarioExpectation) -> String {
        guard expectation.within != nil, !expectation.isError, let failure = answer.members["error"]?.members,
            let code = failure["code"]?.string, let message = failure["message"]?.string
        else { return "" }
        return " (the command failed: \(code): \(message))"
    }

    private func problem(_ expectation: ScenarioExpectation) -> ScenarioProblem? {
        guard expectation.isError else { return expectation.problem(with: answer, values) }
        let wanted = expectation.value?.value(values).string ?? ""
        let failure = answer.members["error"]?.members ?? [:]
        let found = failure["code"]?.string ?? ""
        guard found != wanted else { return nil }
        let message = failure["message"]?.string ?? ""
        return ScenarioProblem(
            column: expectation.valueColumn, word: wanted,
            message: "the command failed with another code, \(found): \(message)")
    }

    private func fault(_ step: ScenarioStep, _ column: Int, _ word: String, _ message: String) -> ScenarioFault {
        ScenarioFault(
            scenario: scenario.name, place: ScenarioPlace(line: step.line, column: column), word: word, message)
    }
}
