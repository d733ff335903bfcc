import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import Testing

/// A family in a shop that has something to share: an organiser, an adult and a child.
struct FamilyScene: Sendable {
    let scene: SaleScene
    let organiser: CustomerID
    let adult: CustomerID
    let child: CustomerID
    /// Shared and not shared, of a kind that is owned for good.
    let shared: SoldItem
    let own: SoldItem
    let subscription: SoldItem

    var families: FamilyMembership { FamilyMembership(scene.store) }
    var cause: ChangeCause { scene.store.cause(.owner) }

    init(_ scene: SaleScene) async throws {
        self.scene = scene
        let now = scene.time.current
        // Of the catalogue only what is shared matters here, not what renews.
        let items: [(Int64, ProductKind, Bool)] = [
            (7001, .nonConsumable, true), (7002, .nonConsumable, false), (7003, .nonConsumable, true),
        ]
        try await scene.store.catalogue.write { transaction in
            let app = try Catalogue.addApp(
                AppID(number: 42), BundleID(parsing: "com.example.app42"), name: "Shop", primaryLanguage: "en-US",
                CatalogueChange(.store, at: now, in: transaction))
            for (number, kind, isShared) in items {
                let draft = try ProductDraft(
                    ProductID(parsing: "com.example.item\(number)"), kind, referenceName: "\(number)",
                    isFamilyShareable: isShared,
                    texts: ["en-US": ProductText(title: "Thing", description: "A thing")],
                    prices: [StorefrontCode(rawValue: "USA"): Money(minorUnits: 199, currency: .usd)])
                _ = try Catalogue.put(
                    draft, of: app.id, number: { try ItemID(number: number) }, isApproved: true,
                    CatalogueChange(.store, at: now, in: transaction))
            }
        }
        shared = try .sample(.nonConsumable, 7001)
        own = try .sample(.nonConsumable, 7002)
        subscription = try .sample(.autoRenewable, 7003)
        organiser = try await scene.customer()
        adult = try await scene.customer()
        child = try await scene.customer(pays: nil)
        _ = try await families.create(by: organiser.description, cause)
        _ = try await add(adult)
        _ = try await add(child, as: .child)
    }

    static func on<Result>(_ engine: StoreEngine, _ body: (FamilyScene) async throws -> Result) async throws -> Result {
        try await SaleScene.on(engine) { try await body(FamilyScene($0)) }
    }

    func add(_ customer: CustomerID, as role: Family.Role = .adult) async throws -> Family {
        try await families.add(customer.description, as: role, toFamilyOf: organiser.description, cause)
    }

    func leave(_ customer: CustomerID) async throws {
        try await families.remove(customer.description, fromFamilyOf: customer.description, cause)
    }

    /// What a customer has from others and may use.
    func sharedWith(_ customer: CustomerID) async throws -> [StoreTransaction] {
        let scope = try await scene.device(customer)
        return try await scene.entitlements(scope).filter { $0.ownership == .familyShared }
    }

    /// Opens a purchase and says yes as the child; gives the purchase, which waits then.
    func ask(_ item: SoldItem, on device: DeviceScope) async throws -> BoughtPurchase {
        try await scene.buy(item, on: device)
    }

    func decide(_ id: PurchaseID, _ isApproved: Bool) async throws -> SaleStatus {
        try await AskToBuy(scene.store).decide(named: id.description, isApproved: isApproved, cause)
    }
}
