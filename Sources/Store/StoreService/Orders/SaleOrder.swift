import Foundation
import StoreCatalogue
package import StoreDatabase
package import StoreModel
package import StoreRules
import Synchronization

/// What was sold, to whom and on which terms: a row of `sale_order`, written once.
///
/// An order has no states. Its money is a charge; one that costs nothing has none.
package struct SaleOrder: Hashable, Sendable {
    package let id: SaleID
    package let origin: Origin
    package let scope: CustomerScope
    /// The device that asked for it; nil for what no device asked for.
    package let device: DeviceID?
    package let item: SoldItem
    package let quantity: Int
    /// The price of all of it, and what the store keeps of that.
    package let total: Money
    package let commission: Money
    /// The first transaction of the series that it continues; nil if it begins one.
    package let original: TransactionID?
    /// Of subscriptions.
    package let orderLine: WebOrderLineItemID?
    package let accountToken: AppAccountToken?
    /// Of a renewal.
    let renewal: Renewal?
    package let orderedAt: Instant

    /// Which renewal of which subscription an order is.
    package struct Renewal: Hashable, Sendable {
        let subscription: SubscriptionID
        /// Counted from 1; each is ordered once.
        let number: Int
    }

    /// What made an order; more may be added.
    package struct Origin: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A purchase on a device.
        package static let purchase = Origin(rawValue: "purchase")
        /// A sale by the operator, without a question.
        package static let `operator` = Origin(rawValue: "operator")
        /// Another period of a subscription.
        package static let renewal = Origin(rawValue: "renewal")
    }

    /// What one cost.
    package var unitPrice: Money { item.unitPrice }

    /// - Parameter rate: what the store keeps of the price.
    package init(
        _ id: SaleID, _ origin: Origin, of item: SoldItem, quantity: Int, to scope: CustomerScope,
        device: DeviceID? = nil, commission rate: Proportion, continuing original: TransactionID? = nil,
        orderLine: WebOrderLineItemID?, accountToken: AppAccountToken? = nil, renewing renewal: Renewal? = nil,
        at commerce: Instant
    ) throws {
        let sale = try Sale(unitPrice: item.unitPrice, quantity: quantity, commission: rate)
        self.id = id
        self.origin = origin
        self.scope = scope
        self.device = device
        self.item = item
        self.quantity = quantity
        total = sale.total
        commission = sale.commission
        self.original = original
        self.orderLine = item.kind == .autoRenewable ? orderLine : nil
        self.accountToken = accountToken
        self.renewal = renewal
        orderedAt = commerce
    }

    /// What a repeated request for an order without a purchase has to be the same in; nil for all others.
    private var key: Key?
    /// The request that made it.
    private var request: String?
    /// Who made it; nil for orders from before that was noted.
    package private(set) var actor: String?

    static let table = RowTable<SaleOrder>("sale_order") {
        Column("id") { $0.id }
        Column("origin") { $0.origin.rawValue }
        Column("customer_id") { $0.scope.customer }
        Column("device_id") { $0.device }
        Column("app_id") { $0.scope.app }
        Column("bundle_id") { $0.scope.bundle }
        SoldItem.columns.of { $0.item }
        Column("quantity") { $0.quantity }
        Column("total") { $0.total.minorUnits }
        Column("commission") { $0.commission.minorUnits }
        Column("original_id") { $0.original }
        Column("order_line") { $0.orderLine }
        Column("account_token") { $0.accountToken }
        Column("order_key") { $0.key?.key }
        Column("fingerprint") { $0.key?.fingerprint }
        Column("request_id") { $0.request }
        Column("ordered_at") { $0.orderedAt }
        Column("subscription_id") { $0.renewal?.subscription }
        Column("subscription_order") { $0.renewal?.number }
        Column("actor") { $0.actor }
    }

    init(_ row: Row) throws {
        var cells = row.cells
        id = try cells.next()
        origin = Origin(rawValue: try cells.next())
        let customer = try cells.next(as: CustomerID.self)
        device = try cells.next()
        let (app, bundle) = (try cells.next(as: AppID.self), try cells.next(as: BundleID.self))
        item = try SoldItem(&cells)
        scope = CustomerScope(customer: customer, app: app, bundle: bundle, storefront: item.storefront)
        quantity = try cells.next()
        let currency = item.unitPrice.currency
        total = Money(minorUnits: try cells.next(), currency: currency)
        commission = Money(minorUnits: try cells.next(), currency: currency)
        original = try cells.next()
        orderLine = try cells.next()
        accountToken = try cells.next()
        let (key, fingerprint) = (try cells.next(as: PurchaseKey?.self), try cells.next(as: [UInt8]?.self))
        self.key = key.flatMap { key in fingerprint.map { Key(key: key, fingerprint: $0) } }
        request = try cells.next()
        orderedAt = try cells.next()
        let subscription = try cells.next(as: SubscriptionID?.self)
        let number = try cells.next(as: Int?.self)
        renewal = subscription.flatMap { id in number.map { Renewal(subscription: id, number: $0) } }
        actor = try cells.next()
    }
}

