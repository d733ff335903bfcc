package import StoreDatabase
import StoreModel
import StoreRules
package import StoreSigning
import Synchronization

/// Verifies receipts for the servers of developers: what `verifyReceipt` does in one environment.
package struct ReceiptVerification: Sendable {
    private let tools: Tools
    private let environment: StoreEnvironment
    private let catalogue: any Database
    private let books: any Database

    /// - Parameters:
    ///   - keys: those of the environment.
    ///   - other: those of the other one, whose receipts are sent on there.
    package init(_ keys: EnvironmentKeys, other: EnvironmentKeys?, _ databases: StoreDatabases) throws {
        tools = Tools(try .init(keys, other: other))
        environment = keys.environment
        catalogue = databases.catalogue
        books = databases[keys.environment]
    }

    /// What judges and signs, of which another takes the place with other keys.
    private final class Tools: Sendable {
        struct Set: Sendable {
            let judge: ReceiptJudge
            let signers: EnvironmentSigners

            init(_ keys: EnvironmentKeys, other: EnvironmentKeys?) throws {
                judge = try ReceiptJudge(keys, other: other)
                signers = try EnvironmentSigners(keys)
            }
        }

        private let content: Mutex<Set>

        init(_ tools: Set) { content = Mutex(tools) }

        var current: Set { content.withLock { $0 } }
        func take(_ tools: Set) { content.withLock { $0 = tools } }
    }

    /// Works with other keys from now on. What was found genuine by the former ones is judged anew.
    package func take(_ keys: EnvironmentKeys, other: EnvironmentKeys?) throws {
        tools.take(try .init(keys, other: other))
    }

    /// What there is to say of a receipt.
    ///
    /// - Parameter clocks: those of the environment. How things stand is told by the clock of the customer, who may be a tester
    ///   with another one.
    package func verify(_ request: VerificationRequest, by clocks: StoreClocks) async throws(ReceiptRefusal)
        -> Verification
    {
        let submitted = try tools.current.judge.judge(request.receipt)
        do {
            switch submitted {
            case .app(let receipt): return try await .app(verify(receipt, request, clocks))
            case .transaction(let receipt): return try await .transaction(verify(receipt, request, clocks))
            }
        } catch let refusal as ReceiptRefusal {
            throw refusal
        } catch let error as DatabaseError {
            throw ReceiptRefusal(error)
        } catch {
            throw ReceiptRefusal(.internalFailure, "the receipt could not be made anew: \(error)")
        }
    }

    private func verify(
        _ receipt: AppReceipt, _ request: VerificationRequest, _ clocks: StoreClocks
    ) async throws -> AppVerification {
        // A receipt without purchases belongs to an app and a device, and to no customer. Whose clock it was made by is not
        // known; it was before now by that.
        guard !receipt.purchases.isEmpty else {
            let now = max(clocks.commerce(), receipt.creationDate)
            return AppVerification(receipt: receipt, account: nil, at: now, latest: nil)
        }
        // By its place: a purchase is not copied to be asked for its kind.
        let renews = receipt.purchases.indices.contains { receipt.purchases[$0].kind == .autoRenewable }
        if renews { try await requireSecret(request, receipt.bundleID) }
        let identifiers = receipt.purchases.map(\.transactionID)
        guard renews else {
            let look = { @Sendable (transaction: any ReadTransaction) throws in
                let account = try ReceiptAccount(of: identifiers, in: transaction)
                _ = try account.requireOwner()
                return account
            }
            let account =
                switch identifiers.count {
                case ...ReceiptAccount.handful: try await books.lookUpOnce(look)
                case ...ReceiptLimits.lookedUp: try await books.lookUp(look)
                default: try await books.read(look)
                }
            return AppVerification(
                receipt: receipt, account: account, at: clocks.now(by: account.clock).commerce, latest: nil)
        }
        var (account, now, transactions, renewals) = try await books.read { transaction in
            let account = try ReceiptAccount(of: identifiers, in: transaction)
            let (customer, app) = try account.requireOwner()
            let transactions = try ReceiptTransactions.all(of: customer, in: app, transaction)
            let now = clocks.now(by: account.clock).commerce
            let own = try PendingRenewal.all(of: customer, in: app, at: now, transaction)
            return (
                account, now, transactions, own + (try PendingRenewal.shared(in: transactions, at: now, transaction))
            )
        }
        var fresh = receipt
        fresh.creationDate = now
        fresh.purchases = ReceiptTransactions.listed(transactions).map(PurchaseReceipt.init)
        let signed = try tools.current.signers.receipt.sign(fresh)
        transactions.reverse()
        if request.excludesOldTransactions { Self.excludeOld(&transactions) }
        Self.putNewestFirst(&transactions)
        let latest = AppVerification.Latest(receipt: signed, transactions: transactions, renewals: renewals)
        return AppVerification(receipt: receipt, account: account, at: now, latest: latest)
    }

    /// Leaves of each subscription what was sold last, of what comes with that first. By dates it would be another one where an
    /// upgrade took the place of a period that was paid ahead.
    private static func excludeOld(_ transactions: inout [ReceiptLine]) {
        var seen: Set<TransactionID> = []
        transactions.removeAll { $0.kind == .autoRenewable && !seen.insert($0.originalID).inserted }
    }

    /// Sorts what comes with the greatest id first, which nearly always is the order of dates too, and leaves little to sort.
    private static func putNewestFirst(_ transactions: inout [ReceiptLine]) {
        transactions.sort {
            $0.purchaseDate != $1.purchaseDate ? $0.purchaseDate > $1.purchaseDate : $0.id > $1.id
        }
    }

    private func verify(
        _ receipt: TransactionReceipt, _ request: VerificationRequest, _ clocks: StoreClocks
    ) async throws -> TransactionVerification {
        let renews = receipt.expirationDate != nil
        if renews { try await requireSecret(request, receipt.bundleID) }
        let original = renews ? TransactionID(receipt.originalTransactionID) : nil
        let (account, now, period, subscription) = try await books.read { transaction in
            let account = try ReceiptAccount(of: [receipt.transactionID], in: transaction)
            let (customer, _) = try account.requireOwner()
            let now = clocks.now(by: account.clock).commerce
            guard let original,
                var period = try ReceiptTransactions.newest(of: original, of: customer, at: now, transaction)
            else { return (account, now, StoreTransaction?.none, StoredSubscription?.none) }
            let subscription =
                try period.sharedFrom == nil
                ? Subscriptions.find(SubscriptionID(beganWith: original), in: transaction)
                : PendingRenewal.source(of: period.id, transaction)
            // A period that was charged ahead and taken back leaves the one before it.
            if period.revocation != nil, period.sharedFrom == nil, let subscription {
                period = try Transactions.require(subscription.latest, in: transaction)
            }
            return (account, now, period, subscription)
        }
        var latest: TransactionVerification.Latest?
        if let period {
            var fresh = receipt
            fresh.take(period)
            latest = try TransactionVerification.Latest(
                signed: tools.current.signers.transactionReceipt.sign(fresh), receipt: fresh,
                standing: ReceiptStanding(period),
                isExpired: Self.isOver(period, subscription, at: now),
                renewal: PendingRenewal(of: period, subscription, at: now))
        }
        return TransactionVerification(receipt: receipt, account: account, at: now, latest: latest)
    }

    /// Whether the customer does not have a subscription any more: its period is over, and so is a grace period, or it was
    /// taken back.
    private static func isOver(
        _ newest: StoreTransaction, _ subscription: StoredSubscription?, at instant: Instant
    ) -> Bool {
        // What is shared is over with an upgrade to something that is not.
        guard newest.revocation == nil, newest.sharedFrom == nil || newest.upgradedAt == nil else { return true }
        guard let end = subscription?.rules.countsUntil ?? newest.expiresDate else { return false }
        return end <= instant
    }

    private func requireSecret(_ request: VerificationRequest, _ bundleID: String) async throws {
        let password = request.password
        try await catalogue.lookUp { [environment] in
            try ReceiptPassword.require(password, forBundle: bundleID, in: environment, $0)
        }
    }
}

