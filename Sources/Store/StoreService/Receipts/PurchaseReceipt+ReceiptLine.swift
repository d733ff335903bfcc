import StoreModel
import StoreSigning

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
