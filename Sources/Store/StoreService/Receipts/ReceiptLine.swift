import StoreDatabase
package import StoreModel
import StoreRules

/// The transactions that receipts tell of.
enum ReceiptTransactions {
    static let selection: SQL = """
        SELECT \(ReceiptLineReader.columns) FROM \(StoreTransaction.tables)
        WHERE store_transaction.customer_id = $1 AND store_transaction.app_id = $2
            AND store_transaction.restored_id IS NULL
            AND (store_transaction.kind <> 'Consumable' OR NOT EXISTS (
                SELECT 1 FROM transaction_finish WHERE transaction_finish.transaction_id = store_transaction.id))
        ORDER BY store_transaction.id
        """

    /// Everything a customer has bought in an app, less the consumables that were finished: the oldest first. What a
    /// restore repeats is told once.
    static func all(
        of customer: CustomerID, in app: AppID, _ transaction: any ReadTransaction
    ) throws -> [ReceiptLine] {
        var reader = ReceiptLineReader()
        return try transaction.query(selection, customer, app) { try reader.read($0) }
    }

    static let newest: SQL =
        StoreTransaction.selection + """
             WHERE store_transaction.original_id = $1 AND store_transaction.restored_id IS NULL
            ORDER BY store_transaction.id DESC LIMIT 1
            """

    /// The period of a subscription that was sold last; nil if it is none of the customer's. One of another product that was
    /// charged ahead is told from its beginning on.
    static func newest(
        of original: TransactionID, of customer: CustomerID, at now: Instant, _ transaction: any ReadTransaction
    ) throws -> StoreTransaction? {
        guard let found = try transaction.optional(newest, original, row: StoreTransaction.init),
            found.customerID == customer
        else { return nil }
        guard found.purchaseDate > now else { return found }
        let running = try Subscriptions.transactions(of: original, endingAfter: now, in: transaction).last {
            $0.purchaseDate <= now && $0.revocation == nil && $0.upgradedAt == nil
        }
        return running.flatMap { $0.productID == found.productID ? nil : $0 } ?? found
    }

    /// Those that an app receipt lists: of subscriptions only the newest periods.
    static func listed(_ transactions: [ReceiptLine]) -> [ReceiptLine] {
        var excess = transactions.count { $0.kind == .autoRenewable } - ReceiptLimits.periods
        guard excess > 0 else { return transactions }
        return transactions.filter { transaction in
            guard transaction.kind == .autoRenewable, excess > 0 else { return true }
            excess -= 1
            return false
        }
    }
}

/// A transaction as receipts and `verifyReceipt` tell of it: less than half of what the books have, and so read in half the
/// time where there are thousands.
package struct ReceiptLine: Sendable {
    package let id: TransactionID
    package let originalID: TransactionID
    package let productID: ProductID
    package let kind: ProductKind
    package let quantity: Int
    package let purchaseDate: Instant
    package let originalPurchaseDate: Instant
    package let expiresDate: Instant?
    package let webOrderLineItemID: WebOrderLineItemID?
    package let standing: ReceiptStanding
    /// Whether an upgrade took its place.
    package let isUpgraded: Bool
}

/// Reads lines, one row after the other; what all of them have in common is read once.
struct ReceiptLineReader {
    /// The columns that ``read(_:)`` reads, in its order, from `StoreTransaction.tables`.
    static let columns: SQL = """
        store_transaction.id, store_transaction.original_id, store_transaction.product_id, store_transaction.kind,
        store_transaction.quantity, store_transaction.purchase_date, store_transaction.original_purchase_date,
        store_transaction.expires_date, store_transaction.web_order_line_item_id, \(ReceiptStandingReader.columns),
        transaction_upgrade.transaction_id
        """

    private var product = RepeatedValue<ProductID>()
    private var kind = RepeatedValue<ProductKind>()
    private var standing = ReceiptStandingReader()

    mutating func read(_ row: Row) throws -> ReceiptLine {
        var cells = row.cells
        return try ReceiptLine(
            id: cells.next(), originalID: cells.next(), productID: product.read(&cells), kind: kind.read(&cells),
            quantity: cells.next(), purchaseDate: cells.next(), originalPurchaseDate: cells.next(),
            expiresDate: cells.next(), webOrderLineItemID: cells.next(), standing: standing.read(&cells),
            isUpgraded: cells.next(as: Int64?.self) != nil)
    }
}

