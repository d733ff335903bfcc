import StoreDatabase
import StoreModel
import StoreRules

/// What becomes of an offer that was asked for, once the purchase is ordered: it is used, or given back where nothing was paid.
extension Offers {
    /// Notes that what a purchase asked for is used, in the transaction of its order: a code counts from here on.
    static func use(_ purchase: SaleID, by customer: CustomerID, _ change: Change) throws {
        guard try set("used", from: "asked", purchase, change) == 1 else { return }
        try change.transaction.execute(
            "UPDATE purchase_offer SET customer_id = $2 WHERE purchase_id = $1", purchase, customer)
        if let (app, code) = try code(of: purchase, in: change.transaction) {
            try OfferCodes.take(code, of: app, in: change.transaction)
        }
    }

    /// Gives back what an order used that was not paid.
    static func release(_ purchase: SaleID, _ change: Change) throws {
        guard try set("released", from: "used", purchase, change) == 1 else { return }
        if let (app, code) = try code(of: purchase, in: change.transaction) {
            try OfferCodes.giveBack(code, of: app, in: change.transaction)
        }
    }

    private static func set(_ state: String, from former: String, _ purchase: SaleID, _ change: Change) throws
        -> Int
    {
        try change.transaction.update(
            "purchase_offer", ["state": state, "changed_at": change.commerce],
            where: ["purchase_id": purchase, "state": former])
    }

    private static func code(
        of purchase: SaleID, in transaction: any ReadTransaction
    ) throws -> (AppID, String)? {
        try transaction.optional(
            "SELECT app_id, code FROM purchase_offer WHERE purchase_id = $1 AND code IS NOT NULL", purchase
        ) { row in
            var cells = row.cells
            return (try cells.next(), try cells.next())
        }
    }

    /// Lets an offer follow that was stacked with the introductory one by which a subscription has begun.
    static func followUp(_ order: SaleOrder, _ change: Change) throws {
        guard order.origin != .renewal, order.item.offer?.kind == .introductory,
            let asked = try asked(order.id, in: change.transaction), asked.condition.isStackable,
            let subscription = try Subscriptions.find(order.item, of: order.scope, in: change.transaction)
        else { return }
        // The purchase is told, and the offer that follows with it.
        try Subscriptions.handle(.offered(asked.terms), of: subscription, isTold: false, change)
    }
}
