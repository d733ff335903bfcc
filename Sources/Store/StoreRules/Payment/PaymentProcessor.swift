package import StoreModel

/// Who moves the money: reserves it, takes it, lets go of it, gives it back.
///
/// Every call that moves money has a key. One key has one effect for ever: a repeat gets the first answer, and other
/// parameters under the same key are refused. So a caller that lost an answer looks the key up, or asks again with the same key
/// and parameters.
///
/// Everything throws ``ProcessorError``, which says whether the call may have had its effect. A time-out is never a refusal.
package protocol PaymentProcessor: Sendable {
    /// How customers tell it what they pay with.
    var form: PaymentForm { get }
    /// Where nothing is real, what stands for the customer's bank; nil where banks have pages of their own.
    var bank: (any TestBank)? { get }

    /// How a charge of a renewal is expected to come out: of a means of payment that is none it is known beforehand.
    func expectation(of method: String) -> PaymentExpectation

    /// Reserves an amount at the customer's means of payment.
    func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome

    /// Takes what was reserved, or less; the rest is let go of.
    ///
    /// - Parameter reference: what authorising answered.
    func capture(key: String, reference: String, amount: Money) async throws(ProcessorError) -> CaptureOutcome

    /// Lets go of what was reserved and not taken. Also ends an action that the customer has not done yet.
    ///
    /// - Parameter reference: what authorising answered.
    func void(key: String, reference: String) async throws(ProcessorError)

    /// Gives back what was taken, or a part of it.
    ///
    /// - Parameter reference: what capturing answered.
    func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome

    /// What came of the call with a key, as it stands now: of an action that the customer has done since, the result.
    func lookup(key: String) async throws(ProcessorError) -> LookupOutcome

    /// What the processor says of its own accord, after a proof that it is the one who says it.
    ///
    /// - Parameters:
    ///   - field: the value of a header field of the request that brought it, by its name.
    ///   - body: of that request, as it came.
    ///   - time: wall time; news that are too old are refused.
    func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews
}

/// What a processor is asked to reserve.
package struct AuthorisationRequest: Hashable, Sendable {
    /// Names this order for ever: `purchase/<id>/authorise`.
    package let key: String
    package let amount: Money
    /// The customer's means of payment, by the processor's own token for it.
    package let method: String
    /// What it is for, in words the customer finds on their statement.
    package let description: String
    /// Whether the customer is there and could do what the bank asks for: not when a subscription renews.
    package let isAttended: Bool

    package init(key: String, amount: Money, method: String, description: String, isAttended: Bool = true) {
        self.key = key
        self.amount = amount
        self.method = method
        self.description = description
        self.isAttended = isAttended
    }
}

/// What came of asking a processor to reserve an amount.
// Closed: a processor that knows more ways says which of these each of them comes to.
package enum AuthoriseOutcome: Hashable, Sendable {
    /// The amount is reserved, under this reference.
    case approved(reference: String)
    /// Nothing is reserved, and nothing will be under this key.
    case declined(PaymentRefusal)
    /// The customer has to do something at an address first; nothing is reserved until then.
    case actionNeeded(reference: String, url: String)
}

/// What came of taking a reserved amount.
// Closed: money was taken or it was not.
package enum CaptureOutcome: Hashable, Sendable {
    /// The amount was taken, under this reference.
    case captured(reference: String)
    /// Nothing was taken, and nothing will be under this key. The reservation stands until it is voided.
    case failed(PaymentRefusal)
}

/// What came of giving an amount back.
// Closed: money was given back or it was not.
package enum RefundOutcome: Hashable, Sendable {
    /// The amount was given back, under this reference.
    case refunded(reference: String)
    /// Nothing was given back, and nothing will be under this key.
    case failed(PaymentRefusal)
}

/// What a processor knows of a key.
// Closed: these are the calls that have keys.
package enum LookupOutcome: Hashable, Sendable {
    /// No call with this key has had an effect so far.
    case nothing
    case authorise(AuthoriseOutcome)
    case capture(CaptureOutcome)
    case voided
    case refund(RefundOutcome)
}

/// Why a payment was declined, or why taking or giving back failed, as a word that programs know. Processors have words of
/// their own besides these.
package struct PaymentRefusal: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package var description: String { rawValue }

    /// The bank says no and does not say why.
    package static let cardDeclined = PaymentRefusal(rawValue: "card_declined")
    package static let insufficientFunds = PaymentRefusal(rawValue: "insufficient_funds")
    package static let expiredCard = PaymentRefusal(rawValue: "expired_card")
    package static let incorrectSecurityCode = PaymentRefusal(rawValue: "incorrect_security_code")
    package static let lostCard = PaymentRefusal(rawValue: "lost_card")
    package static let stolenCard = PaymentRefusal(rawValue: "stolen_card")
    package static let suspectedFraud = PaymentRefusal(rawValue: "suspected_fraud")
    /// The bank does not take this currency.
    package static let currencyNotSupported = PaymentRefusal(rawValue: "currency_not_supported")
    /// The processor does not know the means of payment, or it was taken away.
    package static let methodUnknown = PaymentRefusal(rawValue: "method_unknown")
    /// The customer did not do what was asked of them, or failed at it.
    package static let actionFailed = PaymentRefusal(rawValue: "action_failed")
    /// What was reserved could not be taken.
    package static let captureFailed = PaymentRefusal(rawValue: "capture_failed")
    /// What was taken could not be given back.
    package static let refundFailed = PaymentRefusal(rawValue: "refund_failed")
}