/// What the books say today of a transaction besides what was sold: a receipt does not say it, or not any more.
package struct ReceiptStanding: Hashable, Sendable {
    package let groupID: SubscriptionGroupID?
    package let accountToken: AppAccountToken?
    package let ownership: OwnershipType
    package let offer: ReceiptOffer?
    package let revocation: TransactionRevocation?

    init(
        groupID: SubscriptionGroupID?, accountToken: AppAccountToken?, ownership: OwnershipType, offer: ReceiptOffer?,
        revocation: TransactionRevocation?
    ) {
        self.groupID = groupID
        self.accountToken = accountToken
        self.ownership = ownership
        self.offer = offer
        self.revocation = revocation
    }

    init(_ transaction: StoreTransaction) {
        self.init(
            groupID: transaction.groupID, accountToken: transaction.accountToken, ownership: transaction.ownership,
            offer: transaction.offer.map(ReceiptOffer.init), revocation: transaction.revocation)
    }
}

/// Reads standings, one row after the other; what all of them have in common is read once.
struct ReceiptStandingReader {
    /// The columns that ``read(_:)`` reads, in its order.
    static let columns: SQL = """
        store_transaction.group_id, store_transaction.account_token, store_transaction.ownership, store_transaction.offer_type,
        store_transaction.offer_id, store_transaction.offer_mode, \(TransactionRevocation.columns)
        """

    private var group = RepeatedValue<SubscriptionGroupID?>()
    private var accountToken = RepeatedValue<AppAccountToken?>()
    private var ownership = RepeatedValue<OwnershipType>()

    mutating func read(_ cells: inout RowCells) throws -> ReceiptStanding {
        try ReceiptStanding(
            groupID: group.read(&cells), accountToken: accountToken.read(&cells), ownership: ownership.read(&cells),
            offer: ReceiptOffer.next(in: &cells), revocation: TransactionRevocation.next(in: &cells))
    }
}

/// An offer, as receipts tell of it.
package struct ReceiptOffer: Hashable, Sendable {
    private let type: OfferType
    private let id: String?
    private let mode: OfferDiscountType

    init(_ offer: TransactionOffer) {
        self.init(type: offer.type, id: offer.id, mode: offer.mode)
    }

    init(_ terms: OfferTerms) {
        self.init(type: terms.kind.type, id: terms.id, mode: terms.mode.discountType)
    }

    private init(type: OfferType, id: String?, mode: OfferDiscountType) {
        self.type = type
        self.id = id
        self.mode = mode
    }

    /// The offer; nil where the columns are NULL.
    static func next(in cells: inout RowCells) throws -> ReceiptOffer? {
        guard let type = try cells.next(as: Int?.self) else {
            cells.skip(2)
            return nil
        }
        return try ReceiptOffer(
            type: OfferType(rawValue: type), id: cells.next(), mode: OfferDiscountType(rawValue: cells.next()))
    }

    /// Whether it is a free trial. Only introductory ones are told so: servers take it for a sign that the customer has used
    /// up the introductory offer of the group.
    package var isTrial: Bool { type == .introductory && mode == .freeTrial }
    /// Whether it is an introductory price.
    package var isIntroductory: Bool { type == .introductory && mode != .freeTrial }
    package var promotionalID: String? { type == .promotional ? id : nil }
    /// The reference name of the offer whose code was redeemed.
    package var codeName: String? { type == .offerCode ? id : nil }
}

/// Reads a text of a column that many rows after one another have in common: it is made into a value once for all of them.
struct RepeatedValue<Value: ColumnValue> {
    private var text = ""
    private var value: Value?

    /// The next cell of a row.
    mutating func read(_ cells: inout RowCells) throws -> Value {
        if let value, cells.skip(ifHolding: text) { return value }
        let read = try cells.next(as: Value.self)
        if case .text(let text) = read.databaseValue { (self.text, value) = (text, read) }
        return read
    }
}