// MARK: Rows

extension SaleOrder {
    /// Names an order that no device asked for, so that a repeated request makes one.
    package struct Key: Hashable, Sendable {
        package let key: PurchaseKey
        /// What a repeated request has to be the same in.
        package let fingerprint: [UInt8]
    }

    package func insert(key: Key? = nil, _ change: Change) throws {
        var order = self
        (order.key, order.request, order.actor) = (key, change.cause.request, change.actor.text)
        try change.transaction.insert(order, into: Self.table)
    }

    package static func find(_ id: SaleID, in transaction: any ReadTransaction) throws -> SaleOrder? {
        try transaction.optional("SELECT \(table.columns) FROM sale_order WHERE id = $1", id, row: SaleOrder.init)
    }

    /// The orders with these numbers.
    static func find(all ids: [SaleID], in transaction: any ReadTransaction) throws -> [SaleID: SaleOrder] {
        let found = try transaction.query(
            "SELECT \(table.columns) FROM sale_order WHERE id IN \(.numbers)", of: ids, row: SaleOrder.init)
        return Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) })
    }

    static func require(_ id: SaleID, in transaction: any ReadTransaction) throws -> SaleOrder {
        guard let found = try find(id, in: transaction) else {
            throw ServiceError(.purchaseUnknown, "there is no order \(id)")
        }
        return found
    }

    /// The order that a key names, if the request is the same.
    static func find(_ key: Key, in transaction: any ReadTransaction) throws -> SaleOrder? {
        let found = try transaction.optional(
            "SELECT fingerprint, id FROM sale_order WHERE order_key = $1", key.key
        ) { row in
            var cells = row.cells
            return (try cells.next(as: [UInt8]?.self), try cells.next(as: SaleID.self))
        }
        guard let (fingerprint, id) = found else { return nil }
        guard fingerprint == key.fingerprint else { throw ServiceError.keyReused }
        return try find(id, in: transaction)
    }

    /// The order that a request made without a purchase.
    static func find(request: String, in transaction: any ReadTransaction) throws -> SaleID? {
        try transaction.query(
            """
            SELECT id FROM sale_order WHERE origin <> 'purchase' AND request_id = $1 AND request_id IS NOT NULL
            ORDER BY id LIMIT 1
            """, request
        ) { try $0.value(0, as: SaleID.self) }.first
    }

    /// The numbers of the orders without a purchase after one, in their order; of a customer, if one is named.
    static func unasked(
        of customer: CustomerID?, after id: Int64, limit: Int, in transaction: any ReadTransaction
    ) throws -> [SaleID] {
        let row: (Row) throws -> SaleID = { try $0.value(0) }
        guard let customer else {
            return try transaction.query(
                "SELECT id FROM sale_order WHERE origin <> 'purchase' AND id > $1 ORDER BY id LIMIT $2", id, limit,
                row: row)
        }
        return try transaction.query(
            """
            SELECT id FROM sale_order WHERE origin <> 'purchase' AND customer_id = $1 AND id > $2 ORDER BY id LIMIT $3
            """, customer, id, limit, row: row)
    }

    /// The number of the newest order without a purchase.
    static func newestUnasked(in transaction: any ReadTransaction) throws -> SaleID? {
        try transaction.query("SELECT id FROM sale_order WHERE origin <> 'purchase' ORDER BY id DESC LIMIT 1") {
            try $0.value(0, as: SaleID.self)
        }.first
    }
}

extension ServiceError {
    static let keyReused = ServiceError(
        .keyReused, "this key opened a purchase of something else; every purchase has a key of its own",
        parameter: "Idempotency-Key")
}

