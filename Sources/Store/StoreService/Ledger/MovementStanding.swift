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
        if parts.count == 3, parts[2] == "capture", movement.kind == .captured,
            let id = PurchaseRoad.purchase(ofKey: movement.key)
        {
            self = try Self.standing(.sale, id.number, in: transaction) {
                try Purchases.find(id, in: transaction)?.state.awaitsProcessor ?? false
            }
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
