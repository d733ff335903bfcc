import Foundation
import StoreModel

@testable import StoreKit

/// A scripted engine with its queue, an observer, and what was told.
struct QueueTest {
    let session = ScriptedSession()
    let time = SessionTime()
    let context: SessionContext
    let transcript = Transcript()
    let observer: RecordingObserver
    var queue: SKPaymentQueue { context.queue }

    init() {
        context = SessionContext(session, now: time.reading)
        observer = RecordingObserver(transcript)
    }

    /// Runs with the scripted engine as the current one.
    func callAsFunction<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentSession.$own.withValue(context, operation: body)
    }

    /// What was told so far, after everything under way has arrived.
    func told() async throws -> [String] {
        try await mainQueueDrained()
        return transcript.lines
    }

    /// A transaction of one of a product.
    static func entry(_ product: String, _ state: QueueEntry.State = .purchased, key: String? = nil) -> QueueEntry {
        let payment = Payment(product)
        let bought = BoughtTransaction.test(2_000_000_000_000_000 + Int64(product.utf8.count), payment)
        return QueueEntry(.named(key ?? product), payment, state, bought: bought)
    }
}

extension QueueEntry.Key {
    /// The key of a payment that a test knows by a name.
    static func named(_ name: String) -> QueueEntry.Key {
        let digits = name.utf8.map { String($0, radix: 16) }.joined().suffix(12)
        let padding = String(repeating: "0", count: 12 - digits.count)
        // Safe: it has the form of a UUID.
        return .payment(PurchaseKey("00000000-0000-4000-8000-\(padding)\(digits)")!)
    }
}

extension BoughtTransaction {
    static func test(_ id: Int64, _ payment: Payment, original: Original? = nil) -> BoughtTransaction {
        // Safe: the numbers of tests are those of transactions.
        try! BoughtTransaction(
            id: TransactionID(number: id), number: 0, payment: payment,
            date: Instant(millisecondsSinceEpoch: 1_000_000), original: original)
    }
}

extension QueueEntry {
    mutating func purchase() {
        state = .purchased
        bought = .test(2_000_000_000_000_001, payment)
    }

    mutating func fail(_ code: SKError.Code) {
        state = .failed
        failure = .test(code)
    }
}

extension SessionFailure {
    static func test(_ code: SKError.Code) -> SessionFailure {
        SessionFailure(code: code.rawValue, reason: "test", text: "A test wants it.")
    }
}

extension StorefrontAnswer {
    static var france: StorefrontAnswer {
        // Safe: France is in the list of storefronts, and a test of that list says so.
        let record = StorefrontRecord.storefront(alpha3: "FRA")!
        return StorefrontAnswer(
            countryCode: StorefrontCode(record), id: record.id, currency: CurrencyCode(record.currency))
    }
}
