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
    /// The album or season by which one has the item too; nil for everything else.
    package let whole: ItemID?
    package let openedAt: Instant
    package private(set) var changedAt: Instant
    /// When it ends by itself if nothing happens: by the wall clock, and by that of its customer while it waits for an
    /// approval. Once it has ended, when that was by the wall clock at the latest.
    package private(set) var expiresAt: Instant
    package private(set) var historyCount: Int
    /// The rules of its life.
    package private(set) var rules: Purchase

    package var state: Purchase.State { rules.state }

    /// The hashes of the secrets that confirm it, the newest first; nil once nothing can.
    private(set) var secrets: [UInt8]?

    /// Who is signed in is written by ``Purchases/signedIn(_:as:item:lower:_:_:)`` alone after that.
    static let table = RowTable<StoredPurchase>("purchase") {
        Column("id", .key) { $0.id }
        Column("device_id") { $0.device }
        Column("purchase_key") { $0.key }
        Column("fingerprint") { $0.fingerprint }
        Column("customer_id") { $0.customer }
        Column("app_id") { $0.app }
        Column("bundle_id") { $0.bundle }
        SoldItem.columns.of(.changing) { $0.item }
        Column("quantity") { $0.quantity }
        Column("total", .changing) { $0.total.minorUnits }
        Column("account_token") { $0.accountToken }
        Column("code", .changing) { $0.code }
        Column("confirmation_hash", .changing) { $0.secrets }
        Column("transaction_id", .changing) { $0.transaction }
        Column("opened_at") { $0.openedAt }
        Column("changed_at", .changing) { $0.changedAt }
        Column("expires_at", .changing) { $0.expiresAt }
        Column("history_count", .version) { $0.historyCount }
        Column("asks_to_buy") { $0.asksToBuy }
        Column("approver_id", .changing) { $0.approver }
        Column("whole_id") { $0.whole }
        Column("state", .changing) { $0.rules.state.rawValue }
        Column("failure", .changing) { $0.rules.failure?.rawValue }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        device = try cells.next()
        key = try cells.next()
        fingerprint = try cells.next()
        customer = try cells.next()
        app = try cells.next()
        bundle = try cells.next()
        item = try SoldItem(&cells)
        quantity = try cells.next()
        total = Money(minorUnits: try cells.next(), currency: item.unitPrice.currency)
        accountToken = try cells.next()
        code = try cells.next()
        secrets = try cells.next()
        transaction = try cells.next()
        openedAt = try cells.next()
        changedAt = try cells.next()
        expiresAt = try cells.next()
        historyCount = try cells.next()
        asksToBuy = try cells.next()
        approver = try cells.next()
        whole = try cells.next()
        guard let state = Purchase.State(rawValue: try cells.next()) else {
            throw DatabaseError(.unexpectedValue, "a purchase is in a state that this version does not know")
        }
        rules = Purchase(state: state, failure: try cells.next(as: String?.self).map(PurchaseFailure.init))
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
        secrets = request.confirmation.tokenHash
        asksToBuy = request.asksToBuy
        whole = request.whole
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
        case .approval: changed.expiresAt = times.commerce + PurchaseLimits.approval
        case .charging, .purchased, .declined, .cancelled, .failed:
            if state == .approval { changed.expiresAt = times.wall }
        }
        if !rules.state.canBeConfirmed { (changed.code, changed.secrets) = (nil, nil) }
        changed.historyCount += 1
        return changed
    }

    /// Whether it has ended by itself.
    func isOver(at times: StoreTimes) -> Bool {
        expiresAt <= (state == .approval ? times.commerce : times.wall)
    }

    /// The purchase at another price, under another code, with one more line in its history.
    func priced(as item: SoldItem, code: String, at times: StoreTimes) throws -> StoredPurchase {
        var priced = self
        priced.item = item
        priced.total = try item.unitPrice * quantity
        (priced.code, priced.secrets) = (code, nil)
        priced.changedAt = times.commerce
        priced.historyCount += 1
        return priced
    }

    /// The purchase with one more secret that confirms it. The last few are kept.
    func confirmed(by confirmation: Confirmation) -> StoredPurchase {
        var purchase = self
        let former = (secrets ?? []).prefix((PurchaseLimits.secrets - 1) * Confirmation.hashBytes)
        purchase.secrets = confirmation.tokenHash + former
        return purchase
    }

    /// Whether a secret confirms it.
    package func isConfirmed(by token: String) throws -> Bool {
        let (hash, secrets) = (try Confirmation.hash(of: token), secrets ?? [])
        return stride(from: 0, to: secrets.count, by: Confirmation.hashBytes).contains {
            secrets[$0...].prefix(Confirmation.hashBytes).elementsEqual(hash)
        }
    }

    /// The customer and the storefront it is for, once somebody has signed in.
    func requireScope() throws -> CustomerScope {
        guard let customer else {
            throw ServiceError(.notSignedIn, "no customer is signed in for the purchase \(id)")
        }
        return CustomerScope(customer: customer, app: app, bundle: bundle, storefront: item.storefront)
    }
}
