/// What an app sends to show that something was paid for: a receipt or a signed transaction.
public struct ProofOfPayment: Hashable, Sendable {
    /// The forms of proofs.
    // Closed: these are all the forms that StoreKit has given to apps.
    public enum Form: String, CaseIterable, Codable, Hashable, Sendable {
        /// The receipt of the app, which lists all its purchases.
        case appReceipt = "app_receipt"
        /// The receipt of one transaction, as iOS 6 and before had it.
        case transactionReceipt = "transaction_receipt"
        /// A transaction that the store has signed, as StoreKit 2 has it.
        case signedTransaction = "signed_transaction"
    }

    /// Which form it has.
    public let form: Form
    /// The bytes as the store gave them; of a signed transaction its text.
    public let bytes: [UInt8]

    /// Makes a proof of a form that is known.
    public init(_ form: Form, _ bytes: [UInt8]) {
        self.form = form
        self.bytes = bytes
    }
}
