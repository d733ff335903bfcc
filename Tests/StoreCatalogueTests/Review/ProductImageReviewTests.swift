import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

@Suite("Pictures of products wait for their approval as texts do")
struct ProductImageReviewTests {
    private static let now = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    private static let cause = CatalogueCause(.store, at: now)
    private static let head = Result {
        try ProductImage.Head(
            of: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
                + [0, 0, 1, 0, 0, 0, 1, 0] + Array(repeating: 0, count: 9))
    }

    private static func blob(_ letter: Character) throws -> BlobID {
        try #require(BlobID(String(repeating: letter, count: 64)))
    }

    /// A catalogue with the demo, and a product of it.
    private struct Scene {
        let catalogue: any Database
        let id: ItemID

        init() async throws {
            catalogue = try await StoreDatabases.inMemory(.current()).catalogue
            try await DemoCatalogue.enter(
                [.monkeyCredits], into: catalogue, numbers: Numbers(catalogue), at: ProductImageReviewTests.now)
            id = try await catalogue.read { transaction in
                let app = try #require(try Catalogue.app(BundleID(parsing: DemoCatalogue.bundleID), in: transaction))
                return try #require(try Catalogue.products(of: app.id, limit: 1, in: transaction).first).itemID
            }
        }

        func change(_ body: @escaping @Sendable (CatalogueProduct, any WriteTransaction) throws -> Void) async throws {
            let id = id
            try await catalogue.write { transaction in
                try body(#require(try Catalogue.product(id, in: transaction)), transaction)
            }
        }

        func put(_ letter: Character, isApproved: Bool = false) async throws {
            try await change { product, transaction in
                try ProductImages.put(
                    ProductImageReviewTests.blob(letter), ProductImageReviewTests.head.get(), bytes: 100,
                    as: .promotional, of: product, isApproved: isApproved,
                    ProductImageReviewTests.cause.change(in: transaction))
            }
        }

        /// The first letters of the pictures of production and sandbox, and how the product stands.
        func shown() async throws -> String {
            let id = id
            return try await catalogue.read { transaction in
                let product = try #require(try Catalogue.product(id, in: transaction))
                let details = try Catalogue.details(of: product, in: transaction)
                let pictures = [StoreEnvironment.production, .sandbox].map {
                    details.picture(in: $0).map { String($0.blob.text.prefix(1)) } ?? "-"
                }
                return pictures.joined() + " " + product.state.rawValue
            }
        }

        func isUsed(_ letter: Character) async throws -> Bool {
            let blob = try ProductImageReviewTests.blob(letter)
            return try await catalogue.read { try ProductImages.isUsed(blob, in: $0) }
        }

        func approve() async throws {
            let cause = ProductImageReviewTests.cause
            try await change { product, transaction in
                try ProductReviews.submit(
                    product,
                    .init(category: product.category ?? .service, delivers: "Credits"), cause.change(in: transaction))
            }
            try await change { try ProductReviews.begin($0, cause.change(in: $1)) }
            try await change { try ProductReviews.decide(.approve, about: $0, cause.change(in: $1)) }
        }
    }

    @Test(
        "Production goes on showing the approved one; the sandbox and the reviewer see the new one until it is approved"
    )
    func replacement() async throws {
        let scene = try await Scene()
        try await scene.put("a", isApproved: true)
        #expect(try await scene.shown() == "aa approved")
        try await scene.put("b")
        #expect(try await scene.shown() == "ab ready_to_submit")
        #expect(try await scene.isUsed("a"))
        #expect(try await scene.isUsed("b"))
        // Another one takes its place, and what nobody shows is not kept.
        try await scene.put("c")
        #expect(try await scene.shown() == "ac ready_to_submit")
        #expect(try await !scene.isUsed("b"))
        try await scene.approve()
        #expect(try await scene.shown() == "cc approved")
        #expect(try await !scene.isUsed("a"))
        #expect(try await scene.isUsed("c"))
    }

    @Test("A picture that waits is taken back alone; after it, the one that is shown")
    func removal() async throws {
        let scene = try await Scene()
        try await scene.put("a", isApproved: true)
        try await scene.put("b")
        for expected in ["aa", "--"] {
            try await scene.change {
                try ProductImages.remove(.promotional, of: $0, ProductImageReviewTests.cause.change(in: $1))
            }
            #expect(try await scene.shown().prefix(2) == expected)
        }
        // None that was removed makes room for one that nobody has looked at.
        try await scene.put("d")
        #expect(try await scene.shown().prefix(2) == "-d")
    }

    @Test("A product that is in review keeps the picture that the reviewer sees")
    func review() async throws {
        let scene = try await Scene()
        try await scene.put("a", isApproved: true)
        try await scene.put("b")
        let cause = Self.cause
        try await scene.change { product, transaction in
            try ProductReviews.submit(
                product, .init(category: product.category ?? .service, delivers: "Credits"),
                cause.change(in: transaction))
        }
        await #expect(throws: CatalogueError.self) { try await scene.put("c") }
        #expect(try await scene.shown() == "ab waiting_for_review")
    }
}
