package import StoreDatabase
package import StoreModel
import StoreRules

/// What a customer got, as the books have it: a row of `store_transaction`, and whether it was taken back since.
///
/// ```swift
/// let mine = try transaction.query(StoreTransaction.selection + " WHERE store_transaction.customer_id = $1", customer) {
///     try StoreTransaction($0)
/// }
/// ```
package struct StoreTransaction: Hashable, Sendable {
    package var id: TransactionID
    /// The first transaction of the series; its own id, if it is that.
    package var originalID: TransactionID
    /// The order it was made for; nil for what a restore brought back.
    package var orderID: SaleID?
    /// The transaction that this one restored; nil for all that are not restores.
    package var restoredID: TransactionID?
    package var customerID: CustomerID
    /// The device that asked for it; nil for what no device asked for.
    package var deviceID: DeviceID?
    package var appID: AppID
    package var bundleID: BundleID
    package var itemID: ItemID
    package var productID: ProductID
    package var kind: ProductKind
    package var quantity: Int
    package var purchaseDate: Instant
    package var originalPurchaseDate: Instant
    /// The end of the paid period; auto-renewable subscriptions only, as are the two below.
    package var expiresDate: Instant?
    package var webOrderLineItemID: WebOrderLineItemID?
    package var groupID: SubscriptionGroupID?
    package var storefront: StorefrontCode
    /// What the customer paid, for the whole quantity.
    package var price: Money
    package var accountToken: AppAccountToken?
    package var reason: TransactionReason
    /// The offer by which it was cheaper; subscriptions only.
    package var offer: TransactionOffer?
    /// When an upgrade took its place; a row of its own.
    package var upgradedAt: Instant?
    /// Whether the customer bought it, or has it from somebody in the family.
    package var ownership = OwnershipType.purchased
    /// Whose purchase it was shared from; nil for what was not shared.
    package var sharedFrom: TransactionID?
    /// Whether it was taken back; never written with the transaction, which stays as it is.
    package var revocation: TransactionRevocation?

    package init(
        id: TransactionID, originalID: TransactionID, orderID: SaleID?, restoredID: TransactionID? = nil,
        customerID: CustomerID, deviceID: DeviceID?, appID: AppID, bundleID: BundleID, itemID: ItemID,
        productID: ProductID, kind: ProductKind, quantity: Int, purchaseDate: Instant, originalPurchaseDate: Instant,
        expiresDate: Instant? = nil, webOrderLineItemID: WebOrderLineItemID? = nil,
        groupID: SubscriptionGroupID? = nil, storefront: StorefrontCode, price: Money,
        accountToken: AppAccountToken? = nil, reason: TransactionReason = .purchase
    ) {
        self.id = id
        self.originalID = originalID
        self.orderID = orderID
        self.restoredID = restoredID
        self.customerID = customerID
        self.deviceID = deviceID
        self.appID = appID
        self.bundleID = bundleID
        self.itemID = itemID
        self.productID = productID
        self.kind = kind
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.webOrderLineItemID = webOrderLineItemID
        self.groupID = groupID
        self.storefront = storefront
        self.price = price
        self.accountToken = accountToken
        self.reason = reason
    }
}

extension StoreTransaction {
    /// The order it was made for, as its customer knows it.
    package var order: OrderID? {
        guard let orderID, let environment = id.environment else { return nil }
        return OrderID(orderID, in: environment)
    }
}

/// The offer that applied to a transaction.
package struct TransactionOffer: Hashable, Sendable {
    package let type: OfferType
    /// Nil of an introductory offer.
    package let id: String?
    package let mode: OfferDiscountType
    package let period: BillingPeriod

    init(_ terms: OfferTerms) {
        (type, id, mode, period) = (terms.kind.type, terms.id, terms.mode.discountType, terms.period)
    }

    /// The columns that ``next(in:)`` reads.
    static let columns = Columns<TransactionOffer?> {
        Column("offer_type") { $0?.type.rawValue }
        Column("offer_id") { $0?.id }
        Column("offer_mode") { $0?.mode.rawValue }
        Column("offer_period") { $0?.period }
    }

    /// The offer; nil where the columns are NULL.
    static func next(in cells: inout RowCells) throws -> TransactionOffer? {
        guard let type = try cells.next(as: Int?.self) else {
            cells.skip(3)
            return nil
        }
        return try TransactionOffer(
            type: OfferType(rawValue: type), id: cells.next(), mode: OfferDiscountType(rawValue: cells.next()),
            period: cells.next())
    }

    private init(type: OfferType, id: String?, mode: OfferDiscountType, period: BillingPeriod) {
        (self.type, self.id, self.mode, self.period) = (type, id, mode, period)
    }
}

/// That a transaction was revoked: a row of `transaction_revocation`.
package struct TransactionRevocation: Hashable, Sendable {
    package let reason: RevocationReason
    package let revokedAt: Instant
    /// The refund it came with; nil if it was revoked without one.
    package let refund: RefundID?
    /// What the refund gave back of the price, in thousandths of a percent.
    package let percentage: Int?

    package init(reason: RevocationReason, revokedAt: Instant, refund: RefundID? = nil, percentage: Int? = nil) {
        self.reason = reason
        self.revokedAt = revokedAt
        self.refund = refund
        self.percentage = percentage
    }

    /// All of a price, in thousandths of a percent.
    static let wholePercentage = 100_000
}

