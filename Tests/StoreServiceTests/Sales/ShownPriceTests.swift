import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Purchases are opened, signed in for, approved, confirmed and priced anew in any order and at once: nobody is charged what
/// the yes was not shown.
@Suite(.bounded) struct ShownPriceTests {
    /// What somebody says yes with, and what was on the screen beside it.
    private struct Yes: Hashable {
        enum Means: Hashable {
            case token(String)
            case code(String)
        }

        let means: Means
        let total: Money
        let storefront: StorefrontCode
    }

    /// What was shown of each purchase, and every yes that was said.
    private final class Screen: Sendable {
        private let shown = Mutex<[PurchaseKey: Set<Yes>]>([:])
        private let said = Mutex<[PurchaseKey: Set<Yes>]>([:])

        var keys: [PurchaseKey] { shown.withLock { $0.keys.sorted { $0.description < $1.description } } }

        func show(_ answer: Checkout.Answer) {
            let purchase = answer.purchase
            let means = [answer.token.map(Yes.Means.token), purchase.code.map(Yes.Means.code)].compactMap { $0 }
            shown.withLock { shown in
                for means in means {
                    shown[purchase.key, default: []].insert(
                        Yes(means: means, total: purchase.total, storefront: purchase.item.storefront))
                }
            }
        }

        func all(_ key: PurchaseKey) -> [Yes] {
            shown.withLock { $0[key, default: []].sorted { "\($0)" < "\($1)" } }
        }

        func say(_ yes: Yes, to key: PurchaseKey) { said.withLock { _ = $0[key, default: []].insert(yes) } }

        func wasSaid(_ total: Money, _ storefront: StorefrontCode, to key: PurchaseKey) -> Bool {
            said.withLock { $0[key, default: []].contains { $0.total == total && $0.storefront == storefront } }
        }
    }

    private struct Shop {
        let scene: SaleScene
        let screen = Screen()
        let token: DeviceToken
        let device: DeviceID
        let customers: [Customer]
        let catalogue: CatalogueSample
    }

    private static let products = ["com.example.coins", "com.example.gems"]
    private static let bundle = "com.example.app42"

    @Test(
        "In no order of events is anybody charged what was not shown", arguments: [StoreEngine.memory, .postgres])
    func anyOrder(_ engine: StoreEngine) async throws {
        var random = RandomizedRun.generator(named: "shown price \(engine)")
        var sold: [Int] = []
        for _ in 0..<(engine == .memory ? RandomizedRun.cases(3, inSoak: 120) : RandomizedRun.cases(2)) {
            let seed = random.next()
            try await engine.withStore { databases in
                try await databases.sandbox.write { try StoreProperty.beginFirstEpoch("first", in: $0) }
                sold.append(try await run(furnish(SaleScene(databases)), SplitMix64(seed: seed)))
            }
        }
        #expect(sold.contains { $0 > 0 }, "a run that sells nothing shows nothing: \(sold)")
    }

    private func furnish(_ scene: SaleScene) async throws -> Shop {
        let catalogue = try await CatalogueSample.make(in: scene.store.catalogue, bundleID: Self.bundle, id: 42)
        for (number, product) in Self.products.enumerated() {
            try await catalogue.put(
                CatalogueSample.draft(product), item: Int64(1000 + number), isApproved: true,
                in: scene.store.catalogue)
        }
        var customers: [Customer] = []
        for storefront in ["USA", "JPN"] {
            let id = try await scene.customer(in: storefront)
            customers.append(try await scene.store.database.read { try Customers.require(id, in: $0) })
        }
        let (scope, token) = try await scene.registered(
            nil, profileRevision: catalogue.app.capabilitiesRevision)
        return Shop(scene: scene, token: token, device: scope.device, customers: customers, catalogue: catalogue)
    }

