package import StoreModel

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
