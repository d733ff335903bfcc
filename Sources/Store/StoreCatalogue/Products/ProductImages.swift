package import StoreDatabase
package import StoreModel
import StoreRules

/// A picture of a product; its bytes are a blob.
package struct ProductImage: Hashable, Sendable {
    /// What a picture is for.
    package struct Kind: WireValue {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Shown to customers.
        package static let promotional = Kind(rawValue: "promotional")
        /// Shown to reviewers only: where in the app the product is.
        package static let reviewScreenshot = Kind(rawValue: "review_screenshot")
        package static let known: Set<Kind> = [.promotional, .reviewScreenshot]
    }

    package let kind: Kind
    package let blob: BlobID
    package let mediaType: String
    package let width: Int
    package let height: Int
    package let bytes: Int

    static let columns: SQL = "kind, digest, media_type, width, height, bytes"
    static let columnCount = 6

    init(_ row: Row) throws {
        var cells = row.cells
        kind = Kind(rawValue: try cells.next())
        blob = try cells.next()
        mediaType = try cells.next()
        width = try cells.next()
        height = try cells.next()
        bytes = try cells.next()
    }

    /// The picture of an item of the storefront, as that of the product that is charged for it.
    package init(_ artwork: ItemFile) {
        (kind, blob, mediaType) = (.promotional, artwork.blob, artwork.mediaType)
        (width, height, bytes) = (artwork.width ?? 0, artwork.height ?? 0, Int(artwork.bytes))
    }

    /// What the head of a picture says of it. Throws ``CatalogueError`` for what is none that we take.
    package struct Head: Hashable, Sendable {
        package let mediaType: String
        package let width: Int
        package let height: Int

        package init(of bytes: [UInt8]) throws(CatalogueError) {
            let size: (Int, Int)
            if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                mediaType = "image/png"
                // The first chunk of a PNG has its size.
                guard bytes.count >= 33, bytes[12..<16].elementsEqual(Array("IHDR".utf8)) else { throw Self.damaged }
                size = (Self.number(bytes[16..<20]), Self.number(bytes[20..<24]))
            } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                mediaType = "image/jpeg"
                guard let found = Self.size(ofJPEG: bytes) else { throw Self.damaged }
                size = found
            } else {
                throw CatalogueError(.valueInvalid, "it is a PNG or a JPEG", field: "image")
            }
            (width, height) = size
            guard ProductImages.sides.contains(width), ProductImages.sides.contains(height) else {
                throw CatalogueError(
                    .valueInvalid,
                    "it has \(width) × \(height) pixels; each side has \(ProductImages.sides.lowerBound) to "
                        + "\(ProductImages.sides.upperBound)", field: "image")
            }
        }

        private static var damaged: CatalogueError {
            CatalogueError(.valueInvalid, "it is cut off or damaged", field: "image")
        }

        private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

        /// The size is in the first segment that begins a frame; those before it have their lengths.
        private static func size(ofJPEG bytes: [UInt8]) -> (Int, Int)? {
            var place = 2
            while place + 9 <= bytes.count, bytes[place] == 0xFF {
                let marker = bytes[place + 1]
                if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                    return (number(bytes[place + 7..<place + 9]), number(bytes[place + 5..<place + 7]))
                }
                let length = number(bytes[place + 2..<place + 4])
                guard length >= 2 else { return nil }
                place += 2 + length
            }
            return nil
        }
    }
}

