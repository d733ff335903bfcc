package import StoreDatabase
import StoreModel
package import StoreRules

/// Examines the books: every entry sums to nothing and is about something, everything that was paid or given back has its
/// one entry of the right amount, and the processor moved the same money.
///
/// It reads in pages, each in a transaction of its own, so that it takes little memory and holds nobody up. What is sold
/// meanwhile may be counted or not.
package struct LedgerCheck: Sendable {
    private let database: any Database
    let page: Int

    /// - Parameter page: how many rows are read at a time.
    package init(_ database: any Database, page: Int = 1000) {
        self.database = database
        self.page = page
    }

    /// - Parameter processor: the books to compare with; nil to look at our own only.
    package func run(comparedWith processor: (any ProcessorBooks)? = nil) async throws -> LedgerReport {
        var report = LedgerReport()
        try await examineEntries(&report, processor)
        try await examineSubjects(&report)
        if let processor { try await examineMovements(&report, processor) }
        return report
    }

    /// Examines the books of an environment, held against those of its processor, if that has any.
    package static func run(of store: EnvironmentStore) async throws -> LedgerReport {
        try await LedgerCheck(store.database).run(comparedWith: store.processor as? any ProcessorBooks)
    }

    private func examineEntries(_ report: inout LedgerReport, _ processor: (any ProcessorBooks)?) async throws {
        var totals = AccountTotals()
        var last: LedgerEntryID?
        while true {
            let (after, page) = (last, page)
            let found = try await database.read { transaction in
                try BookedEntry.page(after: after, limit: page, in: transaction)
            }
            for entry in found {
                totals.add(entry.entry.postings)
                entry.examine(&report)
            }
            if let processor { try await compare(found, processor, &report) }
            report.entries += found.count
            guard found.count == page, let end = found.last else { break }
            last = end.entry.id
        }
        totals.conclude(&report)
    }

    /// Whether the processor moved what the entries of a page say.
    private func compare(
        _ entries: [BookedEntry], _ processor: any ProcessorBooks, _ report: inout LedgerReport
    ) async throws {
        let keys = entries.compactMap(\.processorKey)
        let moved = Dictionary(try await processor.movements(of: keys).map { ($0.key, $0) }) { first, _ in first }
        for entry in entries {
            guard let key = entry.processorKey else { continue }
            guard let movement = moved[key] else {
                report.note(.processorMissing, "The processor knows nothing of the \(entry.name) (\(key)).")
                continue
            }
            guard movement == entry.expectedMovement else {
                report.note(
                    .processorAmountWrong,
                    "The processor \(movement.kind.rawValue) \(movement.amount) for the \(entry.name) (\(key)).")
                continue
            }
        }
    }

    private func examineSubjects(_ report: inout LedgerReport) async throws {
        for examination in SubjectExamination.all {
            var last: Int64 = 0
            while true {
                let (after, page) = (last, page)
                let found = try await database.read { transaction in
                    try examination.missing(after: after, limit: page, in: transaction)
                }
                for id in found { report.note(examination.code, examination.message(id)) }
                guard found.count == page, let end = found.last else { break }
                last = end
            }
        }
    }

    /// Whether the books have everything that the processor moved.
    private func examineMovements(_ report: inout LedgerReport, _ processor: any ProcessorBooks) async throws {
        var (count, last): (Int, String?) = (0, nil)
        while true {
            let answer = try await processor.movements(after: last, limit: page)
            let found = answer.movements
            let states = try await database.read { transaction in
                try found.map { try BookingState(of: $0, in: transaction) }
            }
            for (movement, state) in zip(found, states) {
                switch state {
                case .booked: break
                case .underWay: report.underWay += 1
                case .unknown:
                    report.note(
                        .processorUnknown,
                        "The processor \(movement.kind.rawValue) \(movement.amount) under \(movement.key), which is in no entry."
                    )
                }
            }
            count += found.count
            guard let next = answer.next else { break }
            last = next
        }
        report.movements = count
    }
}

/// Looks for what must be in the books and is not.
struct SubjectExamination: Sendable {
    let code: LedgerReport.Problem.Code
    private let words: @Sendable (Int64) -> String
    private let statement: SQL

    func message(_ id: Int64) -> String { words(id) }

    /// The numbers of what is wrong after one, in their order; at most `limit`.
    func missing(after id: Int64, limit: Int, in transaction: any ReadTransaction) throws -> [Int64] {
        try transaction.query(statement, id, limit) { try $0.value(0) }
    }