    private func run(_ shop: Shop, _ generator: SplitMix64) async throws -> Int {
        var random = generator
        for _ in 0..<60 {
            let (first, second) = (SplitMix64(seed: random.next()), SplitMix64(seed: random.next()))
            async let one: Void = Self.act(shop, first)
            async let other: Void = Self.act(shop, second)
            _ = await (one, other)
        }
        return try await judge(shop)
    }

    /// One thing that happens; what the store refuses is refused.
    private static func act(_ shop: Shop, _ generator: SplitMix64) async {
        var random = generator
        let (scene, screen) = (shop.scene, shop.screen)
        let customer = shop.customers[Int(random.next() % 2)]
        let key = screen.keys.randomElement(using: &random)
        let yes = key.flatMap { screen.all($0).randomElement(using: &random) }
        let happens = random.next() % 10
        let quantity = Int(random.next() % 2) + 1
        let product = products[Int(random.next() % 2)]
        let dollars = Int64(random.next() % 900) + 99
        do {
            switch (happens, key, yes) {
            case (0, _, _), (_, nil, _):
                screen.show(try await open(product, quantity, PurchaseKey(UUID()), shop))
            case (1, let key?, _):
                // The same request once more, as far as it can be told from what was shown.
                let known = try await scene.store.database.read { transaction in
                    try transaction.query("SELECT product_id, quantity FROM purchase WHERE purchase_key = $1", key) {
                        (try $0.value(0, as: String.self), try $0.value(1, as: Int.self))
                    }.first
                }
                guard let known else { return }
                screen.show(try await open(known.0, known.1, key, shop))
            case (2, let key?, _):
                screen.show(try await scene.checkout.status(of: key, as: shop.token))
            case (3, _, _):
                let scope = try await scene.store.scope(of: shop.token)
                _ = try await Accounts(scene.store).signIn(customer, on: scope, scene.cause)
            case (4, _, _):
                _ = try await Accounts(scene.store).signOut(as: shop.token)
            case (5, _, _):
                let storefront = StorefrontCode(rawValue: ["USA", "JPN"].randomElement(using: &random) ?? "USA")
                _ = try await Registrations(scene.store).setStorefront(storefront, as: shop.token)
            case (6, _, _):
                try await shop.catalogue.put(
                    CatalogueSample.draft(product, dollars: dollars), item: 1, isApproved: true,
                    in: scene.store.catalogue)
            case (_, let key?, let yes?):
                screen.say(yes, to: key)
                switch yes.means {
                case .token(let token):
                    _ = try await scene.checkout.confirm(key, with: .token(token), as: shop.token, request: nil)
                case .code(let code):
                    _ = try await Approvals(scene.store).answer(
                        code: code, for: random.next() % 4 == 0 ? nil : customer.id.description, isApproved: true,
                        scene.cause)
                }
            default: break
            }
        } catch {}
    }

    private static func open(
        _ product: String, _ quantity: Int, _ key: PurchaseKey, _ shop: Shop
    ) async throws -> Checkout.Answer {
        try await shop.scene.checkout.open(
            Checkout.Selection(product: product, quantity: quantity, accountToken: nil), key: key, as: shop.token,
            request: nil)
    }

    /// - Returns: how many purchases were sold
    private func judge(_ shop: Shop) async throws -> Int {
        let sold = try await shop.scene.store.database.read { transaction in
            let ids = try transaction.query("SELECT id FROM sale_order ORDER BY id") {
                try $0.value(0, as: SaleID.self)
            }
            return try ids.map {
                (
                    try Purchases.require($0.purchase, in: transaction).key,
                    try #require(try SaleOrder.find($0, in: transaction))
                )
            }
        }
        for (key, order) in sold {
            #expect(
                shop.screen.wasSaid(order.total, order.item.storefront, to: key),
                "\(order.total) in \(order.item.storefront) was charged, and shown were \(shop.screen.all(key))")
        }
        let report = try await shop.scene.check()
        #expect(report.isInOrder, "\(report.problems)")
        return sold.count
    }
}
