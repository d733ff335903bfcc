import StoreHTTP
import StoreModel
import StoreRules
import StoreService
import Synchronization

/// Takes every payment at once and gives all of it back, but for renewals that a test wants not to be paid. It remembers
/// nothing: one who asks again gets the same answer.
final class WillingProcessor: PaymentProcessor {
    private let values: TestValues
    /// How many subscriptions are being paid whatever the test wants of renewals.
    private let resolving = Mutex(0)

    init(_ values: TestValues) {
        self.values = values
    }

    /// Takes the payments of renewals while something is done.
    func paying(_ body: () async throws -> Void) async rethrows {
        resolving.withLock { $0 += 1 }
        defer { resolving.withLock { $0 -= 1 } }
        try await body()
    }

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        let isDeclined =
            !order.isAttended && values.current.shouldEnterBillingRetryOnRenewal && resolving.withLock { $0 == 0 }
        return isDeclined ? .declined(.cardDeclined) : .approved(reference: order.key)
    }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        .captured(reference: key)
    }

    func void(key: String, reference: String) async throws(ProcessorError) {}

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        .refunded(reference: key)
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { .nothing }

    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "This processor has no news.")
    }
}
