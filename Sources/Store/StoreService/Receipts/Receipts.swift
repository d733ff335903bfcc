package import StoreDatabase
package import StoreModel
package import StoreSigning

/// What an app shows to prove what was bought in it: a receipt of its own for each device, and one for each transaction in
/// the form of iOS 6.
package enum Receipts {
    /// How many bytes of ``appReceipt(of:in:opaqueValue:at:in:)`` nobody must be able to guess.
    package static let opaqueBytes = 16

    /// The receipt of an app on a device, to be signed.
    ///
    /// It is there from the first moment on, also where nothing was bought and nobody is signed in.
    ///
    /// - Parameters:
    ///   - opaqueValue: so many random bytes as ``opaqueBytes`` says, drawn for this receipt.
    ///   - instant: when it is made, by the clock of the environment.
    package static func appReceipt(
        of device: DeviceID, in environment: StoreEnvironment, opaqueValue: [UInt8], at instant: Instant,
        in transaction: any ReadTransaction
    ) throws -> AppReceipt {
        try appReceipt(
            ReceiptDevice(device, in: transaction), in: environment, opaqueValue: opaqueValue, at: instant,
            transaction)
    }

    /// The receipt of an app for the customer of a transaction, as an operator gets it who has no device.
    package static func appReceipt(
        ofCustomerOf purchased: StoreTransaction, in environment: StoreEnvironment, opaqueValue: [UInt8],
        at instant: Instant, in transaction: any ReadTransaction
    ) throws -> AppReceipt {
        try appReceipt(
            ReceiptDevice(ofOperatorFor: purchased), in: environment, opaqueValue: opaqueValue, at: instant,
            transaction)
    }

    private static func appReceipt(
        _ device: ReceiptDevice, in environment: StoreEnvironment, opaqueValue: [UInt8], at instant: Instant,
        _ transaction: any ReadTransaction
    ) throws -> AppReceipt {
        var receipt = try AppReceipt(
            type: ReceiptType(environment), bundleID: device.bundleID.text, applicationVersion: device.appVersion,
            creationDate: instant, opaqueValue: opaqueValue,
            deviceHash: DeviceHash.compute(
                identifier: device.identifier, opaqueValue: opaqueValue, bundleID: device.bundleID.text))
        switch environment {
        case .production:
            receipt.appID = device.appID.number
            receipt.downloadID = device.appTransactionID.number
            receipt.originalPurchaseDate = device.registeredAt
            receipt.originalApplicationVersion = device.originalAppVersion
        case .sandbox:
            receipt.originalPurchaseDate = sandboxPurchaseDate
            receipt.originalApplicationVersion = "1.0"
        }
        if let customer = device.customerID {
            let transactions = try ReceiptTransactions.all(of: customer, in: device.appID, transaction)
            receipt.purchases = ReceiptTransactions.listed(transactions).map(PurchaseReceipt.init)
        }
        return receipt
    }

    /// The receipt of a transaction for the app on a device, to be signed.
    package static func transactionReceipt(
        of purchased: StoreTransaction, for device: DeviceID, in environment: StoreEnvironment,
        in transaction: any ReadTransaction
    ) throws -> TransactionReceipt {
        try TransactionReceipt(purchased, on: ReceiptDevice(device, in: transaction), in: environment)
    }

    /// The receipt of a transaction, as an operator gets it who has no device.
    package static func transactionReceipt(
        of purchased: StoreTransaction, in environment: StoreEnvironment
    ) throws -> TransactionReceipt {
        try TransactionReceipt(purchased, on: ReceiptDevice(ofOperatorFor: purchased), in: environment)
    }

    /// When every app of the App Store's sandbox was bought: 2013-08-01 07:00:00 GMT.
    private static let sandboxPurchaseDate = Instant(millisecondsSinceEpoch: 1_375_340_400_000)
}

