import StoreHTTP
import StoreModel
import StoreRules
import StoreService

/// A processor that takes every payment but those that are declined or wait for the bank, and keeps nothing; it may refuse to let
/// go of what was reserved.
struct ApprovingProcessor: PaymentProcessor {
    var capturesNothing = false
    var refusesVoids = false
    var declined: Set = ["test_declined"]
    /// Whether the bank of `test_action_needed` is played.
    var playsBank = false
    var form = PaymentForm.own

    /// Where the customer acts.
    static let action = "https://bank.example/actions/authorise-1"

    var bank: (any TestBank)? { playsBank ? self : nil }

    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        if order.method == "test_action_needed" {
            return .actionNeeded(reference: "authorise-1", url: Self.action)
        }
        return declined.contains(order.method) ? .declined(.cardDeclined) : .approved(reference: order.key)
    }

    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome {
        capturesNothing ? .failed(.captureFailed) : .captured(reference: key)
    }

    func void(key: String, reference: String) async throws(ProcessorError) {
        if refusesVoids { throw ProcessorError(.refused, "The reservation is not there any more.") }
    }

    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        .refunded(reference: key)
    }

    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome { .nothing }

    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw ProcessorError(.newsRefused, "It has no news.")
    }
}

extension ApprovingProcessor: TestBank {
    func act(on reference: String, completed: Bool) async throws(ProcessorError) {}
}
