import StoreHTTP
import StoreModel
import StoreService

/// Takes every payment at once and gives all of it back. It remembers nothing: one who asks again gets the same answer.
struct WillingProcessor: PaymentProcessor {
    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        .approved(reference: order.key)
    }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        .captured(reference: key)
    }

    func void(key: String, reference: String) async throws(ProcessorError) {}

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        .refunded(reference: key)
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { .nothing }

    func news(fields: HTTPFields, body: [UInt8], at time: Instant) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "This processor has no news.")
    }
}
