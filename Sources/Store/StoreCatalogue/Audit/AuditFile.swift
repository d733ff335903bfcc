import Foundation
import StoreFoundation
import StoreModel

/// Changes of the catalogue as a file for spreadsheets: a row for each field that differs.
package enum AuditFile {
    /// The changes that one file has at most.
    package static let most = 1_000

    package static func text(of changes: [AuditedChange]) -> String {
        let heading = [
            "number", "at", "actor", "team", "subject", "name", "action", "field", "before", "after", "request",
        ]
        return ExportedTable.line(heading) + changes.map(rows).joined()
    }

    /// The same as a list of objects.
    package static func json(of changes: [AuditedChange]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let lines = changes.map { change in
            Line(
                change: change.entry, name: change.name, bundleId: change.app, productId: change.product,
                differences: change.differences)
        }
        return try String(decoding: encoder.encode(lines), as: UTF8.self)
    }

    private struct Line: Encodable {
        let change: CatalogueAudit.Entry
        let name: String
        let bundleId: BundleID?
        let productId: ProductID?
        let differences: [ImportReport.Difference]
    }

    private static func rows(of change: AuditedChange) -> String {
        let entry = change.entry
        let start = [
            "\(entry.number)", entry.at.rfc3339, entry.actor, entry.teamId?.text ?? "", entry.subject, change.name,
            entry.action,
        ]
        guard !change.differences.isEmpty else {
            return ExportedTable.line(start + ["", "", "", entry.requestId ?? ""])
        }
        return change.differences.map {
            ExportedTable.line(start + [$0.field, $0.before ?? "", $0.after ?? "", entry.requestId ?? ""])
        }.joined()
    }
}
