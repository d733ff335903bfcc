import Foundation
import TestSupport
import Testing

@Suite("A storm of cancelled requests", .bounded) struct StormTests {
    /// What a server does until its client has gone.
    private enum Stall: CaseIterable {
        case atOnce, afterHead, inBody, never
    }

    private struct Answer: Decodable {
        struct Content: Decodable {
            let descriptors: [Int]
            let handles: [Int]
            let pages: [Int]
            let outcomes: [String: Int]
        }

        let ok: Content
    }

    @Test("a thousand requests cancelled at any instant leave nothing in their process")
    func thousandRequestsCancelled() throws {
        let server = try ScriptedServer { connection, number in
            while connection.readHead() != nil {
                switch Stall.allCases[number % 4] {
                case .atOnce: return connection.waitForEnd()
                case .afterHead: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
                case .inBody: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
                case .never: connection.answer([1, 2, 3])
                }
            }
        }
        defer { server.stop() }
        let rounds = RandomizedRun.cases(10)
        let request = #"{"operation":"storm","url":"\#(server.url())","rounds":\#(rounds)}"#
        let text = try Command.run("env", "TILL_SEED=\(RandomizedRun.seed)", FetchProcess.executable.path, request)
        let line = try #require(text.split(separator: "\n").last { $0.hasPrefix("{") })
        let answer = try JSONDecoder().decode(Answer.self, from: Data(line.utf8)).ok
        #expect(answer.handles == [0, 0, 0])
        // The runtime opens one or two of its own when it needs them.
        #expect(answer.descriptors[2] < answer.descriptors[0] + 4, "\(answer.descriptors)")
        // Four megabytes, while the bodies alone that were sent were many more.
        #expect(answer.pages[2] - answer.pages[1] < 1024, "\(answer.pages)")
        #expect(answer.outcomes.values.reduce(0, +) == rounds * 100)
        #expect(
            Set(answer.outcomes.keys).isSubset(of: [
                "answered", "cancelled notSent", "cancelled unknown", "cancelled answered", "CancellationError",
            ]), "\(answer.outcomes)")
        // Which there are depends on how busy the machine is; of one kind alone nothing would have been cancelled at all.
        #expect(answer.outcomes.count >= 2, "\(answer.outcomes)")
    }
}
