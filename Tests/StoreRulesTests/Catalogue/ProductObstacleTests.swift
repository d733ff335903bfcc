import StoreModel
import StoreRules
import Testing

@Suite("What keeps a product from being sold")
struct ProductObstacleTests {
    private static func first(
        _ state: ProductState = .approved, isRemoved: Bool = false, isCleared: Bool = true,
        price: Money? = Money(minorUnits: 99, currency: .usd), in environment: StoreEnvironment = .production
    ) throws -> ProductObstacle? {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: "USA"))
        return ProductObstacle.first(
            of: state, isRemoved: isRemoved, isClearedForSale: isCleared, price: price, in: environment, storefront)
    }

    @Test("Nothing does where all is well")
    func none() throws {
        #expect(try Self.first() == nil)
        #expect(try Self.first(in: .sandbox) == nil)
        #expect(try Self.first(.ready, in: .sandbox) == nil)
        #expect(try Self.first(price: .zero(.usd)) == nil)
    }

    @Test("Production sells nothing that is not approved, whatever it is instead")
    func approval() throws {
        #expect(try Self.first(.ready) == .notApproved)
        #expect(try Self.first(ProductState(rawValue: "on_its_way")) == .notApproved)
    }

    @Test("A price in another currency than the storefront's is none")
    func currency() throws {
        #expect(try Self.first(price: nil) == .notInStorefront)
        #expect(try Self.first(price: Money(minorUnits: 99, currency: .eur)) == .notInStorefront)
    }

    @Test("The most lasting reason is told first")
    func order() throws {
        #expect(try Self.first(.ready, isRemoved: true, isCleared: false, price: nil) == .removed)
        #expect(try Self.first(.ready, isCleared: false, price: nil) == .notClearedForSale)
        #expect(try Self.first(.ready, price: nil) == .notApproved)
    }
}
