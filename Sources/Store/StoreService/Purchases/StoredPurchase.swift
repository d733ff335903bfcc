import StoreCatalogue
import StoreDatabase
package import StoreModel
package import StoreRules

/// A purchase as it is kept.
package struct StoredPurchase: Hashable, Sendable {
    package let id: PurchaseID
    /// The device that asks; nil for what the operator wanted to sell and could not.
    package let device: DeviceID?
    package let key: PurchaseKey
    package let fingerprint: [UInt8]
    package let customer: CustomerID?
    package let app: AppID
    package let bundle: BundleID
    package private(set) var item: SoldItem
    package let quantity: Int
    package private(set) var total: Money
    package let accountToken: AppAccountToken?
    /// What people type to confirm it elsewhere, at this price and no other.
    package private(set) var code: String?
    /// What came of it, which may be a transaction of an earlier order.
    package private(set) var transaction: TransactionID?
    /// Whether the app wants somebody else to say yes too, which is a control for tests.
    package let asksToBuy: Bool
    /// Who decides and pays, once it waits for that; nil where nobody in particular does.
    package private(set) var approver: CustomerID?
    package let openedAt: Instant
    package private(set) var changedAt: Instant
    /// When it ends by itself, by the wall clock, if nothing happens.
    package private(set) var expiresAt: Instant
    package private(set) var historyCount: Int
    /// The rules of its life.
    package private(set) var rules: Purchase

    package var state: Purchase.State { rules.state }

    static let columns: SQL = """
        id, device_id, purchase_key, fingerprint, customer_id, app_id, bundle_id, item_id, product_id, kind, period,
        group_id, storefront, unit_price, currency, quantity, total, account_token, code, transaction_id, opened_at,
        changed_at, expires_at, history_count, asks_to_buy, approver_id, state, failure, \(SoldItem.termsColumns)
        """

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        device = try cells.next()
        key = try cells.next()
        fingerprint = try cells.next()
        customer = try cells.next()
        app = try cells.next()
        bundle = try cells.next()
        let product = try SoldItem.Product(&cells)
        item = try SoldItem(product, &cells)
        quantity = try cells.next()
        total = Money(minorUnits: try cells.next(), currency: item.unitPrice.currency)
        accountToken = try cells.next()
        code = try cells.next()
        transaction = try cells.next()
        openedAt = try cells.next()
        changedAt = try cells.next()
        expiresAt = try cells.next()
        historyCount = try cells.next()
        asksToBuy = try cells.next()
        approver = try cells.next()
        guard let state = Purchase.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a purchase is in a state that this version does not know")
        }
        rules = Purchase(state: state, failure: try cells.next(as: String?.self).map(PurchaseFailure.init))
        try item.readTerms(&cells)
    }

    /// A purchase that is being opened, with the first line of its history.
    init(
        _ request: CheckoutRequest, fingerprint: [UInt8], total: Money, as id: PurchaseID, device: DeviceID?,
        customer: CustomerID?, app: AppID, bundle: BundleID, at times: StoreTimes
    ) {
        self.id = id
        self.device = device
        key = request.key
        self.fingerprint = fingerprint
        self.customer = customer
        self.app = app
        self.bundle = bundle
        item = request.item
        quantity = request.quantity
        self.total = total
        accountToken = request.accountToken
        code = request.confirmation.code
        asksToBuy = request.asksToBuy
        openedAt = times.commerce
        changedAt = times.commerce
        expiresAt = times.wall + PurchaseLimits.confirmation
        historyCount = 1
        rules = Purchase(isSignedIn: customer != nil)
    }

    /// The purchase after something happened, with one more line in its history.
    func changed(
        to rules: Purchase, delivering delivered: TransactionID?, asking approver: CustomerID?, at times: StoreTimes
    ) -> StoredPurchase {
        var changed = self
        changed.approver = approver ?? self.approver
        changed.rules = rules
        changed.transaction = delivered ?? transaction
        changed.changedAt = times.commerce
        switch rules.state {
        case .signIn, .confirmation:
            if state != rules.state { changed.expiresAt = times.wall + PurchaseLimits.confirmation }
        case .interrupted: changed.expiresAt = times.wall + PurchaseLimits.interruption
        case .approval: changed.expiresAt = times.wall + PurchaseLimits.approval
        case .charging, .purchased, .declined, .cancelled, .failed: break
        }
        if !rules.state.canBeConfirmed { changed.code = nil }
        changed.historyCount += 1
        return changed
    }

    /// The purchase at another price, under another code, with one more line in its history.
    func priced(as item: SoldItem, code: String, at times: StoreTimes) throws -> StoredPurchase {
        var priced = self
        priced.item = item
        priced.total = try item.unitPrice * quantity
        priced.code = code
        priced.changedAt = times.commerce
        priced.historyCount += 1
        return priced
    }

    /// The customer and the storefront it is for, once somebody has signed in.
    func requireScope() throws -> CustomerScope {
        guard let customer else {
            throw ServiceError(.notSignedIn, "no customer is signed in for the purchase \(id)")
        }
        return CustomerScope(customer: customer, app: app, bundle: bundle, storefront: item.storefront)
    }
}