/// What a processor says of its own accord, such as that a customer has done what was asked of them.
package struct ProcessorNews: Hashable, Sendable {
    /// Names these news: they may come more than once.
    package let id: String
    /// The call they are about.
    package let key: String
    /// What came of that call, as ``PaymentProcessor/lookup(key:)`` tells it.
    package let outcome: LookupOutcome

    package init(id: String, key: String, outcome: LookupOutcome) {
        self.id = id
        self.key = key
        self.outcome = outcome
    }
}

/// Why a call to a processor has no outcome. Its description is safe to log.
package struct ProcessorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The call never reached the processor: certainly nothing happened, and it may be tried again.
        package static let notSent = Code(rawValue: "not_sent")
        /// There is no answer, or none that can be read: a time-out, a broken connection. It may have happened or not.
        package static let unknown = Code(rawValue: "unknown")
        /// The processor refuses the call as it stands: nothing happened, and trying again is no use.
        package static let refused = Code(rawValue: "refused")
        /// Another call, or one with other parameters, had this key: nothing happened now.
        package static let keyReused = Code(rawValue: "key_reused")
        /// There is no processor to ask: nothing happened.
        package static let noProcessor = Code(rawValue: "no_processor")
        /// News that do not prove who says them, that are too old, or that cannot be read.
        package static let newsRefused = Code(rawValue: "news_refused")
    }

    package let code: Code
    /// What happened, why, and what to do.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether this call certainly had no effect. Of a code that is not known, nothing is certain.
    package var isCertainlyNotCarriedOut: Bool {
        [.notSent, .refused, .keyReused, .noProcessor, .newsRefused].contains(code)
    }

    package var description: String { "\(message) (\(code.rawValue))" }
}

/// The processor of a store that has none: everything is refused before anything happens.
package struct NoProcessor: PaymentProcessor {
    package let form = PaymentForm.missing

    package init() {}

    private static let error = ProcessorError(
        .noProcessor, "This store has no payment processor, so it cannot sell; choose one with --production-processor.")

    package func authorise(_ order: AuthorisationRequest) async throws(ProcessorError) -> AuthoriseOutcome {
        throw Self.error
    }

    package func capture(
        key: String, reference: String, amount: Money
    ) async throws(ProcessorError) -> CaptureOutcome {
        throw Self.error
    }

    package func void(key: String, reference: String) async throws(ProcessorError) {
        throw Self.error
    }

    package func refund(key: String, reference: String, amount: Money) async throws(ProcessorError) -> RefundOutcome {
        throw Self.error
    }

    package func lookup(key: String) async throws(ProcessorError) -> LookupOutcome {
        throw Self.error
    }

    package func news(
        field: (String) -> String?, body: [UInt8], at time: Instant
    ) throws(ProcessorError) -> ProcessorNews {
        throw Self.error
    }
}

/// How a charge that nobody attends is expected to come out.
// Closed: a subscription goes on in one of these ways.
package enum PaymentExpectation: Hashable, Sendable {
    case paid
    /// It may be tried again.
    case declined
    /// It is over without money.
    case released
}

/// How customers tell a processor what they pay with.
package enum PaymentForm: Sendable {
    // Closed: a page shows each of them.
    /// There is no processor.
    case missing
    /// On a page of the processor's own.
    case own
    /// One of these, each known by its token.
    case choices([(token: String, title: String)])

    /// Whether nothing can be paid.
    package var isMissing: Bool { if case .missing = self { true } else { false } }
    /// Whether what is paid is no money: only the processor for tests has choices.
    package var isTest: Bool { if case .choices = self { true } else { false } }
}

/// Stands for the bank of a customer, of whom something is asked before a test payment goes on.
package protocol TestBank: Sendable {
    /// Does what was asked, or fails at it.
    ///
    /// - Parameter reference: what authorising answered.
    func act(on reference: String, completed: Bool) async throws(ProcessorError)
}

extension PaymentProcessor {
    package var form: PaymentForm { .own }
    package var bank: (any TestBank)? { nil }
    package func expectation(of method: String) -> PaymentExpectation { .paid }
}
