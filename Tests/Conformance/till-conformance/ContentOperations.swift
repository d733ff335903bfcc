import ContentPackage
import Foundation
import StoreModel
import StoreSigning

/// Makes the archives of packages that are delivered, and unpacks them as devices do.
enum ContentOperations {
    static var table: [String: Operation] {
        ["content.deliver": Operation(deliver), "content.unpack": Operation(unpack)]
    }

    private struct Delivery: Decodable {
        let package: String
        let archive: String
    }

    private struct File: Encodable {
        let path: String
        let bytes: Int64
    }

    private struct Manifest: Encodable {
        let contentVersion: String
        let productId: String
        let byteCount: Int64
        let digest: Data
        let chunkLength: Int
        let chunkDigests: Data
        let unpackedBytes: Int64
        let files: [File]
    }

    private static func deliver(_ request: Delivery, in session: Session) throws -> Manifest {
        try named {
            var bytes = Data()
            let manifest = try DeliveredArchive.write(from: request.package) { bytes += $0 }
            try bytes.write(to: URL(fileURLWithPath: request.archive))
            return Manifest(
                contentVersion: manifest.contentVersion.text, productId: manifest.product.text,
                byteCount: manifest.byteCount, digest: Data(manifest.digest), chunkLength: manifest.chunkLength,
                chunkDigests: Data(manifest.chunkDigests), unpackedBytes: manifest.unpackedBytes,
                files: manifest.files.map { File(path: $0.path, bytes: $0.bytes) })
        }
    }

    private struct Unpacking: Decodable {
        let archive: String
        let folder: String
    }

    private struct Unpacked: Encodable {
        let contentVersion: String?
        let files: [String]
    }

    private static func unpack(_ request: Unpacking, in session: Session) throws -> Unpacked {
        try named {
            let unpacked = try DeliveredArchive.unpack(request.archive, into: request.folder)
            return Unpacked(contentVersion: unpacked.info.versionText, files: unpacked.files.map(\.path))
        }
    }

    /// Refusals have the name that the caller looks for.
    private static func named<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do {
            return try body()
        } catch let error as ContentError {
            throw SigningError(SigningError.Code(rawValue: error.code.rawValue), error.message)
        }
    }
}
