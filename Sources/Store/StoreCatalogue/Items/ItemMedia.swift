package import StoreDatabase
import StoreFoundation

/// The limits of the files of items.
package enum ItemFileLimits {
    package static let screenshots = 10
    package static let previews = 3
    /// The packages of one version of an app, the parts of an audiobook.
    package static let packages = 20
    /// The bytes of a picture.
    package static let pictureBytes: Int64 = 5 << 20
    /// The bytes of a sample that is heard, seen or read before something is bought.
    package static let previewBytes: Int64 = 50 << 20
    /// The bytes of what is bought.
    package static let packageBytes: Int64 = 4_000_000_000
    /// The files of a book, which is an archive.
    package static let archiveEntries = 20_000
}

/// What the bytes of a file say that it is, whatever its name or its sender say.
package struct MediaHead: Hashable, Sendable {
    package let mediaType: String
    package var width: Int?
    package var height: Int?
    /// How long it plays; nil if that is not said where it is looked for.
    package var milliseconds: Int64?

    init(_ mediaType: String, width: Int? = nil, height: Int? = nil, milliseconds: Int64? = nil) {
        (self.mediaType, self.width, self.height) = (mediaType, width, height)
        self.milliseconds = milliseconds
    }
}

/// A file that has come, was looked at and kept.
package struct ReceivedFile: Hashable, Sendable {
    package let blob: BlobID
    package let head: MediaHead
    package let bytes: Int64
    /// What it is called, made safe.
    package let name: String
}
