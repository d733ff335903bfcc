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
        let standing = transaction.standing
        self.init(
            quantity: Int64(transaction.quantity), productID: transaction.productID.text,
            transactionID: transaction.id.description, originalTransactionID: transaction.originalID.description,
            purchaseDate: transaction.purchaseDate, originalPurchaseDate: transaction.originalPurchaseDate,
            kind: Kind(transaction.kind), expirationDate: transaction.expiresDate,
            webOrderLineItemID: transaction.webOrderLineItemID?.number,
            cancellationDate: standing.revocation?.revokedAt,
            cancellationReason: standing.revocation.map { Int64($0.reason.rawValue) },
            isTrialPeriod: standing.offer?.isTrial ?? false,
            isInIntroductoryPeriod: transaction.kind == .autoRenewable ? standing.offer?.isIntroductory ?? false : nil,
            promotionalOfferID: standing.offer?.promotionalID)
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
        isTrialPeriod =
            transaction.kind == .autoRenewable ? transaction.offer.map { ReceiptOffer($0).isTrial } ?? false : nil
    }
}
