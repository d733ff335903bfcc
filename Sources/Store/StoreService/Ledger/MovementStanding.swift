import StoreDatabase
import StoreModel
import StoreRules

/// How something that the processor moved stands in our books.
// Closed: it is in an entry, or will be, or is not.
enum MovementStanding: Sendable {
    case booked
    /// The answer was not taken in yet.
    case underWay
    case unknown

    init(of movement: ProcessorMovement, in transaction: any ReadTransaction) throws {
        let parts = movement.key.split(separator: "/")
        if parts.last == "capture", movement.kind == .captured, let id = ChargeDriver.charge(ofKey: movement.key) {
            let charge = try Charges.find(id, in: transaction)
            // Only the last attempt can have captured anything.
            let isItsKey = charge.map { ChargeDriver.key($0, "capture") == movement.key } ?? false
            self =
                try isItsKey
                ? Self.standing(.sale, id.number, in: transaction) { charge?.state.awaitsProcessor ?? false } : .unknown
        } else if parts.count == 2, parts[0] == "refund", movement.kind == .refunded, let id = Int64(parts[1]) {
            self = try Self.standing(.refund, id, in: transaction) {
                try Refunds.find(id, in: transaction)?.state == .refunding
            }
        } else {
            self = .unknown
        }
    }

    private static func standing(
        _ kind: Ledger.Kind, _ subject: Int64, in transaction: any ReadTransaction, isUnderWay: () throws -> Bool
    ) throws -> MovementStanding {
        let count = try transaction.value(
            "SELECT count(*) FROM ledger_entry WHERE kind = $1 AND subject = $2", kind.rawValue, subject, as: Int.self)
        if count > 0 { return .booked }
        return try isUnderWay() ? .underWay : .unknown
    }
}
