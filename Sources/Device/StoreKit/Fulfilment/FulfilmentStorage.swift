/// Where ``PurchaseFulfilment`` keeps the goods together with the record of what was given.
protocol FulfilmentStorage<Contents>: Sendable {
    /// What a customer has.
    associatedtype Contents: Sendable

    /// What there is now.
    var contents: Contents { get throws }

    /// What is known of a transaction; nil if nothing is.
    func record(of transaction: Transaction.ID) throws -> FulfilmentRecord?

    /// Hands what is kept to a closure, and keeps what that did to it: all of it, or, if it throws, nothing.
    ///
    /// One change follows the other, those of other processes too. When this returns, the disk has it.
    ///
    /// - Parameter transaction: whose record is changed; nil where there is no purchase, and then the record is nil and stays so.
    func change<Result: Sendable>(
        _ transaction: Transaction.ID?, _ body: (inout Contents, inout FulfilmentRecord?) throws -> Result
    ) throws -> Result
}

/// What is known of one transaction.
struct FulfilmentRecord: Codable, Hashable, Sendable {
    /// How often the store's word has changed, 1 being the first that was heard.
    let revision: Int
    /// Whether the customer has what was bought.
    let isHeld: Bool
    /// When the newest word was signed, in milliseconds.
    let statedAt: Int64
    /// What was returned by the last that did something.
    var result: String?

    /// That of something which the app gave by other means, such as StoreKit 1.
    static let given = FulfilmentRecord(revision: 1, isHeld: true, statedAt: 0)

    /// Takes the store's word on a transaction, and says what it asks for; nil if nothing.
    ///
    /// Of two words the later one holds, and of two of one instant that which takes back.
    static func hear(_ transaction: Transaction, in record: inout FulfilmentRecord?) -> PurchaseDelivery? {
        let (known, isHeld) = (record, isHeld(transaction))
        let statedAt = Int64((transaction.signedDate.timeIntervalSince1970 * 1000).rounded())
        if let known, (known.statedAt, known.isHeld ? 0 : 1) >= (statedAt, isHeld ? 0 : 1) { return nil }
        let isChanged = known?.isHeld != isHeld
        let revision = (known?.revision ?? 0) + (isChanged ? 1 : 0)
        record = FulfilmentRecord(revision: revision, isHeld: isHeld, statedAt: statedAt, result: known?.result)
        // What was taken back before it was given is neither.
        guard isChanged, isHeld || known != nil else { return nil }
        return PurchaseDelivery(transaction: transaction, act: isHeld ? .grant : .takeBack, revision: revision)
    }

    /// Whether the customer has what a transaction is of.
    static func isHeld(_ transaction: Transaction) -> Bool {
        transaction.revocationDate == nil && !transaction.isUpgraded
    }
}
