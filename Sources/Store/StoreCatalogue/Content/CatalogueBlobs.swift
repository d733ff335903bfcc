import ContentPackage
package import StoreDatabase
import StoreFoundation
import StoreModel

/// Where the bytes of pictures and packages are, for those who show and take them.
package struct CatalogueBlobs: Sendable {
    private let store: @Sendable () throws -> (any BlobStore)?

    /// - Parameter store: nil where none is open in this process.
    package init(_ store: @escaping @Sendable () throws -> (any BlobStore)? = { nil }) {
        self.store = store
    }

    /// The bytes of a picture; nil where no blobs are open. Throws if they are damaged.
    package func bytes(of image: ProductImage) async throws -> [UInt8]? {
        guard let blobs = try store() else { return nil }
        return try await OwnThread.run(named: "images") { try blobs.content(of: image.blob, bytes: Int64(image.bytes)) }
    }

    func open(for what: String) throws -> any BlobStore {
        guard let blobs = try store() else {
            throw ServiceError(.storeUnavailable, "no folder for \(what) is open in this process")
        }
        return blobs
    }
}

extension CatalogueEditing {
    /// Gives a product a picture: the one that customers see, unless another kind is named.
    package func setPicture(
        _ bytes: [UInt8], as kind: ProductImage.Kind = .promotional, of path: ProductPath, in blobs: CatalogueBlobs
    ) async throws {
        _ = try await putImage(
            bytes, as: kind, of: path, isApproved: false, in: blobs.open(for: "pictures"))
    }

    /// Takes in a package that arrives as one stream, and hands it over to be looked at.
    ///
    /// - Parameters:
    ///   - name: what its file is called.
    ///   - next: the next piece of the package; nil at its end.
    package func takePackage(
        of path: ProductPath, called name: String, _ intake: ContentIntake, in blobs: CatalogueBlobs,
        _ next: () async throws -> [UInt8]?
    ) async throws {
        if let finding = ContentFinding(ofPackageCalled: name) {
            throw CatalogueError(.valueInvalid, finding.message, field: "file")
        }
        let open = try blobs.open(for: "content")
        // Said before two gigabytes have come.
        try ContentUploads.requireOpen(try await product(path))
        var receiver = try ContentReceiver(open, of: database, wall: now)
        while let piece = try await next() { try await receiver.add(piece) }
        let received = try await receiver.finish()
        _ = try await change(path) { product, change in
            _ = try ContentUploads.enter(received, for: product, intake: intake, change)
        }
    }
}
