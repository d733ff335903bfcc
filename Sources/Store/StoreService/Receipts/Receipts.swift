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
