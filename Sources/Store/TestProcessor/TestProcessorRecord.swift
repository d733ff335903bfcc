package import StoreModel
package import StoreRules

/// One thing that the test processor did, as its log has it for ever.
package struct TestProcessorRecord: Hashable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        // Calls, which have a key.
        case authorise, capture, void, refund
        /// The customer did what was asked of them, or failed at it.
        case action
        /// The store took the news of an action.
        case news
    }

    package enum Result: String, Codable, CaseIterable, Sendable {
        case approved, declined
        case actionNeeded = "action_needed"
        case captured, voided, refunded
        /// Of a capture, a refund or an action.
        case failed
        case completed, delivered
    }

    /// Its place in the log, from 1 without gaps.
    package let number: Int
    package let kind: Kind
    package let result: Result
    package var key: String?
    /// The number of what it is about.
    package var of: Int?
    package var amount: Money?
    package var method: String?
    package var description: String?
    package var refusal: PaymentRefusal?

    package init(_ number: Int, _ kind: Kind, _ result: Result) {
        self.number = number
        self.kind = kind
        self.result = result
    }

    /// What calls name it by: its kind and number.
    package var reference: String { "\(kind.rawValue)-\(number)" }

    /// The number in a reference to a record of a kind; nil for what is none.
    static func number(_ reference: String, _ kind: Kind) -> Int? {
        let start = kind.rawValue + "-"
        guard reference.hasPrefix(start), let number = Int(reference.dropFirst(start.count)), number > 0,
            reference == "\(start)\(number)"
        else { return nil }
        return number
    }

    /// Whether a call asks for what this record is about.
    func isOf(_ call: TestProcessorCall) -> Bool {
        guard kind == call.kind, key == call.key else { return false }
        switch call {
        case .authorise(let order):
            return amount == order.amount && method == order.method && description == order.description
        case .capture(_, let reference, let amount):
            return of == Self.number(reference, .authorise) && self.amount == amount
        case .void(_, let reference): return of == Self.number(reference, .authorise)
        case .refund(_, let reference, let amount):
            return of == Self.number(reference, .capture) && self.amount == amount
        }
    }
}

/// A means of payment that is none: its token says how each payment with it goes.
package struct TestPaymentMethod: Hashable, Sendable {
    package let token: String
    /// For people.
    package let title: String
    let answer: Answer
    var fault: TestProcessorFault?
    var captureFails = false
    var refundFails = false

    enum Answer: Hashable, Sendable {
        case approve
        case decline(PaymentRefusal)
        case act
    }

    private init(_ token: String, _ title: String, _ answer: Answer = .approve, fault: TestProcessorFault? = nil) {
        self.token = token
        self.title = title
        self.answer = answer
        self.fault = fault
    }

    /// Every one there is.
    package static let all: [TestPaymentMethod] =
        [TestPaymentMethod("test_approved", "Is approved")] + declining + [
            TestPaymentMethod("test_action_needed", "Asks the customer to do something first", .act),
            TestPaymentMethod("test_late", "Is approved; the answer comes too late", fault: .late),
            TestPaymentMethod(
                "test_late_nothing", "Does nothing; the answer comes too late", fault: .lateWithoutEffect),
            TestPaymentMethod("test_lost", "Is approved; the answer is lost", fault: .lost),
            TestPaymentMethod(
                "test_lost_nothing", "Does nothing; the connection breaks", fault: .lostWithoutEffect),
            capture, refund,
        ]

    private static let declining: [TestPaymentMethod] = [
        ("test_declined", PaymentRefusal.cardDeclined), ("test_insufficient_funds", .insufficientFunds),
        ("test_expired_card", .expiredCard), ("test_incorrect_security_code", .incorrectSecurityCode),
        ("test_lost_card", .lostCard), ("test_stolen_card", .stolenCard), ("test_suspected_fraud", .suspectedFraud),
        ("test_currency_not_supported", .currencyNotSupported),
    ].map { TestPaymentMethod($0, "Is declined: \($1)", .decline($1)) }

    private static let capture: TestPaymentMethod = {
        var method = TestPaymentMethod("test_capture_fails", "Is approved; taking the money fails")
        method.captureFails = true
        return method
    }()

    private static let refund: TestPaymentMethod = {
        var method = TestPaymentMethod("test_refund_fails", "Is approved; giving the money back fails")
        method.refundFails = true
        return method
    }()

    private static let byToken = Dictionary(all.map { ($0.token, $0) }, uniquingKeysWith: { first, _ in first })

    /// The one with a token; of a token that nobody knows, one that is declined for that.
    static func named(_ token: String) -> TestPaymentMethod {
        byToken[token] ?? TestPaymentMethod(token, "Is not known", .decline(.methodUnknown))
    }

    /// How a renewal comes out that is paid with it.
    var expectation: PaymentExpectation {
        switch answer {
        case .decline, .act: .declined
        case .approve: captureFails ? .released : .paid
        }
    }
}
