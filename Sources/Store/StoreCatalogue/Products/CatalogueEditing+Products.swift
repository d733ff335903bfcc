package import StoreDatabase
import StoreFoundation
package import StoreModel
package import StoreRules

extension CatalogueEditing {
    /// The products of an app after one, each with its title and its price in the United States.
    package func products(
        of app: BundleID, after id: ProductID?, limit: Int
    ) async throws -> [(product: CatalogueProduct, title: String?, price: Money?)] {
        let commerce = commerce()
        return try await read { transaction in
            let app = try self.app(app, in: transaction)
            let found = try Catalogue.products(
                of: app.id, after: id, limit: limit, withDraftedRemovals: true, in: transaction)
            let summaries = try Catalogue.summaries(
                of: found, of: app, in: StorefrontRecord.storefront(alpha3: "USA"), at: commerce, in: transaction)
            return found.map { ($0, summaries[$0.itemID]?.title, summaries[$0.itemID]?.price) }
        }
    }

    /// A product with its texts and prices.
    package func details(of path: ProductPath) async throws -> ProductDetails {
        let commerce = commerce()
        return try await read { transaction in
            try Catalogue.details(of: shown(path, in: transaction), at: commerce, in: transaction)
        }
    }

    /// Enters a product, or changes the one of its id. What the draft leaves out stays.
    package func put(_ draft: ProductDraft, of app: BundleID) async throws -> ProductDetails {
        let path = ProductPath(app, draft.productID)
        let isKnown = try await read { transaction in
            let app = try self.app(app, in: transaction)
            let isKnown = try Catalogue.product(draft.productID, of: app.id, in: transaction) != nil
            guard isKnown || !app.isShelf else {
                throw CatalogueError(
                    .valueInvalid, "an item of the storefront is entered by till items", field: "productId")
            }
            return isKnown
        }
        let commerce = commerce()
        let number = isKnown ? nil : try await StoreNumbers.next(numbers, in: database)
        return try await write { change in
            _ = try Catalogue.put(
                draft, of: self.app(app, in: change.transaction).id,
                number: {
                    guard let number else { throw CatalogueError(.stateWrong, "somebody else changes it; try again") }
                    return try ItemID(number: number)
                }, isApproved: false, change)
            return try Catalogue.details(
                of: product(path, in: change.transaction), at: commerce, in: change.transaction)
        }
    }

    package func remove(_ path: ProductPath) async throws {
        try await write { try Catalogue.remove(product(path, in: $0.transaction), $0) }
    }

    package func approve(_ path: ProductPath) async throws -> ProductDetails {
        try await change(path, for: .review) { try Catalogue.approve($0, $1) }
    }

    /// Puts a product on the shelves, or takes it off.
    package func setClearedForSale(_ isCleared: Bool, _ path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.setClearedForSale(isCleared, $0, $1) }
    }

    package func setPrice(
        _ price: StorefrontPrice, of path: ProductPath, in storefront: StorefrontRecord
    ) async throws -> ProductDetails {
        try await change(path) { try Catalogue.setPrice(price, of: $0, in: storefront, $1) }
    }

    package func setBasePrice(_ price: Money, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.setBasePrice(price, of: $0, $1) }
    }

    /// Sets what a product will cost from a moment on; nil takes that back.
    package func schedulePrice(
        _ price: Money?, of path: ProductPath, in code: StorefrontCode?, from start: Instant
    ) async throws -> ProductDetails {
        let storefront = try code.map { code throws(CatalogueError) in
            guard let found = code.storefront else {
                throw CatalogueError(.valueInvalid, "there is no such storefront", field: "storefront")
            }
            return found
        }
        return try await change(path) { try PriceChanges.set(price, of: $0, in: storefront, from: start, $1) }
    }

    package func setTaxCategory(_ category: TaxCategory, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.setTaxCategory(category, of: $0, $1) }
    }

    /// Says whether the store hosts the content of a product.
    package func setHosting(_ hosts: Bool, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try Catalogue.setHosting(hosts, of: $0, $1) }
    }
}

// MARK: Pictures

extension CatalogueEditing {
    /// The newest picture of a kind, and its bytes.
    package func image(
        _ kind: ProductImage.Kind, of path: ProductPath, from blobs: any BlobStore
    ) async throws -> (image: ProductImage, bytes: [UInt8]) {
        let images = try await read { try Catalogue.details(of: shown(path, in: $0), in: $0).newestImages }
        guard let found = images.first(where: { $0.kind == kind }) else {
            throw CatalogueError(.nameUnknown, "the product has no such image", field: "image")
        }
        let bytes = try await OwnThread.run(named: "images") {
            try blobs.content(of: found.blob, bytes: Int64(found.bytes))
        }
        return (found, bytes)
    }

    /// Gives a product a picture.
    package func putImage(
        _ bytes: [UInt8], as kind: ProductImage.Kind, of path: ProductPath, isApproved: Bool, in blobs: any BlobStore
    ) async throws -> ProductDetails {
        let head = try ProductImage.Head(of: bytes)
        try MediaInspection.requireWhole(bytes, head, field: "image")
        // The picture is there before anything says so; one that nothing says is no harm.
        let blob = try await OwnThread.run(named: "images") { try blobs.keep(bytes) }
        try await BlobRemoval.hold([blob], in: blobs, of: database, at: now())
        return try await change(path) {
            try ProductImages.put(
                blob, head, bytes: bytes.count, as: kind, of: $0, isApproved: isApproved, $1)
        }
    }

    package func removeImage(_ kind: ProductImage.Kind, of path: ProductPath) async throws -> ProductDetails {
        try await change(path) { try ProductImages.remove(kind, of: $0, $1) }
    }
}