/// The pictures of products.
package enum ProductImages {
    package static let mostBytes = 5 << 20
    /// Pixels of a side.
    package static let sides = 64...4096

    package static func list(of item: ItemID, in transaction: any ReadTransaction) throws -> [ProductImage] {
        try transaction.query(
            "SELECT \(ProductImage.columns) FROM product_image WHERE item_id = $1 ORDER BY kind", item,
            row: ProductImage.init)
    }

    /// The picture that customers of production see once it is approved; nil if none waits.
    static func waiting(of item: ItemID, in transaction: any ReadTransaction) throws -> ProductImage? {
        try transaction.optional(
            "SELECT \(ProductImage.columns) FROM product_image_change WHERE item_id = $1", item,
            row: ProductImage.init)
    }

    /// Gives a product a picture that is a blob already, in place of the one of this kind. What customers of production see is
    /// kept apart until it is approved, as texts are.
    ///
    /// - Parameter isApproved: whether it needs no review.
    package static func put(
        _ blob: BlobID, _ head: ProductImage.Head, bytes: Int, as kind: ProductImage.Kind, of product: CatalogueProduct,
        isApproved: Bool = false, _ change: CatalogueChange
    ) throws {
        try BlobRemoval.claim(blob, in: change.transaction)
        let item = product.itemID
        let former = try waiting(of: item, in: change.transaction)
        let shown = try list(of: item, in: change.transaction).first { $0.kind == kind }
        if isApproved { try change.require(.review, in: .production) }
        let isReviewed = kind == .promotional && !isApproved
        let waits = isReviewed && product.review.isLive
        if waits, former?.blob == blob || (former == nil && shown?.blob == blob) { return }
        try Catalogue.change(product, "\(kind) image", change) {
            let row: RowValues = [
                "item_id": item, "kind": kind.rawValue, "digest": blob, "media_type": head.mediaType,
                "width": head.width, "height": head.height, "bytes": bytes,
            ]
            if waits {
                try dropWaiting(of: item, change)
                try change.transaction.insert(into: "product_image_change", row)
            } else {
                if isApproved, kind == .promotional { try dropWaiting(of: item, change) }
                try drop(kind, of: item, change)
                try change.transaction.insert(into: "product_image", row)
            }
            // What is in review stays as it is.
            if isReviewed { try ProductReviews.advance(.edited, item, change) }
        }
    }

    /// Takes a product a picture: the one that waits for its approval, or else the one that is shown.
    package static func remove(
        _ kind: ProductImage.Kind, of product: CatalogueProduct, _ change: CatalogueChange
    ) throws {
        let item = product.itemID
        let waits = try waiting(of: item, in: change.transaction)?.kind == kind
        guard try waits || list(of: item, in: change.transaction).contains(where: { $0.kind == kind }) else {
            throw CatalogueError(.nameUnknown, "the product has no such image", field: "image")
        }
        // One that waits was never in production; the one that is shown is gone from there at once.
        if !waits, kind == .promotional, Catalogue.isLive(product) { try change.actor.requireReach(of: .production) }
        try Catalogue.change(product, "\(kind) image removed", change) {
            if waits {
                try dropWaiting(of: item, change)
            } else {
                try drop(kind, of: item, change)
            }
        }
    }

    /// Shows production the picture that waited, because it is approved.
    static func publish(of item: ItemID, _ change: CatalogueChange) throws {
        guard let image = try waiting(of: item, in: change.transaction) else { return }
        try drop(image.kind, of: item, change)
        try change.transaction.execute(
            """
            INSERT INTO product_image (item_id, kind, digest, media_type, width, height, bytes)
            SELECT item_id, kind, digest, media_type, width, height, bytes FROM product_image_change WHERE item_id = $1
            """, item)
        try change.transaction.execute("DELETE FROM product_image_change WHERE item_id = $1", item)
    }

    private static func drop(
        _ kind: ProductImage.Kind, of item: ItemID, _ change: CatalogueChange
    ) throws {
        for image in try list(of: item, in: change.transaction) where image.kind == kind {
            try BlobRemoval.mark(image.blob, at: change.at, in: change.transaction)
        }
        try change.transaction.execute(
            "DELETE FROM product_image WHERE item_id = $1 AND kind = $2", item, kind.rawValue)
    }

    static func dropWaiting(
        of item: ItemID, _ change: CatalogueChange
    ) throws {
        if let image = try waiting(of: item, in: change.transaction) {
            try BlobRemoval.mark(image.blob, at: change.at, in: change.transaction)
        }
        try change.transaction.execute("DELETE FROM product_image_change WHERE item_id = $1", item)
    }

    /// Whether a blob is a picture of anything, also of one that waits for its approval.
    package static func isUsed(_ blob: BlobID, in transaction: any ReadTransaction) throws -> Bool {
        try transaction.value(
            """
            SELECT (SELECT count(*) FROM product_image WHERE digest = $1)
                + (SELECT count(*) FROM product_image_change WHERE digest = $1)
            """, blob, as: Int.self) > 0
    }
}
