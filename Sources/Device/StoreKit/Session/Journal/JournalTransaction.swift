package import StoreModel

/// A transaction as the journal has it: what was signed, and how the app stands to it.
package struct JournalTransaction: Hashable, Sendable {
    // Closed: the states are those of the journal's own file.
    package enum State: String, Hashable, Sendable {
        /// The app has not finished it.
        case waiting
        /// It was finished, here or elsewhere.
        case finished
    }

    package let id: TransactionID
    /// Rises with every payment and every transaction of the journal.
    package var number: Int64
    /// The JWS, verified before it came here.
    package var signed: String
    /// Of a restored one: the one it stands for, or itself where that is not to be had. What has none was not restored.
    package var originalSigned: String?
    /// Its receipt in the form of iOS 6.
    package var receipt: [UInt8]?
    /// The payment of this device that it came of.
    package var payment: PurchaseKey?
    /// The user name that the app gave with the payment or the restore.
    package var username: String?
    package var state: State
    package var isRevoked: Bool

    package init(
        id: TransactionID, number: Int64 = 0, signed: String, originalSigned: String? = nil, receipt: [UInt8]? = nil,
        payment: PurchaseKey? = nil, username: String? = nil, state: State, isRevoked: Bool = false
    ) {
        self.id = id
        self.number = number
        self.signed = signed
        self.originalSigned = originalSigned
        self.receipt = receipt
        self.payment = payment
        self.username = username
        self.state = state
        self.isRevoked = isRevoked
    }
}
