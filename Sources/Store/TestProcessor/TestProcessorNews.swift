import Foundation
import StoreHTTP
package import StoreHTTPClient
package import StoreModel
import StoreRules
import StoreSigning

/// Tells the store what its customers did, until it has taken it.
package struct TestProcessorNews: Sendable {
    private static let delays: [Duration] = [
        .milliseconds(100), .milliseconds(500), .seconds(2), .seconds(10), .seconds(30),
    ]

    private let processor: DurableTestProcessor
    private let client: HTTPClient
    private let url: String
    private let socketPath: String?
    private let signature: NewsSignature
    private let now: @Sendable () -> Instant
    private let signals = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - url: where the store takes news.
    ///   - socketPath: the socket of the file system at which it does, if it is none of the network.
    ///   - now: wall time.
    package init(
        _ processor: DurableTestProcessor, _ client: HTTPClient, url: String, socketPath: String?,
        signature: NewsSignature, now: @escaping @Sendable () -> Instant
    ) {
        self.processor = processor
        self.client = client
        self.url = url
        self.socketPath = socketPath
        self.signature = signature
        self.now = now
    }

    /// There are news.
    package func wake() { signals.continuation.yield() }

    /// Delivers until the task is cancelled; what was not taken by then is for the next process.
    package func deliver() async {
        wake()
        for await _ in signals.stream {
            var failures = 0
            while !Task.isCancelled, await !deliverAll() {
                let delay = Self.delays[min(failures, Self.delays.count - 1)]
                failures += 1
                try? await Task.sleep(for: delay)
            }
        }
    }

    /// Whether nothing is left to be told.
    private func deliverAll() async -> Bool {
        guard let pending = try? await processor.read({ $0.pendingNews }) else { return true }
        for action in pending {
            guard await send(action) else { return false }
            _ = try? await processor.perform { processor throws(TestProcessorRefusal) in
                try processor.delivered(action)
            }
        }
        return true
    }

    private func send(_ action: Int) async -> Bool {
        let url = processor.actionURL
        guard let news = try? await processor.read({ $0.news(of: action, actionURL: url) }),
            let body = try? JSONEncoder().encode(ProcessorNewsMessage(news)),
            let proof = try? signature.value(for: Array(body), at: now())
        else { return true }
        let request = ClientRequest(
            .post, self.url, fields: ["Content-Type": "application/json", NewsSignature.field: proof],
            body: .bytes(Array(body)), socketPath: socketPath)
        guard let response = try? await client.send(request) else { return false }
        return (200..<300).contains(response.status.rawValue)
    }
}

/// News as the test processor sends them.
struct ProcessorNewsMessage: Codable {
    let id: String
    let key: String
    let result: ProcessorAnswer

    init(_ news: ProcessorNews) {
        id = news.id
        key = news.key
        result = ProcessorAnswer(news.outcome)
    }
}

/// The proof that news come from the test processor: when they were sent, and a code over that and the body.
package struct NewsSignature: Sendable {
    package static let field = "Till-Processor-Signature"
    /// How old news may be, and how far ahead the clock that dated them.
    package static let tolerance = 300_000 as Int64

    private let code: AuthenticationCode

    package init(secret: String) throws {
        code = try AuthenticationCode(secret: secret.utf8)
    }

    /// The value of the field: `t=<milliseconds>,v1=<hexadecimal>`.
    package func value(for body: [UInt8], at time: Instant) throws -> String {
        let stamp = time.millisecondsSinceEpoch
        return "t=\(stamp),v1=\(Hexadecimal.encode(try code.code(of: Self.message(stamp, body))))"
    }

    func check(_ proof: String?, _ body: [UInt8], at time: Instant) throws(ProcessorError) {
        let parts = (proof ?? "").split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1="),
            let stamp = Int64(parts[0].dropFirst(2)), let given = Hexadecimal.decode(String(parts[1].dropFirst(3))),
            (try? code.isGood(given, for: Self.message(stamp, body))) == true
        else { throw ProcessorError(.newsRefused, "The news are not signed with the secret of this processor.") }
        let (age, isTooFar) = time.millisecondsSinceEpoch.subtractingReportingOverflow(stamp)
        guard !isTooFar, age.magnitude <= Self.tolerance else {
            throw ProcessorError(.newsRefused, "The news were signed too long ago, or by a clock that is ahead.")
        }
    }

    private static func message(_ stamp: Int64, _ body: [UInt8]) -> [UInt8] { Array("\(stamp).".utf8) + body }
}