extension StoreTransaction {
    /// The transaction as the store signs it.
    ///
    /// - Parameters:
    ///   - appTransaction: the customer's download of the app.
    ///   - instant: when it is signed.
    package func payload(
        in environment: StoreEnvironment, appTransaction: AppTransactionID?, signedAt instant: Instant
    ) -> TransactionPayload {
        var payload = TransactionPayload(
            transactionId: id, originalTransactionId: originalID, bundleId: bundleID, productId: productID, type: kind,
            purchaseDate: purchaseDate, originalPurchaseDate: originalPurchaseDate, quantity: quantity,
            inAppOwnershipType: ownership, environment: WireEnvironment(environment), signedDate: instant,
            storefront: storefront, storefrontId: storefront.storefront?.id, transactionReason: reason,
            // Left out rather than rounded: a sale that was paid must not fail for the form of its price.
            price: try? price.milliunits(), currency: CurrencyCode(price.currency), appTransactionId: appTransaction,
            webOrderLineItemId: webOrderLineItemID, subscriptionGroupIdentifier: groupID, expiresDate: expiresDate,
            appAccountToken: accountToken)
        if upgradedAt != nil { payload.isUpgraded = true }
        if let offer {
            (payload.offerType, payload.offerIdentifier) = (offer.type, offer.id)
            (payload.offerDiscountType, payload.offerPeriod) = (offer.mode, offer.period)
        }
        if let revocation {
            payload.revocationDate = revocation.revokedAt
            payload.revocationReason = revocation.reason
            if revocation.refund != nil {
                let percentage = revocation.percentage ?? TransactionRevocation.wholePercentage
                payload.revocationType =
                    percentage == TransactionRevocation.wholePercentage ? .fullRefund : .proratedRefund
                payload.revocationPercentage = percentage
            } else if ownership == .familyShared {
                payload.revocationType = .familyRevoke
            }
        }
        return payload
    }
}

extension StoreTransaction {
    static let table = RowTable<StoreTransaction>("store_transaction") {
        Column("id") { $0.id }
        Column("original_id") { $0.originalID }
        Column("order_id") { $0.orderID }
        Column("restored_id") { $0.restoredID }
        Column("customer_id") { $0.customerID }
        Column("device_id") { $0.deviceID }
        Column("app_id") { $0.appID }
        Column("bundle_id") { $0.bundleID }
        Column("item_id") { $0.itemID }
        Column("product_id") { $0.productID }
        Column("kind") { $0.kind }
        Column("quantity") { $0.quantity }
        Column("purchase_date") { $0.purchaseDate }
        Column("original_purchase_date") { $0.originalPurchaseDate }
        Column("expires_date") { $0.expiresDate }
        Column("web_order_line_item_id") { $0.webOrderLineItemID }
        Column("group_id") { $0.groupID }
        Column("storefront") { $0.storefront }
        Column("price") { $0.price.minorUnits }
        Column("currency") { $0.price.currency }
        Column("account_token") { $0.accountToken }
        Column("reason") { $0.reason }
        Column("ownership") { $0.ownership }
        Column("shared_from") { $0.sharedFrom }
        TransactionOffer.columns.of { $0.offer }
    }

    /// The columns that ``init(_:)`` reads, in its order, from ``tables``.
    package static let columns: SQL = """
        \(table.qualifiedColumns), transaction_upgrade.upgraded_at, \(TransactionRevocation.columns)
        """

    /// Transactions, and beside each what took it back.
    package static let tables: SQL = """
        store_transaction LEFT JOIN transaction_revocation
            ON transaction_revocation.transaction_id = store_transaction.id
            LEFT JOIN transaction_upgrade ON transaction_upgrade.transaction_id = store_transaction.id
        """

    /// A query for transactions, to which a condition is added.
    package static let selection: SQL = "SELECT \(columns) FROM \(tables)"

    /// Reads a row of ``columns``.
    package init(_ row: Row) throws {
        var cells = row.cells
        try self.init(&cells)
    }

    /// Reads ``columns``, of a row that has others behind them.
    init(_ cells: inout RowCells) throws {
        try self.init(
            id: cells.next(), originalID: cells.next(), orderID: cells.next(), restoredID: cells.next(),
            customerID: cells.next(), deviceID: cells.next(), appID: cells.next(), bundleID: cells.next(),
            itemID: cells.next(), productID: cells.next(), kind: cells.next(), quantity: cells.next(),
            purchaseDate: cells.next(), originalPurchaseDate: cells.next(), expiresDate: cells.next(),
            webOrderLineItemID: cells.next(), groupID: cells.next(), storefront: cells.next(),
            price: cells.nextMoney(), accountToken: cells.next(), reason: cells.next())
        (ownership, sharedFrom) = try (cells.next(), cells.next())
        offer = try TransactionOffer.next(in: &cells)
        upgradedAt = try cells.next()
        revocation = try TransactionRevocation.next(in: &cells)
    }

    /// Writes the row, once and for all. What took the transaction back has a row of its own.
    package func insert(in transaction: any WriteTransaction) throws {
        try transaction.insert(self, into: Self.table)
        if restoredID == nil { try TransactionRevisions.advance(id, in: transaction) }
    }
}

extension TransactionRevocation {
    /// The columns that ``next(in:)`` reads.
    static let columns: SQL = """
        transaction_revocation.revoked_at, transaction_revocation.reason, transaction_revocation.refund_id,
        transaction_revocation.percentage
        """

    /// What revoked a transaction; nil where the columns are NULL.
    static func next(in cells: inout RowCells) throws -> TransactionRevocation? {
        guard let revokedAt = try cells.next(as: Instant?.self) else {
            cells.skip(3)
            return nil
        }
        return try TransactionRevocation(
            reason: cells.next(), revokedAt: revokedAt, refund: cells.next(), percentage: cells.next())
    }
}
