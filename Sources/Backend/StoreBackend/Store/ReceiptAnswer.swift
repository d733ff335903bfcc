import Foundation
import StoreModel

/// What `verifyReceipt` answers, as far as a backend needs it.
struct ReceiptAnswer: Decodable, Sendable {
    /// The outcome.
    struct Status: RawRepresentable, Decodable, Hashable, Sendable, CustomStringConvertible {
        let rawValue: Int

        static let valid = Status(rawValue: 0)
        static let malformed = Status(rawValue: 21002)
        static let notAuthentic = Status(rawValue: 21003)
        static let wrongSecret = Status(rawValue: 21004)
        static let serverDown = Status(rawValue: 21005)
        static let expired = Status(rawValue: 21006)
        static let sandboxReceipt = Status(rawValue: 21007)
        static let productionReceipt = Status(rawValue: 21008)
        static let failed = Status(rawValue: 21009)
        static let accountGone = Status(rawValue: 21010)
        /// Failures of the store that say themselves whether asking again helps.
        static let failures = 21100...21199

        var description: String { String(rawValue) }
    }

    /// A purchase in `in_app` or `latest_receipt_info`, or the receipt of a transaction itself.
    struct Purchase: Decodable, Sendable {
        var quantity: Word?
        var productID: String
        var transactionID: Word
        var originalTransactionID: Word?
        var purchaseDate: Word
        var originalPurchaseDate: Word?
        var expiresDate: Word?
        /// In the receipt of a transaction these are milliseconds.
        var expiresMilliseconds: Word?
        var cancellationDate: Word?
        var isUpgraded: Word?
        var ownership: OwnershipType?
        var subscriptionGroup: Word?
        var appAccountToken: String?

        private enum CodingKeys: String, CodingKey {
            case quantity
            case productID = "product_id"
            case transactionID = "transaction_id"
            case originalTransactionID = "original_transaction_id"
            case purchaseDate = "purchase_date_ms"
            case originalPurchaseDate = "original_purchase_date_ms"
            case expiresDate = "expires_date_ms"
            case expiresMilliseconds = "expires_date"
            case cancellationDate = "cancellation_date_ms"
            case isUpgraded = "is_upgraded"
            case ownership = "in_app_ownership_type"
            case subscriptionGroup = "subscription_group_identifier"
            case appAccountToken = "app_account_token"
        }
    }

    /// `receipt` of an app receipt.
    struct Receipt: Decodable, Sendable {
        var bundleID: String
        var creationDate: Word
        var requestDate: Word
        var expirationDate: Word?
        var purchases: [Purchase]

        private enum CodingKeys: String, CodingKey {
            case bundleID = "bundle_id"
            case creationDate = "receipt_creation_date_ms"
            case requestDate = "request_date_ms"
            case expirationDate = "expiration_date_ms"
            case purchases = "in_app"
        }
    }

    /// What the answer is about.
    enum Content: Sendable {
        case none
        case app(Receipt, latest: [Purchase])
        case transaction(Purchase, bundleID: String, latest: Purchase?)
    }

    let status: Status
    let environment: WireEnvironment?
    let isRetryable: Bool?
    let content: Content

    private enum CodingKeys: String, CodingKey {
        case status, environment, receipt
        case isRetryable = "is-retryable"
        case latest = "latest_receipt_info"
        case latestExpired = "latest_expired_receipt_info"
    }

    private enum ReceiptKeys: String, CodingKey {
        case bundleID = "bid"
        case purchases = "in_app"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = try container.decode(Status.self, forKey: .status)
        environment = try container.decodeIfPresent(WireEnvironment.self, forKey: .environment)
        isRetryable = try container.decodeIfPresent(Word.self, forKey: .isRetryable).map { $0.isTrue }
        guard status == .valid || status == .expired else {
            content = .none
            return
        }
        let receipt = try container.nestedContainer(keyedBy: ReceiptKeys.self, forKey: .receipt)
        if receipt.contains(.purchases) {
            content = .app(
                try container.decode(Receipt.self, forKey: .receipt),
                latest: try container.decodeIfPresent([Purchase].self, forKey: .latest) ?? [])
        } else {
            let latest = try container.decodeIfPresent(Purchase.self, forKey: .latest)
            content = .transaction(
                try container.decode(Purchase.self, forKey: .receipt),
                bundleID: try receipt.decode(String.self, forKey: .bundleID),
                latest: try latest ?? container.decodeIfPresent(Purchase.self, forKey: .latestExpired))
        }
    }

