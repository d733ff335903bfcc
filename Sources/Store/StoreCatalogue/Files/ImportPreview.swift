import Foundation
package import StoreDatabase
import StoreFoundation
package import StoreModel

/// A file that was sent to be looked at, and what it would change.
///
/// The file is kept for an hour, so that it is applied without being sent again.
package struct ImportPreview: Sendable {
    /// The file.
    package let file: BlobID
    package let reports: ImportReports
    /// Of what was shown: a catalogue that has changed since then makes another one.
    package let fingerprint: String

    fileprivate init(_ file: BlobID, _ reports: ImportReports) throws {
        self.file = file
        self.reports = reports
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        fingerprint = try BlobID(of: Array(encoder.encode(reports))).text
    }
}

/// What came of a file that somebody had looked at.
package enum ImportOutcome: Sendable {
    // Closed: it was applied, or is to be looked at once more.
    case done(ImportReports)
    /// The catalogue has changed since it was shown, and nothing was done.
    case outdated(ImportPreview)
}

extension CatalogueEditing {
    private static let reading = CatalogueFileReading()

    /// Tells what a file would change, and keeps it for a while.
    ///
    /// - Parameters:
    ///   - id: the app of a file that does not name it.
    ///   - name: of an app that is made.
    package func preview(
        _ bytes: [UInt8], into id: BundleID?, name: String?, in blobs: CatalogueBlobs
    ) async throws -> ImportPreview {
        let reports = try await run(order(bytes, into: id, name: name, isTrial: true))
        let open = try blobs.open(for: "files")
        let blob = try await OwnThread.run(named: "files") { try open.keep(bytes) }
        try await BlobRemoval.hold([blob], in: open, of: database, at: now())
        return try ImportPreview(blob, reports)
    }

    /// Applies a file that was looked at, unless it would do something else by now.
    ///
    /// - Parameter fingerprint: of what was shown.
    package func apply(
        _ file: BlobID, shownAs fingerprint: String, into id: BundleID?, name: String?, in blobs: CatalogueBlobs
    ) async throws -> ImportOutcome {
        let open = try blobs.open(for: "files")
        let bytes = try await OwnThread.run(named: "files") { () -> [UInt8]? in
            guard let count = try open.byteCount(of: file), count <= Int64(StoreKitFileLimits.bytes) else { return nil }
            return try open.content(of: file, bytes: count)
        }
        guard let bytes else {
            throw CatalogueError(.valueInvalid, "it was sent more than an hour ago; send it again", field: "file")
        }
        let preview = try ImportPreview(file, await run(order(bytes, into: id, name: name, isTrial: true)))
        guard preview.fingerprint == fingerprint else { return .outdated(preview) }
        return .done(try await run(order(bytes, into: id, name: name, isTrial: false)))
    }

    private func order(
        _ bytes: [UInt8], into id: BundleID?, name: String?, isTrial: Bool
    ) async throws -> CatalogueImport {
        let file = try await Self.reading.read(bytes)
        // A file of ours names its apps; what stands in the form is for one of Xcode's.
        return try CatalogueImport(
            file, into: id, name: name, isTrial: isTrial, by: actor, request: request)
    }
}
