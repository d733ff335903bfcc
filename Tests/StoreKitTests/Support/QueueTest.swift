import Foundation

@testable import StoreKit

/// A scripted engine with its queue, an observer, and what was told.
struct QueueTest {
    let session = ScriptedSession()
    let context: SessionContext
    let transcript = Transcript()
    let observer: RecordingObserver
    var queue: SKPaymentQueue { context.queue }

    init() {
        context = SessionContext(session)
        observer = RecordingObserver(transcript)
    }

    /// Runs with the scripted engine as the current one.
    func callAsFunction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentSession.$own.withValue(context, operation: body)
    }

    /// What was told so far, after everything under way has arrived.
    func told() async -> [String] {
        await mainQueueDrained()
        return transcript.lines
    }

    static func record(
        _ product: String, _ state: SKPaymentTransactionState = .purchased, key: String? = nil
    ) -> PaymentRecord {
        PaymentRecord(
            key: PaymentKey(key ?? product), state: state, order: PaymentOrder(productIdentifier: product),
            transactionIdentifier: "2000000\(product.count)", date: Date(timeIntervalSince1970: 1000))
    }
}

extension PaymentRecord {
    mutating func purchase(as identifier: String = "2000000000000001") {
        state = .purchased
        transactionIdentifier = identifier
        date = Date(timeIntervalSince1970: 1000)
    }

    mutating func fail(_ code: SKError.Code) {
        state = .failed
        error = SKError(code)
    }
}
