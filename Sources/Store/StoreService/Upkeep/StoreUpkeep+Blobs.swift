package import StoreCatalogue
import StoreDatabase
import StoreFoundation

extension StoreUpkeep {
    /// What is known of the blobs of a store.
    package struct BlobReport: Codable, Hashable, Sendable {
        /// One that is damaged or missing, and what refers to it.
        package struct Fault: Codable, Hashable, Sendable {
            package let digest: String
            package let kind: BlobDamage.Kind
            package let usedBy: [String]
        }

        /// How many were looked at.
        package var examined = 0
        package var faults: [Fault] = []
        /// Why not all could be looked at; nil if they were.
        package var problem: String?

        package var isInOrder: Bool { faults.isEmpty && problem == nil }
    }

    private static let page = 500

    /// Reads every blob that the catalogue refers to, to its end.
    func examineBlobs() async -> BlobReport {
        var report = BlobReport()
        do {
            guard let blobs = try blobs() else { return report }
            var last: BlobID?
            while true {
                let page = try await used(after: last)
                for blob in page {
                    report.examined += 1
                    let kind = try await OwnThread.run(named: "blobs") { try BlobDamage.Kind(of: blob, in: blobs) }
                    guard let kind else { continue }
                    let uses = try await databases.read(schemas.catalogue) { try BlobDamage.uses(of: blob, in: $0) }
                    // What nothing refers to any more was deleted meanwhile.
                    guard let uses, !uses.isEmpty else { continue }
                    report.faults.append(BlobReport.Fault(digest: blob.text, kind: kind, usedBy: uses))
                }
                guard page.count == Self.page else { return report }
                last = page.last
            }
        } catch {
            report.problem = "\(error)"
            return report
        }
    }

    private func used(after last: BlobID?) async throws -> [BlobID] {
        try await databases.read(schemas.catalogue) { [schemas] transaction in
            // A catalogue of an older version may not have all that refers to blobs.
            let migrations = try Migrator(schemas.catalogue).appliedCount(in: transaction)
            guard migrations == schemas.catalogue.migrations.count else { return [] }
            return try BlobDamage.used(after: last, limit: Self.page, in: transaction)
        } ?? []
    }
}