    /// Whether the store could not answer, and may be able to later.
    var mayBeBetterLater: Bool {
        switch status {
        case .serverDown, .failed: true
        default: Status.failures.contains(status.rawValue) && isRetryable != false
        }
    }
}

extension ReceiptAnswer {
    /// A value that is a text in the answers of the App Store; from others it may be a number or a truth value.
    struct Word: Decodable, Hashable, Sendable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let flag = try? container.decode(Bool.self) {
                text = String(flag)
            } else {
                text = String(try container.decode(Int64.self))
            }
        }

        var isTrue: Bool { text == "true" || text == "1" }

        /// A number of milliseconds since 1970.
        var instant: Instant? {
            Int64(text).map(Instant.init(millisecondsSinceEpoch:)).flatMap { $0 == $0.clampedToText ? $0 : nil }
        }
    }

    /// The transactions that the answer vouches for.
    func payment(in environment: StoreEnvironment, _ accepted: AcceptedPurchases) throws -> VerifiedPayment {
        switch content {
        case .none: throw Self.unusable
        case .app(let receipt, let latest):
            let bundleID = try accepted.bundleID(receipt.bundleID)
            guard let asked = receipt.requestDate.instant, let made = receipt.creationDate.instant else {
                throw Self.unusable
            }
            if let end = receipt.expirationDate?.instant, end <= asked {
                throw BackendError(.expired, "The receipt of a volume purchase ended at \(end.rfc3339).")
            }
            var transactions: [VerifiedTransaction] = []
            var known: Set<TransactionID> = []
            // What is told as of now counts more than what the receipt said when it was made.
            for (purchase, isCurrent) in latest.map({ ($0, true) }) + receipt.purchases.map({ ($0, false) }) {
                var transaction = try purchase.transaction(environment, bundleID, statedAt: isCurrent ? asked : made)
                // That it was taken back the store knows, whenever the receipt was made.
                if transaction.revocationDate != nil { transaction.statedAt = max(asked, made) }
                if known.insert(transaction.transactionID).inserted { transactions.append(transaction) }
            }
            return VerifiedPayment(environment: environment, bundleID: bundleID, transactions: transactions)
        case .transaction(let purchase, let text, let latest):
            let bundleID = try accepted.bundleID(text)
            let transactions = try [purchase, latest].compactMap { $0 }.map { purchase in
                var transaction = try purchase.transaction(environment, bundleID, statedAt: .earliest)
                // The answer does not say when it was given, which was not before what it tells.
                transaction.statedAt = max(transaction.purchaseDate, transaction.revocationDate ?? .earliest)
                return transaction
            }
            let isSame = transactions.count == 2 && transactions[0].transactionID == transactions[1].transactionID
            return VerifiedPayment(
                environment: environment, bundleID: bundleID, transactions: isSame ? [transactions[0]] : transactions)
        }
    }

    fileprivate static var unusable: BackendError {
        BackendError(.storeUnavailable, "The store did not answer as a store does: a member of the receipt is wrong.")
    }
}

extension ReceiptAnswer.Purchase {
    fileprivate func transaction(
        _ environment: StoreEnvironment, _ bundleID: BundleID, statedAt: Instant
    ) throws -> VerifiedTransaction {
        let original = originalTransactionID ?? transactionID
        guard let id = TransactionID(transactionID.text), let originalID = TransactionID(original.text),
            let productID = ProductID(productID), let quantity = Int(quantity?.text ?? "1"), quantity > 0,
            let purchased = purchaseDate.instant
        else { throw ReceiptAnswer.unusable }
        return VerifiedTransaction(
            environment: environment, transactionID: id, originalTransactionID: originalID, bundleID: bundleID,
            productID: productID, quantity: quantity, purchaseDate: purchased,
            originalPurchaseDate: originalPurchaseDate?.instant ?? purchased,
            expiresDate: expiresDate?.instant ?? expiresMilliseconds?.instant,
            revocationDate: cancellationDate?.instant, isUpgraded: isUpgraded?.isTrue ?? false,
            ownership: ownership ?? .purchased,
            appAccountToken: appAccountToken.flatMap { AppAccountToken($0) },
            subscriptionGroup: subscriptionGroup.flatMap { SubscriptionGroupID($0.text) },
            statedAt: statedAt)
    }
}
