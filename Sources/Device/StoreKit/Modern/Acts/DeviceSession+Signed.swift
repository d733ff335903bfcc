import Foundation
import StoreModel
import Synchronization

/// What the journal has, as the modern API hands it out.
extension DeviceSession {
    /// A transaction of the journal. Its signature is verified once, as long as it is remembered.
    func transaction(_ jws: String) -> VerificationResult<Transaction> {
        guard let verified = try? verifier.verified(jws) else { return signed.transaction(jws) }
        return signed.transaction(verified)
    }

    /// The customer's subscriptions, each with its group.
    func statuses() async throws(ConnectionError) -> [(group: String, status: SubscriptionStatus)] {
        try await subscriptions().map { answer in
            (
                answer.subscriptionGroupIdentifier,
                SubscriptionStatus(
                    state: .init(rawValue: Int(answer.status.rawValue)),
                    transaction: transaction(answer.signedTransaction),
                    renewalInfo: signed.renewalInfo(answer.signedRenewalInfo))
            )
        }
    }

    /// The transactions of the journal that a sequence is about, as they are written there.
    func selection(_ source: TransactionSource) async -> [String] {
        switch source {
        case .updates: []
        case .unfinished:
            await fresh().filter { $0.state == .purchased }.compactMap { $0.bought?.verified?.signed }
                + unverified().map(\.signed)
        case .all(let product):
            await history().rows(of: product).filter { $0.isKept }.map(\.signed)
                + unverified(of: product).map(\.signed)
        case .entitlements(let product): await entitlements(product).map(\.signed)
        }
    }

    private func fresh() async -> [QueueEntry] {
        await freshen()
        return entries
    }

    /// The newest transaction of a product, whether the customer still has it or not.
    func latest(of product: String) async -> String? {
        await history().rows(of: product).filter { $0.isKept }
            .max {
                ($0.transaction.purchaseDate, $0.transaction.id) < ($1.transaction.purchaseDate, $1.transaction.id)
            }?
            .signed
    }

    /// What of a product that is owned once the customer owns by now.
    func owned(_ product: String) async -> String? {
        let history = await history()
        return history.owned(history.rows(of: product)).first?.signed
    }

    private func entitlements(_ product: String?) async -> [TransactionHistory.Row] {
        let history = await history()
        let rows = history.rows(of: product)
        let now = environmentTime.date
        var found = history.owned(rows) + rows.filter { $0.transaction.productType == .nonRenewable && !$0.isRevoked }
        var late: [TransactionHistory.Row] = []
        for newest in history.newestPeriods(at: now) where product == nil || newest.transaction.productID == product {
            guard !newest.isRevoked, !newest.transaction.isUpgraded else { continue }
            if newest.transaction.expirationDate.map({ $0 > now }) ?? true {
                found.append(newest)
            } else {
                late.append(newest)
            }
        }
        if !late.isEmpty, let known = try? await statuses() {
            let graced = Set(
                known.filter { $0.status.state == .inGracePeriod }
                    .map { $0.status.transaction.unsafePayloadValue.id })
            found += late.filter { graced.contains($0.transaction.id) }
        }
        return found.sorted {
            ($0.transaction.purchaseDate, $0.transaction.id) < ($1.transaction.purchaseDate, $1.transaction.id)
        }
    }

    private func history() async -> TransactionHistory {
        await freshen()
        return TransactionHistory((try? journal.history()) ?? [])
    }

    /// Whether the customer is new to a group of subscriptions. The first answer stands as long as the session lives.
    func isEligibleForIntroOffer(in group: String) async -> Bool {
        if let known = eligibility.withLock({ $0[group] }) { return known }
        let had = await history().rows(of: nil).contains { row in
            let transaction = row.transaction
            return transaction.productType == .autoRenewable && transaction.ownershipType != .familyShared
                && (transaction.subscriptionGroupID ?? transaction.productID) == group
        }
        return eligibility.withLock { known in
            let first = known[group] ?? !had
            known[group] = first
            return first
        }
    }
}

/// The transactions of the journal as they are read for the sequences of the modern API. Nothing is believed here: what is
/// handed out is verified.
struct TransactionHistory {
    struct Row {
        let signed: String
        let transaction: Transaction
        let isFinished: Bool
        let isRevoked: Bool

        /// Consumables are history once the customer has them, unless they were taken back or the app wants to keep them.
        var isKept: Bool {
            transaction.productType != .consumable || !isFinished || isRevoked || TransactionHistory.keepsConsumables
        }
    }

    private let all: [Row]

    init(_ rows: [JournalTransaction]) {
        all = rows.map { row in
            let transaction = Transaction(signed: row.signed)
            return Row(
                signed: row.signed, transaction: transaction, isFinished: row.state == .finished,
                isRevoked: row.isRevoked || transaction.revocationDate != nil)
        }
    }

    /// Whether finished consumables stay in the history of this app.
    static let keepsConsumables =
        Bundle.main.object(forInfoDictionaryKey: "SKIncludeConsumableInAppPurchaseHistory") as? Bool ?? false

    /// Those of a product, or all, without what was got again for nothing.
    func rows(of product: String?) -> [Row] {
        let ids = Set(all.map(\.transaction.id))
        return all.filter { row in
            let transaction = row.transaction
            guard product == nil || transaction.productID == product else { return false }
            // What is owned and bought again is the first transaction.
            return transaction.productType != .nonConsumable || transaction.originalID == transaction.id
                || !ids.contains(transaction.originalID)
        }
    }

    /// What is owned for ever: the first transaction of each product that was not taken back.
    func owned(_ rows: [Row]) -> [Row] {
        var found: [String: Row] = [:]
        for row in rows where row.transaction.productType == .nonConsumable && !row.isRevoked {
            let id = row.transaction.productID
            if let known = found[id], known.transaction.purchaseDate <= row.transaction.purchaseDate { continue }
            found[id] = row
        }
        return Array(found.values)
    }

    /// The newest period of each subscription that has begun.
    func newestPeriods(at now: Date) -> [Row] {
        var found: [UInt64: Row] = [:]
        for row in all where row.transaction.productType == .autoRenewable && row.transaction.purchaseDate <= now {
            let series = row.transaction.originalID
            if let known = found[series], known.transaction.purchaseDate > row.transaction.purchaseDate { continue }
            found[series] = row
        }
        return Array(found.values)
    }
}