    static let all = [
        SubjectExamination(
            code: .saleMissing, words: { "The transaction \($0) was paid, and no entry says so." },
            statement: """
                SELECT store_transaction.id FROM store_transaction WHERE store_transaction.id > $1 AND price <> 0
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'sale' AND subject = order_id
                        AND transaction_id = store_transaction.id)
                ORDER BY store_transaction.id LIMIT $2
                """),
        SubjectExamination(
            code: .transactionMissing,
            words: { "The money of the purchase \($0) was taken, and it has no transaction with an entry." },
            statement: """
                SELECT charge.id FROM charge WHERE charge.id > $1 AND capture IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM store_transaction
                        WHERE store_transaction.order_id = charge.id AND price = amount
                            AND store_transaction.currency = charge.currency
                            AND EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'sale' AND subject = charge.id))
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .refundMissing, words: { "The refund \($0) was given, and no entry says so." },
            statement: """
                SELECT refund.id FROM refund WHERE refund.id > $1 AND state IN \(Refund.State.given)
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'refund' AND subject = refund.id)
                ORDER BY refund.id LIMIT $2
                """),
        SubjectExamination(
            code: .reversalMissing, words: { "The refund \($0) was reversed, and no entry says so." },
            statement: """
                SELECT refund.id FROM refund WHERE refund.id > $1 AND state = \(Refund.State.reversed.literal)
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE kind = 'reversal' AND subject = refund.id)
                ORDER BY refund.id LIMIT $2
                """),
        SubjectExamination(
            code: .purchaseWrong,
            words: { "The charge of the purchase \($0) was captured, and the purchase does not say so." },
            statement: """
                SELECT charge.id FROM charge JOIN purchase ON purchase.id = charge.id
                WHERE charge.id > $1 AND charge.capture IS NOT NULL AND purchase.state <> \(Purchase.State.purchased.literal)
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .refundedWrong,
            words: { "The refunds of the charge \($0) do not sum to what it says has been given back." },
            statement: """
                SELECT charge.id FROM charge WHERE charge.id > $1 AND refunded <> coalesce((SELECT sum(refund.amount)
                        FROM refund WHERE refund.charge_id = charge.id AND refund.state IN \(Refund.State.standing)), 0)
                ORDER BY charge.id LIMIT $2
                """),
        SubjectExamination(
            code: .commissionMissing,
            words: { "A partner gets something of the purchase \($0), and the books say otherwise." },
            statement: """
                SELECT sale_id FROM referral WHERE sale_id > $1 AND commission IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry JOIN ledger_posting ON entry_id = ledger_entry.id
                        WHERE kind = 'sale' AND subject = sale_id AND account = 'partner/' || partner_id
                            AND amount = -commission AND ledger_posting.currency = referral.currency)
                ORDER BY sale_id LIMIT $2
                """),
        SubjectExamination(
            code: .postingWithoutEntry, words: { "There are postings of an entry \($0), which is not there." },
            statement: """
                SELECT DISTINCT entry_id FROM ledger_posting WHERE entry_id > $1
                    AND NOT EXISTS (SELECT 1 FROM ledger_entry WHERE ledger_entry.id = entry_id)
                ORDER BY entry_id LIMIT $2
                """),
    ]
}

/// How something that the processor moved stands in our books.
// Closed: it is in an entry, or will be, or is not.
enum BookingState: Sendable {
    case booked
    /// The answer was not taken in yet.
    case underWay
    case unknown

    init(of movement: ProcessorMovement, in transaction: any ReadTransaction) throws {
        self = .unknown
        switch (ProcessorKeys.subject(of: movement.key), movement.kind) {
        case (.charge(let id), .captured):
            // Only the last attempt can have captured anything.
            guard let charge = try Charges.find(id, in: transaction),
                ChargeDriver.key(charge, "capture") == movement.key
            else { return }
            self = try Self.state(.sale, id.number, in: transaction) { charge.state.awaitsProcessor }
        case (.refund(let id), .refunded):
            guard let refund = try Refunds.find(id, in: transaction),
                ProcessorKeys(refund.life).refund(id) == movement.key
            else { return }
            self = try Self.state(.refund, id.number, in: transaction) { refund.state == .refunding }
        default: break
        }
    }

    private static func state(
        _ kind: Ledger.Kind, _ subject: Int64, in transaction: any ReadTransaction, isUnderWay: () throws -> Bool
    ) throws -> BookingState {
        let count = try transaction.value(
            "SELECT count(*) FROM ledger_entry WHERE kind = $1 AND subject = $2", kind.rawValue, subject, as: Int.self)
        if count > 0 { return .booked }
        return try isUnderWay() ? .underWay : .unknown
    }
}