extension ReceiptAccount {
    /// Whose transactions they are, or the refusal of those that are nobody's.
    fileprivate func requireOwner() throws -> (CustomerID, AppID) {
        guard let customer, let app else {
            throw ReceiptRefusal(.noAccount, "this store has none of the transactions of the receipt")
        }
        guard !isDeleted else { throw ReceiptRefusal(.noAccount, "the customer of this receipt was deleted") }
        return (customer, app)
    }
}

/// What `verifyReceipt` is asked.
package struct VerificationRequest: Hashable, Sendable {
    /// The receipt, out of its Base64.
    package let receipt: [UInt8]
    /// The shared secret, for receipts with auto-renewable subscriptions.
    package let password: String?
    /// Whether to tell of each subscription the newest period only.
    package let excludesOldTransactions: Bool

    package init(receipt: [UInt8], password: String?, excludesOldTransactions: Bool) {
        self.receipt = receipt
        self.password = password
        self.excludesOldTransactions = excludesOldTransactions
    }
}

/// A receipt that somebody sent and that is genuine.
// Closed: the store makes these two forms of receipts.
package enum SubmittedReceipt: Sendable {
    case app(AppReceipt)
    /// The form of iOS 6.
    case transaction(TransactionReceipt)
}

/// Which of its forms a receipt has, by its first byte.
enum ReceiptForm {
    // Closed: the store makes these two forms of receipts.
    /// PKCS#7, as apps have it since iOS 7.
    case signedData
    /// The property list of iOS 6.
    case propertyList

    private static let sequence: UInt8 = 0x30
    private static let brace = UInt8(ascii: "{")

    init(of bytes: [UInt8]) throws(ReceiptRefusal) {
        switch bytes.first(where: { !Self.isSpace($0) }) {
        case nil: throw ReceiptRefusal(.malformed, "receipt-data is empty")
        case Self.sequence where bytes[0] == Self.sequence: self = .signedData
        case Self.brace: self = .propertyList
        case _ where Self.isBase64(bytes):
            throw ReceiptRefusal(.malformed, "receipt-data is Base64 of Base64: it was encoded twice")
        case .some(let byte):
            let start = "receipt-data begins with the byte 0x" + Hexadecimal.encode([byte])
            throw ReceiptRefusal(.malformed, "\(start): it is neither PKCS#7 nor a property list")
        }
    }

    private static func isBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 4
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: isSpace(byte)
                }
            }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
