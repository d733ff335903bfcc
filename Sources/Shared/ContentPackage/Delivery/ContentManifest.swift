package import StoreModel

/// What a delivered archive is, as it was made.
package struct ContentManifest: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        package let path: String
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// How long the chunks are that have a digest each; the last may be shorter.
    package static let chunkLength = 1 << 20

    package let contentVersion: ContentVersion
    package let product: ProductID
    /// The bytes of the archive.
    package let byteCount: Int64
    /// The SHA-256 of the archive.
    package let digest: [UInt8]
    package let chunkLength: Int
    /// The SHA-256 of each chunk, one after the other.
    package let chunkDigests: [UInt8]
    /// The files in it, the description first.
    package let files: [File]
    /// The bytes of all files together.
    package let unpackedBytes: Int64

    package init(
        contentVersion: ContentVersion, product: ProductID, byteCount: Int64, digest: [UInt8], chunkLength: Int,
        chunkDigests: [UInt8], files: [File], unpackedBytes: Int64
    ) {
        self.contentVersion = contentVersion
        self.product = product
        self.byteCount = byteCount
        self.digest = digest
        self.chunkLength = chunkLength
        self.chunkDigests = chunkDigests
        self.files = files
        self.unpackedBytes = unpackedBytes
    }
}
