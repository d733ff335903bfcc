import StoreModel
import StoreRules
import Synchronization

/// The payment processor of a self-test: it takes everything, gives everything back, and keeps books for as long as it lasts.
final class SelfTestProcessor: PaymentProcessor, ProcessorBooks {
    static let token = "self_test"
    let form = PaymentForm.choices([(SelfTestProcessor.token, "Self-test")])

    private struct Books {
        var outcomes: [String: LookupOutcome] = [:]
        var movements: [String: ProcessorMovement] = [:]
    }

    private let books = Mutex(Books())

    /// What the first call with a key comes to, which every later one is told too.
    private func once(_ key: String, _ outcome: LookupOutcome, _ movement: ProcessorMovement? = nil) {
        books.withLock { books in
            guard books.outcomes[key] == nil else { return }
            books.outcomes[key] = outcome
            if let movement { books.movements[key] = movement }
        }
    }

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        once(order.key, .authorise(.approved(reference: order.key)))
        return .approved(reference: order.key)
    }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        once(
            key, .capture(.captured(reference: key)), ProcessorMovement(key: key, kind: .captured, amount: amount))
        return .captured(reference: key)
    }

    func void(key: String, reference: String) async throws(ProcessorError) { once(key, .voided) }

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        once(key, .refund(.refunded(reference: key)), ProcessorMovement(key: key, kind: .refunded, amount: amount))
        return .refunded(reference: key)
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome {
        books.withLock { $0.outcomes[key] } ?? .nothing
    }

    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "this processor has no news")
    }

    func movements(after place: String?, limit: Int) async throws -> ProcessorMovementPage {
        let sorted = books.withLock { Array($0.movements.values) }.sorted { $0.key < $1.key }
        let page = Array(sorted.filter { $0.key > place ?? "" }.prefix(limit))
        return ProcessorMovementPage(page, next: page.count == limit ? page.last?.key : nil)
    }

    func movements(of keys: [String]) async throws -> [ProcessorMovement] {
        books.withLock { books in keys.compactMap { books.movements[$0] } }
    }
}