/// The transactions that receipts tell of.
enum ReceiptTransactions {
    private static let selection: SQL = """
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

/// How much a receipt holds.
package enum ReceiptLimits {
    /// How many periods of auto-renewable subscriptions an app receipt lists; the newest ones. Everything else is listed
    /// whole, however long a subscription ran. The answer of `verifyReceipt` tells of all periods.
    package static let periods = 200
    /// Up to how many transactions are looked up at once, without waiting for a thread that reads.
    static let lookedUp = 32
    /// How many bytes of genuine receipts are remembered, so that nobody has to verify them again. What they say takes room
    /// besides.
    static let recentBytes = 8 << 20
    /// A receipt is remembered when it comes again before so many others have: about as many as there is room for. Most come
    /// once, and are not worth it.
    static let noticedReceipts = 1024
    /// The longest receipt that is remembered: a few dozen purchases.
    static let rememberedBytes = 32 << 10
}

extension ReceiptProperties {
    /// How long ago the time of a receipt has passed that has expired.
    private static let age = Duration.seconds(24 * 60 * 60)

    /// Makes a receipt that way. Only receipts of volume purchases can expire; taken back are the purchases in a receipt.
    package func apply(to receipt: inout AppReceipt) {
        if isVolumePurchase || isExpired { receipt.type = .volumePurchaseSandbox }
        if isExpired { receipt.expirationDate = receipt.creationDate - Self.age }
        guard isRevoked else { return }
        for index in receipt.purchases.indices where receipt.purchases[index].cancellationDate == nil {
            receipt.purchases[index].cancellationDate = receipt.creationDate
        }
    }
}

extension PurchaseReceipt {
    /// A transaction as an app receipt lists it. Receipts count in whole seconds.
    init(_ transaction: ReceiptLine) {
        self.init(
            quantity: Int64(transaction.quantity), productID: transaction.productID.text,
            transactionID: transaction.id.description, originalTransactionID: transaction.originalID.description,
            purchaseDate: transaction.purchaseDate, originalPurchaseDate: transaction.originalPurchaseDate,
            kind: Kind(transaction.kind), expirationDate: transaction.expiresDate,
            webOrderLineItemID: transaction.webOrderLineItemID?.number,
            cancellationDate: transaction.revocation?.revokedAt,
            cancellationReason: transaction.revocation.map { Int64($0.reason.rawValue) }, isTrialPeriod: false,
            isInIntroductoryPeriod: transaction.kind == .autoRenewable ? false : nil)
    }
}

extension PurchaseReceipt.Kind {
    /// The number of a kind; nil for kinds that receipts have none for.
    init?(_ kind: ProductKind) {
        switch kind {
        case .nonConsumable: self = .nonConsumable
        case .consumable: self = .consumable
        case .nonRenewing: self = .nonRenewing
        case .autoRenewable: self = .autoRenewable
        default: return nil
        }
    }
}

extension TransactionReceipt {
    /// A transaction in the form of iOS 6.
    init(_ transaction: StoreTransaction, on device: ReceiptDevice, in environment: StoreEnvironment) throws {
        self.init(
            productID: "", transactionID: "", originalTransactionID: "", purchaseDate: transaction.purchaseDate,
            originalPurchaseDate: transaction.originalPurchaseDate, itemID: "",
            bundleID: transaction.bundleID.text, applicationVersion: device.appVersion,
            // The form asks for forty hexadecimal digits, however long identifiers of devices are.
            uniqueIdentifier: Hexadecimal.encode(try DigestAlgorithm.sha1.digest(device.identifier)),
            uniqueVendorIdentifier: device.vendorIdentifier)
        take(transaction)
        if environment == .production {
            appItemID = transaction.appID.description
            versionExternalIdentifier = "0"
        }
    }

    /// Tells of another transaction, for the same app on the same device.
    mutating func take(_ transaction: StoreTransaction) {
        quantity = Int64(transaction.quantity)
        productID = transaction.productID.text
        transactionID = transaction.id.description
        originalTransactionID = transaction.originalID.description
        purchaseDate = transaction.purchaseDate
        originalPurchaseDate = transaction.originalPurchaseDate
        itemID = transaction.itemID.description
        expirationDate = transaction.expiresDate
        webOrderLineItemID = transaction.webOrderLineItemID?.description
        isTrialPeriod = transaction.kind == .autoRenewable ? false : nil
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
    package let groupID: SubscriptionGroupID?
    package let accountToken: AppAccountToken?
    package let ownership: OwnershipType
    package let revocation: TransactionRevocation?
}

/// Reads lines, one row after the other; what all of them have in common is read once.
struct ReceiptLineReader {
    /// The columns that ``read(_:)`` reads, in its order, from `StoreTransaction.tables`.
    static let columns: SQL = """
        store_transaction.id, store_transaction.original_id, store_transaction.product_id, store_transaction.kind,
        store_transaction.quantity, store_transaction.purchase_date, store_transaction.original_purchase_date,
        store_transaction.expires_date, store_transaction.web_order_line_item_id, store_transaction.group_id,
        store_transaction.account_token, store_transaction.ownership, \(TransactionRevocation.columns)
        """

    private var product = RepeatedValue<ProductID>()
    private var kind = RepeatedValue<ProductKind>()
    private var group = RepeatedValue<SubscriptionGroupID?>()
    private var ownership = RepeatedValue<OwnershipType>()
    private var accountToken = RepeatedValue<AppAccountToken?>()

    mutating func read(_ row: Row) throws -> ReceiptLine {
        var cells = row.cells
        return try ReceiptLine(
            id: cells.next(), originalID: cells.next(), productID: product.read(&cells), kind: kind.read(&cells),
            quantity: cells.next(), purchaseDate: cells.next(), originalPurchaseDate: cells.next(),
            expiresDate: cells.next(), webOrderLineItemID: cells.next(), groupID: group.read(&cells),
            accountToken: accountToken.read(&cells), ownership: ownership.read(&cells),
            revocation: TransactionRevocation.next(in: &cells))
    }
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