/// What of a product a sale has to know, as the catalogue said it.
package struct SoldItem: Hashable, Sendable {
    package let id: ItemID
    package let product: ProductID
    package let kind: ProductKind
    /// Of subscriptions.
    package let period: BillingPeriod?
    package let group: SubscriptionGroupID?
    package let unitPrice: Money
    package let storefront: StorefrontCode
    /// Of subscriptions: the rank in the group, 1 for the highest service.
    package private(set) var level: Int?
    /// Of subscriptions: the offer that makes the price lower, and what a period costs without it.
    package private(set) var offer: OfferTerms?
    package private(set) var regularPrice: Money

    package init(
        id: ItemID, product: ProductID, kind: ProductKind, period: BillingPeriod?, group: SubscriptionGroupID?,
        unitPrice: Money, storefront: StorefrontCode, level: Int? = nil
    ) {
        self.id = id
        self.product = product
        self.kind = kind
        self.period = period
        self.group = group
        self.unitPrice = unitPrice
        self.storefront = storefront
        self.level = level
        regularPrice = unitPrice
    }

    /// A product as a storefront sells it.
    init(_ listing: ProductListing, _ storefront: StorefrontCode) {
        self.init(
            id: listing.product.itemID, product: listing.product.productID, kind: listing.product.kind,
            period: listing.product.period, group: listing.product.groupID, unitPrice: listing.price,
            storefront: storefront, level: listing.product.level)
    }

    /// A period of a subscription.
    init(_ plan: SubscriptionPlan, _ offer: OfferTerms?, group: SubscriptionGroupID?, storefront: StorefrontCode) {
        self.init(
            id: plan.item, product: plan.product, kind: .autoRenewable, period: plan.period, group: group,
            unitPrice: offer?.price ?? plan.price, storefront: storefront, level: plan.level)
        (self.offer, regularPrice) = (offer, plan.price)
    }

    /// The same at the price of an offer.
    func offered(_ offer: OfferTerms) -> SoldItem {
        guard let plan else { return self }
        return SoldItem(plan, offer, group: group, storefront: storefront)
    }

    /// What it is as a subscription that renews; nil if it is none.
    var plan: SubscriptionPlan? {
        guard kind == .autoRenewable, let period else { return nil }
        return SubscriptionPlan(item: id, product: product, period: period, level: level, price: regularPrice)
    }

    /// What of an order or a purchase tells its item.
    static let columns = Columns<SoldItem> {
        Column("item_id") { $0.id }
        Column("product_id") { $0.product }
        Column("kind") { $0.kind }
        Column("period") { $0.period }
        Column("group_id") { $0.group }
        Column("storefront") { $0.storefront }
        Column("unit_price") { $0.unitPrice.minorUnits }
        Column("currency") { $0.unitPrice.currency }
        Column("level") { $0.level }
        Column("regular_price") { item in item.offer.map { _ in item.regularPrice.minorUnits } }
        OfferTerms.columns.of { $0.offer }
    }

    /// Reads ``columns``.
    init(_ cells: inout RowCells) throws {
        id = try cells.next()
        product = try cells.next()
        kind = try cells.next()
        period = try cells.next()
        group = try cells.next()
        storefront = try cells.next()
        unitPrice = try cells.nextMoney()
        let currency = unitPrice.currency
        level = try cells.next()
        let regular = try cells.next(as: Int64?.self).map { Money(minorUnits: $0, currency: currency) }
        regularPrice = regular ?? unitPrice
        offer = try OfferTerms.next(in: &cells, currency: currency)
    }
}

extension ProductKind {
    /// Whether an account has one of it: it is not sold again while it is owned, and not sold twice at once.
    package var isOwnedOnce: Bool { self != .consumable && self != .nonRenewing }
    /// Whether a restore brings it back.
    package var isRestored: Bool { [.nonConsumable, .autoRenewable, .freeSubscription].contains(self) }
}

/// Prices as people of a storefront write them. Making one takes far longer than finding one, and there are few.
package final class PriceText: Sendable {
    private struct Key: Hashable {
        let price: Money
        let locale: String
    }

    /// How many are remembered; beyond that all are forgotten.
    private static let limit = 20_000
    private let texts = Mutex<[Key: String]>([:])

    package init() {}

    /// - Parameters:
    ///   - language: in which the price is shown, such as `de-DE`.
    ///   - storefront: whose habits count where the language leaves it open.
    package func text(of price: Money, language: String, storefront: StorefrontRecord) -> String {
        let locale = Self.locale(language, storefront)
        let key = Key(price: price, locale: locale)
        if let known = texts.withLock({ $0[key] }) { return known }
        let text = Self.make(price, locale)
        texts.withLock { texts in
            if texts.count >= Self.limit { texts.removeAll() }
            texts[key] = text
        }
        return text
    }

    /// A language with the country of the storefront: Germans in Austria read prices as Austrians write them.
    private static func locale(_ language: String, _ storefront: StorefrontRecord) -> String {
        let parts = language.split(separator: "-")
        let script = parts.dropFirst().first { $0.count == 4 }.map { "_\($0)" } ?? ""
        return "\(parts.first ?? "en")\(script)_\(storefront.alpha2)"
    }

    /// As apps write the price of an `SKProduct` with its `priceLocale`.
    private static func make(_ price: Money, _ locale: String) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = Locale(identifier: "\(locale)@currency=\(price.currency.code)")
        let amount = Decimal(string: price.decimalText, locale: Locale(identifier: "en_US_POSIX"))
        return amount.flatMap { formatter.string(from: NSDecimalNumber(decimal: $0)) }
            ?? "\(price.decimalText) \(price.currency)"
    }
}
