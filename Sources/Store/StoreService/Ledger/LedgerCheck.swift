package import StoreDatabase
import StoreModel
import StoreRules

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

    private func examineEntries(_ report: inout LedgerReport, _ processor: (any ProcessorBooks)?) async throws {
        var totals = AccountTotals()
        var last: Int64 = 0
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
            // What an entry without a subject should be is not known; that it has none is said already.
            guard entry.subject == nil || movement == entry.expectedMovement else {
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
            let standings = try await database.read { transaction in
                try found.map { try MovementStanding(of: $0, in: transaction) }
            }
            for (movement, standing) in zip(found, standings) {
                switch standing {
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
