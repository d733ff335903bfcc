import StoreDatabase
import StoreModel
package import StoreRules

extension Checkout {
    /// How a purchase stands, for the device that opened it.
    package struct Answer: Sendable {
        package let status: SaleStatus
        package let purchase: StoredPurchase
        package let scope: DeviceScope
        /// The secret that confirms it; only in the answer to a request that opened it.
        package let token: String?
        package let isNew: Bool
        /// Whether what came of it was finished, or taken by another device of the customer, which delivers it.
        package let isElsewhere: Bool
        /// Whether the account owns it already, so that it gets it again and nothing is charged.
        package let isOwned: Bool
        /// How long the periods of the customer's subscriptions last; nil for those of the environment.
        package let scale: PeriodScale?

        /// - Parameters:
        ///   - commerce: the time of the customer, if the purchase may wait for a yes; nil once it does not.
        ///   - look: looks who has what came of it; nil if it is new.
        init(
            _ purchase: StoredPurchase, _ scope: DeviceScope, charge: StoredCharge? = nil, token: String? = nil,
            isNew: Bool = false, at commerce: Instant?, look: (wall: Instant, patience: Duration)? = nil,
            in transaction: any ReadTransaction
        ) throws {
            let status = try SaleStatus(purchase, charge: charge, in: transaction)
            self.status = status
            isOwned = try status.isFree || Self.isOwned(purchase, at: commerce, in: transaction)
            isElsewhere =
                try look.flatMap { look in
                    try status.bought.map { try Self.isElsewhere($0, scope, look, in: transaction) }
                } ?? false
            let isAsked = purchase.state.isOpen && purchase.item.kind == .autoRenewable
            scale = try isAsked ? purchase.customer.flatMap { try PeriodScale.own(of: $0, in: transaction) } : nil
            self.purchase = purchase
            self.scope = scope
            self.token = token
            self.isNew = isNew
        }

        private static func isOwned(
            _ purchase: StoredPurchase, at commerce: Instant?, in transaction: any ReadTransaction
        ) throws -> Bool {
            guard purchase.state.canBeConfirmed, purchase.item.kind.isOwnedOnce, let customer = purchase.customer,
                let commerce
            else { return false }
            return try Transactions.isFree(purchase.item.id, for: customer, at: commerce, in: transaction)
        }

        private static func isElsewhere(
            _ bought: StoreTransaction, _ scope: DeviceScope, _ look: (wall: Instant, patience: Duration),
            in transaction: any ReadTransaction
        ) throws -> Bool {
            guard !bought.kind.isRestored else { return false }
            let place = try DeviceHold.place(
                of: bought, on: scope.device, at: look.wall, look.patience, in: transaction)
            return try place != .here
                || Transactions.isFinished(bought.id, elsewhereThan: scope.device, in: transaction)
        }
    }
}
