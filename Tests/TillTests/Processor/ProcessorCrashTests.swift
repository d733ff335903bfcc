import Foundation
import StoreModel
import StoreRules
import StoreService
import Synchronization
import TestProcessor
import TestSupport
import Testing

@testable import till

/// Many clients call a real process that is killed; whatever was acknowledged has to be there, once.
@Suite("kill -9 of the test processor (X10, X11)", .bounded) struct ProcessorCrashTests {
    private let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    /// Clients that authorise and capture until the process is gone; answers what was acknowledged.
    private func load(
        _ process: ProcessorProcess, round: Int, clients: Int, counting answers: Observed<Int> = Observed(0)
    ) async -> [String: LookupOutcome] {
        await withTaskGroup(of: [String: LookupOutcome].self) { group in
            for client in 0..<clients {
                group.addTask { await Self.pay(process.client, "\(round)/\(client)", counting: answers) }
            }
            return await group.reduce(into: [:]) { all, one in all.merge(one) { first, _ in first } }
        }
    }

    private static func pay(
        _ client: TestProcessorClient, _ name: String, counting answers: Observed<Int>
    ) async -> [String: LookupOutcome] {
        var acknowledged: [String: LookupOutcome] = [:]
        for number in 0..<longestLoad {
            let key = "purchase/\(name)/\(number)"
            do throws(ProcessorError) {
                let outcome = try await client.authorise(.sample(key + "/authorise"))
                acknowledged[key + "/authorise"] = .authorise(outcome)
                answers.update { $0 += 1 }
                guard case .approved(let reference) = outcome else { return acknowledged }
                let capture = try await client.capture(
                    key: key + "/capture", reference: reference, amount: Money(minorUnits: 500, currency: .usd))
                acknowledged[key + "/capture"] = .capture(capture)
            } catch {
                return acknowledged
            }
        }
        Issue.record("nothing ended the process")
        return acknowledged
    }

    /// Payments of one client; the process has ended long before.
    private static let longestLoad = 1000

    private func requireAll(_ acknowledged: [String: LookupOutcome]) throws {
        let processor = try ProcessorProcess.log(transcript.data)
        for (key, outcome) in acknowledged {
            #expect(processor.lookup(key, actionURL: "").outcome == outcome, "\(key) is not on the disk")
        }
        let keys = processor.records(after: 0, limit: .max).compactMap(\.key)
        #expect(Set(keys).count == keys.count)
    }

    @Test("Killed at random under load: every acknowledged effect is there once, and repeats get the first answer")
    func random() async throws {
        var random = RandomizedRun.generator(named: "kills of the test processor")
        var acknowledged: [String: LookupOutcome] = [:]
        for round in 0..<RandomizedRun.cases(8) {
            let process = try ProcessorProcess(transcript.data)
            let enough = Int.random(in: 1...60, using: &random)
            let answers = Observed(0)
            let killer = Task.detached {
                // A condition on its progress, so that the kill comes amid the load on every machine.
                try await answers.wait { $0 >= enough }
                process.kill()
            }
            let answered = await load(process, round: round, clients: 16, counting: answers)
            acknowledged.merge(answered) { first, _ in first }
            try await killer.value
            await process.client.shutDown()
            try requireAll(acknowledged)
        }
        #expect(acknowledged.count > 16)
        let last = try ProcessorProcess(transcript.data)
        for (key, outcome) in acknowledged.prefix(50) {
            guard case .authorise(let outcome) = outcome else { continue }
            #expect(try await last.client.authorise(.sample(key)) == outcome)
        }
        #expect(await last.end() == 0)
    }

    @Test(
        "Killed as it writes or synchronises, at each of the first times: nothing acknowledged is missing",
        arguments: ["write", "fdatasync"])
    func calls(name: String) async throws {
        var acknowledged: [String: LookupOutcome] = [:]
        let path = ProcessorProcess.folder(transcript.data).logPath
        for number in 1...RandomizedRun.cases(5) {
            let words = [
                "-f", "-qq", "-e", "trace=\(name)", "-e", "inject=\(name):signal=KILL:when=\(number + 1)",
                "-P", path, "-o", "/dev/null",
            ]
            // The first synchronisation is that of the start.
            let process = try ProcessorProcess(
                transcript.data, through: (program: "/usr/bin/strace", words: words))
            acknowledged.merge(await load(process, round: number, clients: 4)) { first, _ in first }
            await process.client.shutDown()
            process.kill()
            try requireAll(acknowledged)
        }
        #expect(!acknowledged.isEmpty)
    }

    @Test(
        "A disk that refuses ends the process with nothing acknowledged that is not on it",
        arguments: [("write", "ENOSPC"), ("fdatasync", "EIO")])
    func disk(name: String, error: String) async throws {
        var acknowledged: [String: LookupOutcome] = [:]
        let path = ProcessorProcess.folder(transcript.data).logPath
        for number in 2...4 {
            let words = [
                "-f", "-qq", "-e", "trace=\(name)", "-e", "inject=\(name):error=\(error):when=\(number)",
                "-P", path, "-o", "/dev/null",
            ]
            let process = try ProcessorProcess(
                transcript.data, through: (program: "/usr/bin/strace", words: words))
            acknowledged.merge(await load(process, round: number, clients: 4)) { first, _ in first }
            #expect(process.waitUntilExit() == 74)
            await process.client.shutDown()
            try requireAll(acknowledged)
        }
        let healthy = try ProcessorProcess(transcript.data)
        #expect(try await healthy.client.authorise(.sample("after")) != .declined(.cardDeclined))
        #expect(await healthy.end() == 0)
    }
}
