import StoreDatabase
package import StoreModel
package import StoreRules

/// A purchase as it is kept.
package struct StoredPurchase: Hashable, Sendable {
    package let id: PurchaseID
    package let device: DeviceID
    package let key: PurchaseKey
    package let fingerprint: [UInt8]
    package let customer: CustomerID?
    package let app: AppID
    package let bundle: BundleID
    package let item: ItemID
    package let product: ProductID
    package let kind: ProductKind
    package let period: BillingPeriod?
    package let group: SubscriptionGroupID?
    package let quantity: Int
    package let storefront: StorefrontCode
    package let unitPrice: Money
    package let total: Money
    package let accountToken: AppAccountToken?
    /// What will be paid with, from the yes on.
    package private(set) var paymentMethod: Int64?
    /// What people type to confirm it elsewhere.
    package private(set) var code: String?
    package private(set) var transaction: TransactionID?
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
        group_id, quantity, storefront, unit_price, total, currency, account_token, payment_method_id, code,
        transaction_id, opened_at, changed_at, expires_at, history_count, state, failure, authorisation, capture,
        action_url
        """

    init(_ row: Row) throws {
        id = try row.value(0)
        device = try row.value(1)
        key = try row.value(2)
        fingerprint = try row.value(3)
        customer = try row.value(4)
        app = try row.value(5)
        bundle = try row.value(6)
        item = try row.value(7)
        product = try row.value(8)
        kind = try row.value(9)
        period = try row.value(10, as: String?.self).flatMap { try? BillingPeriod(parsing: $0) }
        group = try row.value(11)
        quantity = try row.value(12)
        storefront = try row.value(13)
        let currency = try row.value(16, as: Currency.self)
        unitPrice = Money(minorUnits: try row.value(14), currency: currency)
        total = Money(minorUnits: try row.value(15), currency: currency)
        accountToken = try row.value(17)
        paymentMethod = try row.value(18)
        code = try row.value(19)
        transaction = try row.value(20)
        openedAt = try row.value(21)
        changedAt = try row.value(22)
        expiresAt = try row.value(23)
        historyCount = try row.value(24)
        let state = try row.value(25, as: String.self)
        guard let known = Purchase.State(rawValue: state) else {
            throw DatabaseError(.unexpectedValue, "a purchase is in a state that this version does not know")
        }
        rules = Purchase(
            state: known, failure: try row.value(26, as: String?.self).map(PurchaseFailure.init),
            authorisation: try row.value(27), capture: try row.value(28), actionURL: try row.value(29))
    }

    /// A purchase that is being opened, with the first line of its history.
    init(
        _ order: CheckoutRequest, fingerprint: [UInt8], total: Money, as id: PurchaseID, in scope: DeviceScope,
        at times: StoreTimes
    ) {
        let item = order.item
        self.id = id
        device = scope.device
        key = order.key
        self.fingerprint = fingerprint
        customer = scope.customer
        app = scope.app
        bundle = scope.bundle
        self.item = item.id
        product = item.product
        kind = item.kind
        period = item.period
        group = item.group
        quantity = order.quantity
        storefront = item.storefront
        unitPrice = item.unitPrice
        self.total = total
        accountToken = order.accountToken
        code = order.confirmation.code
        openedAt = times.commerce
        changedAt = times.commerce
        expiresAt = times.wall + PurchaseLimits.confirmation
        historyCount = 1
        rules = Purchase(isSignedIn: scope.customer != nil)
    }

    /// Notes what will be paid with; it is kept with the next change.
    mutating func pay(with method: PaymentMethod) {
        paymentMethod = method.id
    }

    /// The purchase after something happened, with one more line in its history.
    func changed(
        to rules: Purchase, delivering delivered: TransactionID?, at commerce: Instant, expiringAt expiry: Instant
    ) -> StoredPurchase {
        var changed = self
        changed.rules = rules
        changed.transaction = delivered ?? transaction
        changed.changedAt = commerce
        changed.expiresAt = expiry
        if !rules.state.canBeConfirmed { changed.code = nil }
        changed.historyCount += 1
        return changed
    }
}

extension Purchase.State {
    /// Whether somebody may still say yes, and so whether the code and the secrets for that are kept.
    var canBeConfirmed: Bool { waitsForYes || self == .interrupted }
}
