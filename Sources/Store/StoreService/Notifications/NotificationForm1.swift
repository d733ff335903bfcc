import StoreCatalogue
import StoreDatabase
import StoreHTTP
package import StoreModel
import StoreRules
import StoreSigning

/// How things stand for the customer of a notification in version 1, in the shapes of `verifyReceipt`.
package struct UnifiedReceipt: Sendable {
    package let environment: StoreEnvironment
    /// As `verifyReceipt` tells it, with the newest transactions alone.
    package let latest: AppVerification.Latest

    /// How many transactions it tells of.
    static let mostTransactions = 100
}

/// Writes a unified receipt as one object of JSON. It stands with the answers of `verifyReceipt`, above this module.
package typealias UnifiedReceiptForm = @Sendable (UnifiedReceipt) -> [UInt8]

/// Makes notifications of App Store Server Notifications version 1: plain JSON, which only the password proves.
///
/// It tells how things stand when it is sent, as its receipt does.
struct NotificationForm1: Sendable {
    private let store: EnvironmentStore
    private let receipt: UnifiedReceiptForm

    init(_ store: EnvironmentStore, _ receipt: @escaping UnifiedReceiptForm) {
        (self.store, self.receipt) = (store, receipt)
    }

    /// The body for a notification; nil if version 1 has no form of it.
    func body(of notification: StoredNotification) async throws -> [UInt8]? {
        let told = try notification.told
        guard let id = notification.transaction, let bought = told.transaction,
            let type = NotificationTypeV1(notification.type, notification.subtype, renews: told.renewalInfo != nil)
        else { return nil }
        let unified = try await unified(of: id)
        let (password, item) = try await store.catalogue.read { [environment = store.environment] transaction in
            (
                try SharedSecrets.find(of: notification.app, in: environment, transaction),
                try told.renewalInfo.flatMap {
                    try Catalogue.product($0.autoRenewProductId, of: notification.app, in: transaction)?.itemID
                }
            )
        }
        var members = Members()
        members.add("notification_type", type.rawValue)
        members.add("password", password)
        members.add("environment", store.environment == .production ? "PROD" : "Sandbox")
        members.add("bid", told.bundleId.text)
        members.add("bvrs", told.bundleVersion)
        members.add(number: "original_transaction_id", bought.originalTransactionId.number)
        members.add("web_order_line_item_id", bought.webOrderLineItemId?.description)
        if let renewal = told.renewalInfo {
            members.add("auto_renew_adam_id", item?.description)
            members.add("auto_renew_product_id", renewal.autoRenewProductId.text)
            members.add("auto_renew_status", renewal.autoRenewStatus == .on ? "true" : "false")
            members.add(number: "expiration_intent", renewal.expirationIntent.map { Int64($0.rawValue) })
        }
        if type == .didChangeRenewalStatus {
            members.add("auto_renew_status_change_date", dates: notification.signedAt)
        }
        members.add("cancellation_date", dates: bought.revocationDate)
        return members.bytes(with: "unified_receipt", receipt(unified))
    }

    /// The members of the outermost object.
    private struct Members {
        private var members: [JSONValue.Member] = []

        /// A text; left out if it is nil.
        mutating func add(_ name: String, _ text: String?) {
            if let text { members.append(.init(name, .string(text))) }
        }

        /// A number; left out if it is nil.
        mutating func add(number name: String, _ number: Int64?) {
            if let number { members.append(.init(name, .integer(Int(number)))) }
        }

        /// A date in its three forms, in whole seconds as in receipts; left out if it is nil.
        mutating func add(_ name: String, dates date: Instant?) {
            let instant = date.map {
                Instant(millisecondsSinceEpoch: $0.millisecondsSinceEpoch - $0.millisecondsSinceEpoch % 1000)
            }
            add(name, instant?.gmtText)
            add(name + "_ms", instant?.millisecondsText)
            add(name + "_pst", instant?.pacificText)
        }

        /// All of them, and one more whose value is written already.
        func bytes(with name: String, _ value: [UInt8]) -> [UInt8] {
            JSONValue.object(members).bytes.dropLast() + Array(",\"\(name)\":".utf8) + value + [UInt8(ascii: "}")]
        }
    }

    /// The receipt of the customer of a transaction, as things stand now.
    private func unified(of id: TransactionID) async throws -> UnifiedReceipt {
        let (environment, clocks) = (store.environment, store.clocks)
        let opaque = try store.random(Receipts.opaqueBytes)
        let (receipt, lines, renewals) = try await store.database.read { transaction in
            let bought = try Transactions.require(id, in: transaction)
            let clock = try CustomerClock.of(bought.customerID, in: transaction)
            let now = max(clocks.now(by: clock).commerce, bought.purchaseDate)
            let receipt = try Receipts.appReceipt(
                ofCustomerOf: bought, in: environment, opaqueValue: opaque, at: now, in: transaction)
            let lines = try ReceiptTransactions.all(of: bought.customerID, in: bought.appID, transaction)
            let renewals =
                try PendingRenewal.all(of: bought.customerID, in: bought.appID, at: now, transaction)
                + PendingRenewal.shared(in: lines, at: now, transaction)
            return (receipt, lines, renewals)
        }
        let newest = lines.sorted { ($0.purchaseDate, $0.id) > ($1.purchaseDate, $1.id) }
        return UnifiedReceipt(
            environment: environment,
            latest: AppVerification.Latest(
                receipt: try store.signers.receipt.sign(receipt),
                transactions: Array(newest.prefix(UnifiedReceipt.mostTransactions)), renewals: renewals))
    }
}
