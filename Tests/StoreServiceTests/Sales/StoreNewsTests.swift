import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What customers do, at the window of a store", .bounded)
struct StoreNewsTests {
    @Test("X9: A line each is told of what is bought, restored and refunded, once, with or without addresses")
    func lines() async throws {
        let lines = Observed<[String]>([])
        try await StoreEngine.memory.withStore { databases in
            let scene = try SaleScene(databases) { entry in
                lines.update { $0.append("\(entry.event): \(entry.message)") }
            }
            let sample = try await CatalogueSample.make(in: databases.catalogue, id: 42)
            try await sample.put(
                CatalogueSample.draft("com.example.item1", kind: .nonConsumable), item: 1, in: databases.catalogue)
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let (window, file) = (
                StoreNews(scene.store, namesCustomers: true), StoreNews(scene.store, namesCustomers: false)
            )
            var (seen, kept) = (StoreNews.Told(), StoreNews.Told())
            let bought = try await scene.buy(.sample(.nonConsumable, 1), on: device)
            try await window.tell(of: customer, beyond: &seen)
            try await window.tell(of: customer, beyond: &seen)
            _ = try await scene.restore(device)
            try await window.tell(of: customer, beyond: &seen)
            let signals = try await databases.sandbox.signals(on: .redeliveries)
            var subjects = signals.compactMap(\.subject).makeAsyncIterator()
            _ = try await OperatorTransactions(scene.store).redeliver(
                #require(bought.transaction), scene.store.cause(.owner))
            try await window.tell(of: customer, beyond: &seen)
            let redelivered = try #require(await subjects.next().flatMap { TransactionID($0) })
            try await window.tell(of: redelivered)
            _ = try await scene.refund(bought.transaction)
            try await window.tell(of: customer, beyond: &seen)
            try await file.tell(of: customer, beyond: &kept)
            let (ada, item) = ("customer\(customer)@example.com", "com.example.item1")
            #expect(
                lines.value.prefix(4) == [
                    "sale.bought: \(ada) bought Title \(item) · $1.99 · \(item)",
                    "sale.restored: \(ada) restored Title \(item) · \(item)",
                    "sale.redelivered: \(ada) gets Title \(item) once more, as was asked · \(item)",
                    "sale.refunded: \(ada) was refunded Title \(item) · $1.99 · \(item)",
                ])
            #expect(!lines.value.dropFirst(5).isEmpty && !lines.value.dropFirst(5).contains { $0.contains("@") })
        }
    }
    @Test("X9: Each kind of event of a sale has a sentence of its own, and what nobody has to hear of has none")
    func sentences() throws {
        let dollars = Money(minorUnits: 199, currency: .usd)
        var sold = try SampleTransaction.consumable()
        let bought = sold
        sold.restoredID = try SampleTransaction.id(2)
        let restored = sold
        (sold.restoredID, sold.ownership) = (nil, .familyShared)
        let shared = sold
        sold = try SampleTransaction.subscription(3)
        sold.reason = .renewal
        let renewed = sold
        sold.revocation = TransactionRevocation(reason: .other, revokedAt: sold.purchaseDate)
        func told(
            _ kind: CustomerEventKind, _ sold: StoreTransaction, after former: CustomerEventKind? = nil,
            isAsked: Bool = false
        ) -> SaleNews? {
            SaleNews(kind, of: sold, after: former, isAsked: isAsked, refund: nil)
        }
        var news = [
            told(.transaction, bought), told(.transaction, renewed), told(.transaction, restored),
            told(.transaction, shared),
            told(.transaction, bought, after: .transaction, isAsked: true),
            told(.transaction, bought, after: .revocation), told(.revocation, sold),
            told(.priceConsent, renewed, after: .transaction),
        ]
        #expect(
            news == [
                .bought(dollars), .renewed(dollars), .restored, .shared, .redelivered, .reinstated, .revoked,
                .priceRaised,
            ])
        // Another device has finished it, or its period was cut short: nothing is delivered.
        #expect(told(.transaction, bought, after: .transaction) == nil)
        // It was revoked, and is not any more.
        #expect(told(.revocation, bought) == nil && told(.forgotten, bought) == nil && told(.purchase, bought) == nil)
        let silent: [SaleState] = [.signIn, .confirmation, .authorising, .capturing, .voiding, .purchased]
        for state in SaleState.allCases {
            let told = SaleNews(state, because: state == .declined ? .declined("card_lost") : .processor("down"))
            #expect((told == nil) == silent.contains(state), "\(state)")
            news.append(told)
        }
        news += [SaleNews(.failed, because: .refused), SaleNews(.failed, because: .expired)]
        let words = news.compactMap { $0?.words }
        #expect(words.count == 17 && Set(words).count == 17)
        #expect(words.allSatisfy { $0.contains("%") })
        #expect(words.contains("was declined % (card lost)"))
    }

    @Test("X9: Of money that is given back the amount is told, and whether the product goes with it")
    func refunds() async throws {
        let lines = Observed<[String]>([])
        try await StoreEngine.memory.withStore { databases in
            let scene = try SaleScene(databases) { entry in lines.update { $0.append(entry.message) } }
            let customer = try await scene.customer()
            let device = try await scene.device(customer)
            let window = StoreNews(scene.store, namesCustomers: true)
            let signals = try await databases.sandbox.signals(on: .refunds)
            var seen = StoreNews.Told()
            func part(_ cents: Int64, of bought: BoughtPurchase, revokes: Bool = false) async throws {
                let amount = Money(minorUnits: cents, currency: .usd)
                _ = try await scene.refund(
                    bought.transaction, .amount(amount, revokes: revokes, key: PurchaseKey(UUID()), reason: .other))
            }
            let first = try await scene.buy(.sample(.consumable, 1), on: device)
            try await window.tell(of: customer, beyond: &seen)
            try await part(50, of: first)
            // Devices hear nothing of it, so there is a signal.
            var subjects = signals.compactMap(\.subject).makeAsyncIterator()
            let refund = try #require(await subjects.next().flatMap { RefundID($0) })
            try await window.tell(of: refund)
            _ = try await scene.refund(first.transaction)
            try await window.tell(of: customer, beyond: &seen)
            try await part(111, of: scene.buy(.sample(.consumable, 2), on: device), revokes: true)
            try await window.tell(of: customer, beyond: &seen)
            #expect(
                lines.value.map { $0.replacing("customer\(customer)@example.com ", with: "") } == [
                    "bought com.example.item1 · $1.99 · com.example.item1",
                    "was refunded a part of com.example.item1 · $0.50 of $1.99 · com.example.item1",
                    "was refunded the rest of com.example.item1 · $1.49 of $1.99 · com.example.item1",
                    "bought com.example.item2 · $1.99 · com.example.item2",
                    "was refunded a part of com.example.item2, and lost it · $1.11 of $1.99 · com.example.item2",
                ])
        }
    }

    @Test("X9: A sale without a device that is declined is told; one that waits for a person says for what")
    func withoutDevice() async throws {
        let lines = Observed<[String]>([])
        try await StoreEngine.memory.withStore { databases in
            let scene = try SaleScene(databases) { entry in lines.update { $0.append(entry.message) } }
            try await scene.enterShop()
            let customer = try await scene.customer(pays: "decline")
            let window = StoreNews(scene.store, namesCustomers: true)
            var seen = StoreNews.Told()
            func sell() async throws {
                let selection = try Checkout.Selection(
                    product: "com.example.shop.coins", quantity: nil, accountToken: nil)
                let sold = try await scene.checkout.sell(
                    selection, to: customer.description, app: BundleID(parsing: "com.example.shop"), key: nil,
                    scene.store.cause(.owner)
                ).status
                try await window.tell(of: sold.id)
                try await window.tell(of: customer, beyond: &seen)
            }
            try await sell()
            _ = try await Accounts(scene.store).change(
                customer.description, .init(interruptsPurchases: true), scene.store.cause(.owner))
            try await sell()
            #expect(lines.value.count == 2)
            #expect(lines.value.first?.contains(" was declined Coins (") == true)
            #expect(lines.value.last?.contains(" has to settle something before Coins goes on · ") == true)
        }
    }
}
