package import StoreModel
import StoreRules
import StoreSigning

/// What a device wants to buy, at the price it was told.
package struct CheckoutRequest: Sendable {
    package let key: PurchaseKey
    package let item: SoldItem
    package let quantity: Int
    package let accountToken: AppAccountToken?
    /// The hash of the secret that confirms it, and the code for people.
    package let confirmation: Confirmation

    package init(
        key: PurchaseKey, item: SoldItem, quantity: Int, accountToken: AppAccountToken?, confirmation: Confirmation
    ) {
        self.key = key
        self.item = item
        self.quantity = quantity
        self.accountToken = accountToken
        self.confirmation = confirmation
    }

    /// What a repeated request has to be the same in.
    func fingerprint() throws -> [UInt8] {
        try DigestAlgorithm.sha256.digest("\(item.product)\n\(quantity)\n\(accountToken?.description ?? "-")".utf8)
    }

    /// What all of it costs. The commission is judged when the order is written; here only the sum counts.
    func total() throws -> Money {
        try Sale(unitPrice: item.unitPrice, quantity: quantity, commission: Proportion(0, outOf: 1)).total
    }
}
