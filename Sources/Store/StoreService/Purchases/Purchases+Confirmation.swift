package import StoreDatabase
import StoreModel
package import StoreRules

extension Purchases {
    /// What it comes to when the customer says yes at this moment. It also notes in the purchase what will be paid with.
    package static func confirmation(
        of purchase: inout StoredPurchase, at times: StoreTimes, in transaction: any ReadTransaction
    ) throws -> Purchase.Event {
        guard purchase.state == .confirmation || purchase.state == .interrupted else {
            // The machine says what is wrong with that.
            return .confirmed(.toBePaid)
        }
        // Whoever ends what is too late may be late too.
        guard purchase.expiresAt > times.wall else { return .expired }
        guard let id = purchase.customer, let customer = try Customers.find(id, in: transaction),
            customer.deletedAt == nil
        else { return .prevented(.accountGone) }
        let device = try DeviceScope.of(purchase.device, in: transaction)
        guard customer.purchasesAllowed, device?.purchasesAllowed ?? true else { return .prevented(.notAllowed) }
        if customer.interruptsPurchases, purchase.state == .confirmation { return .confirmedButInterrupted }
        let standing = try standing(of: purchase, customer, at: times, in: transaction)
        if standing == .toBePaid {
            guard let method = try Customers.paymentMethods(of: id, in: transaction).last else {
                return .prevented(.noPaymentMethod)
            }
            purchase.pay(with: method)
        }
        return purchase.state == .interrupted ? .interruptionSettled(standing) : .confirmed(standing)
    }

    private static func standing(
        of purchase: StoredPurchase, _ customer: Customer, at times: StoreTimes, in transaction: any ReadTransaction
    ) throws -> Purchase.Standing {
        if purchase.kind.isOwnedOnce {
            if try Transactions.owned(purchase.item, by: customer.id, at: times.commerce, in: transaction) != nil {
                return .owned
            }
            let rivals = try transaction.value(
                """
                SELECT count(*) FROM purchase WHERE customer_id = $1 AND item_id = $2
                    AND state IN ('authorising', 'action', 'capturing', 'voiding') AND id <> $3
                """, customer.id, purchase.item, purchase.id, as: Int.self)
            if rivals > 0 { return .beingPaid }
        }
        return purchase.total.isZero ? .free : .toBePaid
    }

    /// Whether a secret confirms a purchase.
    package static func isConfirmed(
        _ purchase: StoredPurchase, by token: String, in transaction: any ReadTransaction
    ) throws -> Bool {
        let hash = try Confirmation.hash(of: token)
        return try secrets(of: purchase, in: transaction).contains { $0.elementsEqual(hash) }
    }

    /// The hashes of the secrets that confirm a purchase, the newest first.
    static func secrets(
        of purchase: StoredPurchase, in transaction: any ReadTransaction
    ) throws -> [ArraySlice<UInt8>] {
        let hashes = try transaction.value(
            "SELECT confirmation_hash FROM purchase WHERE id = $1", purchase.id, as: [UInt8]?.self)
        guard let hashes else { return [] }
        return stride(from: 0, to: hashes.count, by: Confirmation.hashBytes).map {
            hashes[$0...].prefix(Confirmation.hashBytes)
        }
    }

    /// The purchases of a device that wait for somebody to sign in.
    package static func waitingForSignIn(
        on scope: DeviceScope, in transaction: any ReadTransaction
    ) throws -> [StoredPurchase] {
        try transaction.query(
            """
            SELECT \(StoredPurchase.columns) FROM purchase
            WHERE device_id = $1 AND state IN ('sign-in', 'confirmation', 'interrupted', 'action') AND state = 'sign-in'
            ORDER BY id
            """, scope.device, row: StoredPurchase.init)
    }

    /// Goes on with a purchase once somebody signed in, in the storefront of the account and at its price.
    ///
    /// - Parameter item: the product as that storefront sells it; nil if it does not.
    package static func signedIn(
        _ purchase: StoredPurchase, as scope: DeviceScope, item: SoldItem?, at times: StoreTimes,
        request: String?, in transaction: any WriteTransaction
    ) throws {
        let customer = try scope.requireCustomer()
        let current = try require(purchase.id, in: transaction)
        guard current.state == .signIn else { return }
        try transaction.execute("UPDATE purchase SET customer_id = $2 WHERE id = $1", purchase.id, customer)
        guard let item else {
            _ = try handle(
                .prevented(.productUnavailable), of: try require(purchase.id, in: transaction), at: times,
                request: request, in: transaction)
            return
        }
        let total = try item.unitPrice * current.quantity
        try transaction.execute(
            """
            UPDATE purchase SET storefront = $2, unit_price = $3, total = $4, currency = $5, item_id = $6 WHERE id = $1
            """, purchase.id, item.storefront, item.unitPrice.minorUnits, total.minorUnits, total.currency, item.id)
        let (confirmable, _) = try handle(
            .signedIn, of: try require(purchase.id, in: transaction), at: times, request: request,
            in: transaction)
        if item.kind.isOwnedOnce,
            let waiting = try Transactions.unfinishedID(
                of: item.id, by: customer, at: times.commerce, in: transaction)
        {
            _ = try redeliver(waiting, for: confirmable, at: times, request: request, in: transaction)
        }
    }
}
