package import StoreDatabase
package import StoreModel

/// A file of an item: a picture, a sample, or what those download who have bought it. Its bytes are a blob.
package struct ItemFile: Hashable, Sendable {
    /// What a file is for.
    package struct Role: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The icon of an app, the cover of everything else.
        package static let artwork = Role(rawValue: "artwork")
        /// A picture twice as wide as high, for the head of the storefront.
        package static let wide = Role(rawValue: "wide")
        package static let screenshot = Role(rawValue: "screenshot")
        /// A part that can be heard or seen before it is bought.
        package static let preview = Role(rawValue: "preview")
        /// The first pages of a book.
        package static let sample = Role(rawValue: "sample")
        /// What those download who have it.
        package static let package = Role(rawValue: "package")

        package static let all: [Role] = [.artwork, .wide, .screenshot, .preview, .sample, .package]
        package static let known = Set(all)
    }

    package let storeID: Int64
    package let role: Role
    /// The version of the app that a package is; nil for all other files.
    package let version: String?
    /// Its place among those of its role, from 1.
    package let position: Int
    /// Whether production shows it only after a review.
    package let isDraft: Bool
    package let blob: BlobID
    /// What its bytes are, whatever its name says.
    package let mediaType: String
    package let bytes: Int64
    /// Of pictures.
    package let width: Int?
    package let height: Int?
    /// How long it plays, if its bytes say so.
    package let milliseconds: Int64?
    /// What is to be seen on it, for those who do not see it.
    package let alternativeText: String?
    /// What it is called when it is downloaded.
    package let fileName: String
    package let addedAt: Instant

    static let columns: SQL = """
        item_file.store_id, item_file.role, item_file.version, item_file.position, item_file.is_draft,
        item_file.digest, item_file.media_type, item_file.bytes, item_file.width, item_file.height,
        item_file.milliseconds, item_file.alternative_text, item_file.file_name, item_file.added_at
        """

    init(_ row: Row) throws {
        var cells = row.cells
        storeID = try cells.next()
        role = Role(rawValue: try cells.next())
        let version = try cells.next(as: String.self)
        self.version = version.isEmpty ? nil : version
        position = try cells.next()
        isDraft = try cells.next()
        blob = try cells.next()
        mediaType = try cells.next()
        bytes = try cells.next()
        width = try cells.next()
        height = try cells.next()
        milliseconds = try cells.next()
        alternativeText = try cells.next()
        fileName = try cells.next()
        addedAt = try cells.next()
    }

    /// The SHA-256 of its bytes, in hexadecimal digits.
    package var digest: String { blob.text }

    /// Where everybody may see it, without host: its digest is in the address, so that browsers keep it for ever.
    package var publicPath: String { "/files/\(storeID)/\(digest)" }

    /// What finds its place, whether or not it is a draft.
    var place: ItemFilePlace { ItemFilePlace(role, position: position, version: version) }
}

/// Where a file of an item stands.
package struct ItemFilePlace: Hashable, Sendable {
    package let role: ItemFile.Role
    /// From 1.
    package let position: Int
    /// Of the package of an app.
    package let version: String?

    package init(_ role: ItemFile.Role, position: Int = 1, version: String? = nil) {
        (self.role, self.position, self.version) = (role, position, version)
    }
}

extension ItemFile.Role: ColumnValue {}
