package import StoreModel
package import StoreSigning

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
