import Foundation
import StoreDatabase
import StoreFoundation
package import StoreModel

/// A file that was sent to be looked at, and what it would change.
///
/// The file is kept for an hour, so that it is applied without being sent again.
package struct ImportPreview: Sendable {
    /// The file, by its digest.
    package let file: String
    package let reports: ImportReports
    /// Of what was shown: a catalogue that has changed since then makes another one.
    package let fingerprint: String

    fileprivate init(_ file: BlobID, _ reports: ImportReports) throws {
        self.file = file.text
        self.reports = reports
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        fingerprint = try BlobID(of: Array(encoder.encode(reports))).text
    }
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

    /// Tells once more what a file would change that was sent before.
    package func preview(
        _ file: String, into id: BundleID?, name: String?, in blobs: CatalogueBlobs
    ) async throws -> ImportPreview {
        let (blob, bytes) = try await kept(file, in: blobs)
        return try ImportPreview(blob, await run(order(bytes, into: id, name: name, isTrial: true)))
    }

    /// Applies a file that was looked at, unless it would do something else by now.
    ///
    /// - Parameter fingerprint: of what was shown.
    package func apply(
        _ file: String, shownAs fingerprint: String, into id: BundleID?, name: String?, in blobs: CatalogueBlobs
    ) async throws -> ImportReports {
        let (blob, bytes) = try await kept(file, in: blobs)
        let preview = try ImportPreview(blob, await run(order(bytes, into: id, name: name, isTrial: true)))
        guard preview.fingerprint == fingerprint else {
            throw CatalogueError(
                .stateWrong, "the catalogue has changed since this was shown; look at it once more: nothing was done")
        }
        return try await run(order(bytes, into: id, name: name, isTrial: false))
    }

    /// A file that was sent before.
    private func kept(_ file: String, in blobs: CatalogueBlobs) async throws -> (BlobID, [UInt8]) {
        let gone = CatalogueError(
            .nameUnknown, "it was sent more than an hour ago, or never; send it again", field: "file")
        guard let blob = BlobID(file) else { throw gone }
        let open = try blobs.open(for: "files")
        let found = try await OwnThread.run(named: "files") { () -> [UInt8]? in
            guard let count = try open.byteCount(of: blob), count <= Int64(StoreKitFileLimits.bytes) else { return nil }
            return try open.content(of: blob, bytes: count)
        }
        guard let found else { throw gone }
        return (blob, found)
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
