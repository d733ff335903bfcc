import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreRules
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("Items are sold on their pages", .bounded)
struct ItemSaleTests {
    @Test(
        "R7.7: An item that is bought is in the library, waits for no app, and its money is booked",
        arguments: StoreEngine.usual)
    func bought(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let bought = try await shop.buy(shop.book, as: ada)
            #expect(bought.state == .purchased)
            #expect(try await shop.library.has([shop.book, shop.album], ada) == [shop.book])
            let entry = try #require(
                try await shop.library.list(of: ada, languages: ["en-US"]).entries.first)
            #expect(entry.listing.storeID == shop.book)
            #expect(entry.paid == Money(minorUnits: 499, currency: .usd))
            #expect(entry.order == OrderID(bought.id.sale, in: .sandbox))
            #expect(entry.isSold)
            #expect(entry.bytes == 1000)
            let transaction = try #require(bought.transaction)
            #expect(try await shop.store.database.read { try Transactions.isFinished(transaction, in: $0) })
            let report = try await shop.scene.check()
            #expect(report.isInOrder, "\(report)")
        }
    }

    @Test(
        "A button that is pressed twice, one after the other or at once, opens one sheet and is paid once",
        arguments: StoreEngine.allCases)
    func pressedTwice(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            async let one = shop.open(shop.book, as: ada)
            async let other = shop.open(shop.book, as: ada)
            let (first, second) = try await (one, other)
            let third = try await shop.open(shop.book, as: ada)
            #expect(Set([first.token, second.token, third.token]).count == 1)
            // One of them is too late.
            async let yes = try? shop.scene.confirm(first.purchase)
            async let again = try? shop.scene.confirm(first.purchase)
            _ = await (yes, again)
            #expect(try await shop.scene.purchase(first.purchase).state == .purchased)
            #expect(try await shop.scene.count("SELECT count(*) FROM charge") == 1)
            #expect(try await shop.scene.count("SELECT count(*) FROM sale_order") == 1)
            #expect(try await shop.names(ada) == ["Walden"])
        }
    }

    @Test("What was cancelled can be asked for again, on another sheet", arguments: StoreEngine.usual)
    func again(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let first = try await shop.open(shop.book, as: ada)
            _ = try await shop.scene.cancel(first.purchase)
            let second = try await shop.open(shop.book, as: ada)
            #expect(second.purchase != first.purchase)
            #expect(try await shop.scene.confirm(second.purchase).state == .purchased)
        }
    }

    @Test("What is free is got without a means of payment", arguments: StoreEngine.usual)
    func free(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let id = try await shop.scene.customer(pays: nil)
            let ada = WebScope(customer: id, storefront: StorefrontCode(rawValue: "USA"))
            #expect(try await shop.buy(shop.free, as: ada).state == .purchased)
            #expect(try await shop.names(ada) == ["Flatland"])
        }
    }

    @Test(
        "What the account has is not sold to it again, nor a song of an album that it has",
        arguments: StoreEngine.allCases)
    func owned(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.album, as: ada)
            for item in [shop.album, shop.songs[0], shop.songs[1]] {
                #expect(try await shop.refusal { _ = try await shop.open(item, as: ada) } == .tooLate)
            }
            #expect(try await shop.library.has(shop.songs, ada) == Set(shop.songs))
            let entry = try #require(try await shop.library.list(of: ada, languages: ["en-US"]).entries.first)
            #expect(entry.parts.map(\.storeID) == shop.songs)
        }
    }

    @Test(
        "A sheet of a song that lies open sells nothing once the album is there",
        arguments: StoreEngine.usual)
    func ownedMeanwhile(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let (song, album) = (try await shop.open(shop.songs[0], as: ada), try await shop.open(shop.album, as: ada))
            let sheet = PaymentSheet(shop.store)
            #expect(try await !sheet.content(song.token).hasWhole)
            #expect(try await shop.scene.confirm(album.purchase).state == .purchased)
            #expect(try await sheet.content(song.token).hasWhole)
            #expect(try await shop.refusal { _ = try await shop.scene.confirm(song.purchase) } == .tooLate)
            let code = try #require(try await shop.scene.purchase(song.purchase).code)
            _ = try await sheet.confirm(
                song.token, code: code, password: nil, isProven: true, paidWith: .init(""),
                from: PeerAddress(host: "192.0.2.7", port: 1),
                request: nil)
            #expect(try await shop.scene.purchase(song.purchase).state == .confirmation)
            #expect(try await shop.scene.count("SELECT count(*) FROM charge") == 1)
            #expect(try await shop.scene.count("SELECT count(*) FROM store_transaction") == 1)
        }
    }

    @Test(
        "Whoever presses the button again comes by the newest link, and in an app by none",
        arguments: StoreEngine.usual
    )
    func referrals(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, partners) = (try await shop.customer(), Partners(shop.store))
            let now = shop.scene.time.current
            var links: [Referral?] = []
            for name in ["One", "Two"] {
                let made = try await partners.create(
                    name, email: "\(name)@example.com", commission: Proportion(7, outOf: 100), shop.store.cause(.owner))
                links.append(Referral(partner: made.id, campaign: name, cameAt: now))
            }
            for link in [nil, links[0], links[1], nil, links[1]] {
                _ = try await shop.sales.open(
                    shop.book, in: ada.storefront, as: ada, referral: link, request: nil)
                let kept = try await shop.store.database.read { transaction in
                    try transaction.query("SELECT campaign FROM referral") { try $0.value(0, as: String.self) }
                }
                #expect(kept == [link?.campaign].compactMap(\.self))
            }
            #expect(try await shop.scene.count("SELECT count(*) FROM purchase") == 1)
        }
    }

    @Test("What cannot be sold to an account is refused by name", arguments: StoreEngine.usual)
    func refused(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, store) = (try await shop.customer(), shop.store)
            #expect(try await shop.refusal { _ = try await shop.open(4711, as: ada) } == .productUnknown)
            let unsold = await #expect(throws: ServiceError.self) { try await shop.open(shop.songs[1], as: ada) }
            #expect(unsold?.code == .productUnavailable)
            let elsewhere = await #expect(throws: ServiceError.self) {
                try await shop.sales.open(
                    shop.book, in: StorefrontCode(rawValue: "DEU"), as: ada, referral: nil, request: nil)
            }
            #expect(elsewhere?.code == .productUnavailable)
            let editing = CatalogueEditing(store.catalogue, by: .owner, request: nil, now: shop.scene.time.reading)
            try await editing.removeItem(shop.book)
            #expect(try await shop.refusal { _ = try await shop.open(shop.book, as: ada) } != nil)
            #expect(try await shop.scene.count("SELECT count(*) FROM purchase") == 0)
        }
    }

    @Test(
        "A refund takes an item out of the library, and its file with it", arguments: StoreEngine.allCases)
    func refunded(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            let bought = try await shop.buy(shop.book, as: ada)
            #expect(try await shop.library.file(at: .init(shop.book), ada).storeID == shop.book)
            _ = try await shop.scene.refund(bought.transaction)
            #expect(try await shop.names(ada) == [])
            let refusal = try await shop.refusal { _ = try await shop.library.file(at: .init(shop.book), ada) }
            #expect(refusal == .itemNotOwned)
            // It can be bought once more.
            #expect(try await shop.buy(shop.book, as: ada).state == .purchased)
            #expect(try await shop.names(ada) == ["Walden"])
            #expect(try await shop.scene.check().isInOrder)
        }
    }

    @Test("R7.7: What is not sold any more stays in the library, with its file", arguments: StoreEngine.usual)
    func removed(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let ada = try await shop.customer()
            try await shop.buy(shop.book, as: ada)
            let editing = CatalogueEditing(
                shop.store.catalogue, by: .owner, request: nil, now: shop.scene.time.reading)
            try await editing.removeItem(shop.book)
            let entry = try #require(try await shop.library.list(of: ada, languages: ["en-US"]).entries.first)
            #expect(!entry.isSold)
            #expect(try await shop.library.file(at: .init(shop.book), ada).fileName == "Walden.epub")
        }
    }

    @Test("A family shares what may be shared, and its sharing ends with the family", arguments: StoreEngine.usual)
    func family(_ engine: StoreEngine) async throws {
        try await StorefrontScene.on(engine) { shop in
            let (ada, ben) = (try await shop.customer(), try await shop.customer())
            let (families, cause) = (FamilyMembership(shop.store), shop.store.cause(.owner))
            _ = try await families.create(by: ada.customer.description, cause)
            _ = try await families.add(
                ben.customer.description, as: .adult, toFamilyOf: ada.customer.description, cause)
            try await shop.buy(shop.shared, as: ada)
            try await shop.buy(shop.book, as: ada)
            try await shop.scene.work()
            #expect(try await shop.names(ben) == ["Atlas"])
            let entry = try #require(try await shop.library.list(of: ben, languages: ["en-US"]).entries.first)
            #expect(entry.ownership == .familyShared)
            #expect(entry.paid.isZero)
            let unfinished = try await shop.scene.count(
                """
                SELECT count(*) FROM store_transaction WHERE NOT EXISTS (
                    SELECT 1 FROM transaction_finish WHERE transaction_id = store_transaction.id)
                """)
            #expect(unfinished == 0)
            try await families.remove(ben.customer.description, fromFamilyOf: ada.customer.description, cause)
            #expect(try await shop.names(ben) == [])
        }
    }
}
