package import StoreModel

/// A call with a key to the test processor.
package enum TestProcessorCall: Hashable, Sendable {
    case authorise(AuthorisationRequest)
    case capture(key: String, reference: String, amount: Money)
    case void(key: String, reference: String)
    case refund(key: String, reference: String, amount: Money)

    package var key: String {
        switch self {
        case .authorise(let order): order.key
        case .capture(let key, _, _), .void(let key, _), .refund(let key, _, _): key
        }
    }

    package var kind: TestProcessorRecord.Kind {
        switch self {
        case .authorise: .authorise
        case .capture: .capture
        case .void: .void
        case .refund: .refund
        }
    }
}
