import StoreModel
import StoreRules
import Testing

@Suite("What keeps a product from being sold")
struct ProductObstacleTests {
    private static func first(
        _ state: ProductState = .approved, isRemoved: Bool = false, isCleared: Bool = true,
        period: BillingPeriod? = nil, price: Money? = Money(minorUnits: 99, currency: .usd),
        in environment: StoreEnvironment = .production
    ) throws -> ProductObstacle? {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: "USA"))
        return ProductObstacle.first(
            of: ProductReview(state: state, isLive: state == .approved), isRemoved: isRemoved,
            isClearedForSale: isCleared, period: period, price: price, in: environment, storefront,
            at: Instant(millisecondsSinceEpoch: 0))
    }

    @Test("Nothing does where all is well")
    func none() throws {
        #expect(try Self.first() == nil)
        #expect(try Self.first(in: .sandbox) == nil)
        #expect(try Self.first(.readyToSubmit, in: .sandbox) == nil)
        #expect(try Self.first(price: .zero(.usd)) == nil)
    }

    @Test("Production sells nothing that is not approved, whatever it is instead")
    func approval() throws {
        #expect(try Self.first(.readyToSubmit) == .notApproved)
        #expect(try Self.first(ProductState(rawValue: "on_its_way")) == .notApproved)
        let submitted = [ProductState.waitingForReview: ProductObstacle.awaitsReview, .inReview: .isInReview]
        for (state, obstacle) in submitted.merging([.pendingBinaryApproval: .awaitsVersion], uniquingKeysWith: { $1 }) {
            #expect(try Self.first(state) == obstacle && Self.first(state, in: .sandbox) == nil)
            #expect(!obstacle.isOfKnownProduct(in: .production))
        }
    }

    @Test("Content that is not there yet is told of itself: nobody can approve a product before it is")
    func content() throws {
        for environment in StoreEnvironment.allCases {
            #expect(try Self.first(.waitingForUpload, in: environment) == .awaitsContent)
            #expect(try Self.first(.processingContent, in: environment) == .processesContent)
        }
        #expect(!ProductObstacle.awaitsContent.isOfKnownProduct(in: .production))
        #expect(ProductObstacle.awaitsContent.isOfKnownProduct(in: .sandbox))
    }

    @Test("R5.6: Production sells no period that only tests have, and the sandbox does")
    func period() throws {
        #expect(try Self.first(period: .oneWeek) == nil)
        #expect(try Self.first(period: .threeDays) == .periodNotAllowed)
        #expect(try Self.first(period: BillingPeriod(5, .month)) == .periodNotAllowed)
        #expect(try Self.first(.readyToSubmit, period: .threeDays) == .notApproved)
        #expect(try Self.first(period: .threeDays, in: .sandbox) == nil)
    }

    @Test("A price in another currency than the storefront's is none")
    func currency() throws {
        #expect(try Self.first(price: nil) == .notInStorefront)
        #expect(try Self.first(price: Money(minorUnits: 99, currency: .eur)) == .notInStorefront)
    }

    @Test("The most lasting reason is told first")
    func order() throws {
        #expect(try Self.first(.readyToSubmit, isRemoved: true, isCleared: false, price: nil) == .removed)
        #expect(try Self.first(.readyToSubmit, isCleared: false, price: nil) == .notClearedForSale)
        #expect(try Self.first(.readyToSubmit, price: nil) == .notApproved)
    }

    @Test(
        "R1.5: What keeps a whole app from selling; in three cases nothing of StoreKit works in it",
        arguments: [
            (false, [], false, true, ProductObstacle.noAgreement, true),
            (true, [.approved, .rejected], false, true, nil, false),
            (true, [.developerRejected, .rejected], false, true, .binaryRejected, true),
            (true, [.rejected, .developerRejected], false, true, .binaryWithdrawn, true),
            (true, [.rejected, .waitingForReview], false, true, nil, false),
            (true, [], true, true, .suspended, false), (true, [], false, false, .noCapability, false),
        ] as [(Bool, [AppVersionState], Bool, Bool, ProductObstacle?, Bool)])
    func apps(
        hasAgreement: Bool, versions: [AppVersionState], isSuspended: Bool, mayUse: Bool, expected: ProductObstacle?,
        blocks: Bool
    ) {
        let found = ProductObstacle.ofApp(
            hasAgreement: hasAgreement, versions: versions, isSuspended: isSuspended, mayUsePurchases: mayUse)
        #expect(found == expected)
        #expect((found?.blocksApp ?? false) == blocks)
    }

    @Test("R1.5: A change that is on its way keeps a product off the shelves until it arrives")
    func propagation() throws {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: "USA"))
        let (now, review) = (Instant(millisecondsSinceEpoch: 1000), ProductReview(state: .approved, isLive: true))
        func first(_ arrival: Int64) -> ProductObstacle? {
            .first(
                of: review, isRemoved: false, isClearedForSale: true, period: nil,
                price: Money(minorUnits: 99, currency: .usd),
                arrival: Instant(millisecondsSinceEpoch: arrival), in: .sandbox, storefront, at: now)
        }
        #expect(first(1001) == .notPropagated)
        #expect(first(1000) == nil)
    }
}
