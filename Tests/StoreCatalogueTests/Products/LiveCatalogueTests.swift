import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("What of the catalogue is live", .bounded)
struct LiveCatalogueTests {
    private static let cause = CatalogueCause(.store, at: CatalogueSample.now)

    /// An app with a subscription, and beside it another app with a group of the same id.
    private struct Scene {
        let catalogue: any Database
        let mine: CatalogueSample
        let other: CatalogueSample

        init(_ catalogue: any Database) async throws {
            self.catalogue = catalogue
            mine = try await CatalogueSample.make(in: catalogue)
            other = try await CatalogueSample.make(in: catalogue, bundleID: "com.example.other", id: 2)
            for (sample, item) in [(mine, Int64(1)), (other, 2)] {
                let draft = try CatalogueSample.draft("gold", kind: .autoRenewable, period: .oneMonth, group: "club")
                try await sample.put(draft, item: item, in: catalogue)
            }
        }

        func change(_ body: @escaping @Sendable (CatalogueProduct, any WriteTransaction) throws -> Void) async throws {
            let product = try #require(try await mine.product("gold", in: catalogue))
            try await catalogue.write { try body(product, $0) }
        }

        /// What is live: the product, its group, its app and its team. Nothing of the other app ever is.
        func live() async throws -> [Bool] {
            let (mine, other) = (mine.app, other.app)
            let product = try #require(try await self.mine.product("gold", in: catalogue))
            return try await catalogue.read { transaction in
                let club = try SubscriptionGroupID(parsing: "club")
                #expect(try !Catalogue.isLive(other.id, in: transaction))
                #expect(try !Catalogue.isLive(club, of: other.id, in: transaction))
                #expect(try !Catalogue.isLive(SubscriptionGroupID(parsing: "none"), of: mine.id, in: transaction))
                #expect(try !Catalogue.isLive(TeamID(parsing: "nobody"), in: transaction))
                return [
                    Catalogue.isLive(product), try Catalogue.isLive(club, of: mine.id, in: transaction),
                    try Catalogue.isLive(mine.id, in: transaction), try Catalogue.isLive(mine.teamID, in: transaction),
                ]
            }
        }
    }

    private static let no = Array(repeating: false, count: 4)
    private static let yes = Array(repeating: true, count: 4)

    @Test(
        "A product, its group, its app and its team are live from the first approval until the product is removed for good",
        arguments: StoreEngine.allCases)
    func life(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let scene = try await Scene(store.catalogue)
            #expect(try await scene.live() == Self.no)
            try await scene.change {
                try Catalogue.approve($0, CatalogueChange(.store, at: CatalogueSample.now, in: $1))
            }
            #expect(try await scene.live() == Self.yes)
            try await scene.change { try Catalogue.setClearedForSale(false, $0, Self.cause.change(in: $1)) }
            #expect(try await scene.live() == Self.yes)
            try await scene.change { try Catalogue.setClearedForSale(true, $0, Self.cause.change(in: $1)) }
            try await scene.change {
                try ProductReviews.setRemovedFromSale(because: "complaints", $0, Self.cause.change(in: $1))
            }
            #expect(try await scene.live() == Self.yes)
            try await scene.change {
                try Catalogue.remove($0, CatalogueChange(.store, at: CatalogueSample.now, in: $1))
            }
            #expect(try await scene.live() == Self.no)
        }
    }
}
