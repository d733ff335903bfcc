import StoreCatalogue
package import StoreDatabase
package import StoreModel
import StoreRules

/// The books of an environment: entries whose postings sum to nothing, in every currency. They are written once.
///
/// Amounts are signed: what an account has to get counts up, what it has to give counts down.
package enum Ledger {
    /// What an entry is about. There is one of a kind for a subject, whatever happens.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Of the charge of an order.
        package static let sale = Kind(rawValue: "sale")
        /// Of a refund.
        package static let refund = Kind(rawValue: "refund")
        /// Of a refund whose money came back after a dispute.
        package static let reversal = Kind(rawValue: "reversal")

        package static let all = [sale, refund, reversal]
    }

    /// Whose money it is.
    package struct Account: Hashable, Sendable {
        package let name: String

        package init(name: String) {
            self.name = name
        }

        /// What the processor holds for the store.
        package static let processor = Account(name: "processor")
        /// What the store keeps.
        package static let commission = Account(name: "commission")
        /// What the developer of an app is owed.
        package static func proceeds(of app: AppID) -> Account { Account(name: "proceeds/\(app)") }
        /// What the store gives to partners of what it keeps.
        package static let affiliates = Account(name: "affiliates")
        /// What a partner is owed.
        package static func partner(_ id: PartnerID) -> Account { Account(name: "partner/\(id)") }
    }

    package struct Posting: Hashable, Sendable {
        package let account: Account
        package let amount: Money

        package init(_ account: Account, _ amount: Money) {
            self.account = account
            self.amount = amount
        }
    }

    /// Books what was paid for an order. What cost nothing has no entry.
    static func book(
        sale order: SaleOrder, transaction id: TransactionID, as entry: LedgerEntryID, _ change: Change
    ) throws {
        let proceeds = try order.total - order.commission
        let referred = try Commissions.share(of: order, change).map { share in
            [Posting(.affiliates, share.amount), Posting(.partner(share.partner), try -share.amount)]
        }
        // The last one takes what is left when a part of the sale is given back.
        try write(
            entry, .sale, subject: order.id.number, transaction: id,
            [Posting(.processor, order.total), Posting(.commission, try -order.commission)] + (referred ?? [])
                + [Posting(.proceeds(of: order.scope.app), try -proceeds)], change)
    }

    /// Books a refund: the part of the sale's own postings that it turns round, whatever the terms are now.
    static func book(refund: StoredRefund, as entry: LedgerEntryID, _ change: Change) throws {
        let sold = try postings(.sale, subject: refund.charge.number, in: change.transaction)
        guard !sold.isEmpty else {
            throw ServiceError(.notPaid, "the books have no sale of the charge \(refund.charge)")
        }
        let earlier = try change.transaction.query(
            """
            SELECT ledger_posting.line, CAST(sum(ledger_posting.amount) AS \(.integer)) FROM refund
                JOIN ledger_entry ON ledger_entry.kind IN ('refund', 'reversal') AND ledger_entry.subject = refund.id
                JOIN ledger_posting ON ledger_posting.entry_id = ledger_entry.id
            WHERE refund.transaction_id = $1 AND refund.charge_id = $2
            GROUP BY ledger_posting.line
            """, refund.transaction, refund.charge
        ) { row in
            var cells = row.cells
            return (try cells.next(as: Int.self), try cells.next(as: Int64.self))
        }
        let given = Dictionary(uniqueKeysWithValues: earlier)
        let amounts = RefundShare.postings(
            of: sold.map(\.amount.minorUnits), earlier: sold.indices.map { given[$0 + 1] ?? 0 },
            giving: refund.amount.minorUnits)
        try write(
            entry, .refund, subject: refund.id.number, transaction: refund.transaction,
            zip(sold, amounts).map {
                Posting($0.account, Money(minorUnits: $1, currency: $0.amount.currency))
            }, change)
    }

    /// Books what came back of a refund: the postings of the refund turned round.
    static func book(reversalOf refund: StoredRefund, as entry: LedgerEntryID, _ change: Change) throws {
        let given = try postings(.refund, subject: refund.id.number, in: change.transaction)
        guard !given.isEmpty else { throw ServiceError(.notPaid, "the books have no refund \(refund.id)") }
        try write(
            entry, .reversal, subject: refund.id.number, transaction: refund.transaction,
            given.map { Posting($0.account, try -$0.amount) }, change)
    }

    private static func write(
        _ entry: LedgerEntryID, _ kind: Kind, subject: Int64, transaction id: TransactionID, _ postings: [Posting],
        _ change: Change
    ) throws {
        let (transaction, commerce) = (change.transaction, change.commerce)
        let sums = postings.reduce(into: [Currency: Int128]()) {
            $0[$1.amount.currency, default: 0] += Int128($1.amount.minorUnits)
        }
        guard sums.values.allSatisfy({ $0 == 0 }) else {
            throw ServiceError(.notPaid, "the postings of an entry do not sum to nothing")
        }
        try transaction.insert(
            into: "ledger_entry",
            ["id": entry, "kind": kind.rawValue, "subject": subject, "transaction_id": id, "at": commerce])
        for (line, posting) in postings.enumerated() {
            try transaction.insert(
                into: "ledger_posting",
                [
                    "entry_id": entry, "line": line + 1, "account": posting.account.name,
                    "amount": posting.amount.minorUnits, "currency": posting.amount.currency,
                ])
        }
    }

    /// The postings of an entry; none if there is no such entry.
    package static func postings(
        _ kind: Kind, subject: Int64, in transaction: any ReadTransaction
    ) throws -> [Posting] {
        try transaction.query(
            """
            SELECT account, amount, currency FROM ledger_posting
            WHERE entry_id = (SELECT id FROM ledger_entry WHERE kind = $1 AND subject = $2) ORDER BY line
            """, kind.rawValue, subject
        ) { Posting(Account(name: try $0.value(0)), try $0.money(1)) }
    }
}
