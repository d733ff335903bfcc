import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("What an app can sell of the ids it asks for", .bounded)
struct ProductListingTests {
    @Test("An offer has the words, the price and the currency of the storefront", arguments: StoreEngine.allCases)
    func offer(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let texts = [
                "en-US": ProductText(title: "Five credits", description: "For monkeys."),
                "ja": ProductText(title: "クレジット5", description: "サル用。"),
            ]
            try await sample.put(CatalogueSample.draft("credits5", texts: texts), item: 7, in: store.catalogue)
            let american = try await sample.listings(["credits5"], of: store.catalogue)
            #expect(american.invalid.isEmpty)
            #expect(american.listings.map(\.title) == ["Five credits"])
            #expect(american.listings.map(\.price) == [Money(minorUnits: 99, currency: .usd)])
            let japanese = try await sample.listings(["credits5"], in: "JPN", languages: ["ja-JP"], of: store.catalogue)
            let offer = try #require(japanese.listings.first)
            #expect(offer.title == "クレジット5")
            #expect(offer.description == "サル用。")
            #expect(offer.language == "ja")
            #expect(offer.price == Money(minorUnits: 160, currency: .jpy))
            #expect(try offer.product.itemID == ItemID(number: 7))
            #expect(offer.product.kind == .consumable)
        }
    }

    @Test("Any number of ids is answered, in their order and each once", arguments: StoreEngine.allCases)
    func many(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let names = (0..<150).map { "p\($0)" }
            try await store.catalogue.write { transaction in
                for (index, name) in names.enumerated() {
                    _ = try Catalogue.put(
                        CatalogueSample.draft(name, dollars: Int64(index)), of: sample.app.id,
                        number: { try ItemID(number: Int64(index)) }, isApproved: false,
                        CatalogueChange(.store, at: CatalogueSample.now, in: transaction))
                }
            }
            for count in [0, 1, 2, 31, 32, 33, 64, 65, 150] {
                let asked = Array(names.prefix(count).reversed())
                let found = try await sample.listings(asked + asked + ["none"], of: store.catalogue)
                #expect(found.listings.map(\.product.productID.text) == asked)
                #expect(found.listings.map(\.price.minorUnits) == (0..<count).reversed().map(Int64.init))
                #expect(found.listings.map(\.title) == asked.map { "Title \($0)" })
                #expect(found.invalid.map(\.id) == ["none"])
            }
        }
    }

    @Test(
        "R1.4: A subscription has its level, its group's name and what apps may see of its offers, priced where it is sold",
        arguments: StoreEngine.allCases)
    func subscription(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let cause = CatalogueCause(.store, at: CatalogueSample.now)
            for (number, name) in ["club", "gold"].enumerated() {
                let draft = try CatalogueSample.draft(name, kind: .autoRenewable, period: .oneMonth, group: "G")
                try await sample.put(draft, item: 7 + Int64(number), in: store.catalogue)
            }
            let club = try #require(try await sample.product("club", in: store.catalogue))
            let dollar = Money(minorUnits: 99, currency: .usd)
            try await store.catalogue.write { transaction in
                try SubscriptionGroups.put(
                    SubscriptionGroup(
                        id: SubscriptionGroupID(parsing: "G"), referenceName: "Club",
                        texts: [
                            "en-US": SubscriptionGroupText(name: "Monkeys"), "ja": SubscriptionGroupText(name: "サル"),
                        ], members: [.init(productId: club.productID, level: 2)]), of: sample.app.id,
                    cause.change(in: transaction))
                for (kind, start) in [(OfferKind.introductory, 0), (.promotional, 0), (.winBack, 1), (.code, 0)] {
                    let offer = try SubscriptionOffer(
                        id: kind.rawValue, kind: kind, paymentMode: .payUpFront, period: .oneWeek, basePrice: dollar,
                        startsAt: CatalogueSample.now + .seconds(start))
                    try SubscriptionOffers.put(offer, of: club, cause.change(in: transaction))
                }
            }
            let found = try await sample.listings(["gold", "club"], in: "JPN", languages: ["ja"], of: store.catalogue)
            #expect(found.listings.map { $0.offers.map(\.offer.id) } == [[], ["introductory", "promotional"]])
            #expect(found.listings.last?.offers.map(\.price.description) == ["160 JPY", "160 JPY"])
            // The texts are English, and so is the name of the group beside them.
            #expect(found.listings.map(\.groupName) == ["Monkeys", "Monkeys"])
            #expect(found.listings.map(\.product.level) == [nil, 2])
            let later = CatalogueMoment(CatalogueSample.now + .seconds(1))
            let one = try await sample.listings(["club"], at: later, of: store.catalogue)
            #expect(one.listings.first?.offers.map(\.offer.id) == ["introductory", "promotional", "win_back"])
        }
    }

    @Test(
        "R1.4: A price holds from its moment on, in its storefront or in those without one",
        arguments: StoreEngine.allCases)
    func scheduled(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("p"), item: 7, in: store.catalogue)
            let (product, cause) = (
                try #require(try await sample.product("p", in: store.catalogue)),
                CatalogueCause(.store, at: CatalogueSample.now)
            )
            try await store.catalogue.write { transaction in
                for (code, amount, currency, seconds) in [
                    ("JPN", Int64(200), Currency.jpy, 10), ("JPN", 300, .jpy, 20), (nil, 199, .usd, 10),
                ] {
                    try PriceChanges.set(
                        Money(minorUnits: amount, currency: currency), of: product,
                        in: code.map { try CatalogueSample.storefront($0) },
                        from: CatalogueSample.now + .seconds(seconds), cause.change(in: transaction))
                }
            }
            for (code, seconds, amount) in [
                ("JPN", 0, 160), ("JPN", 9, 160), ("JPN", 10, 200), ("JPN", 19, 200), ("JPN", 20, 300), ("USA", 20, 99),
                ("DEU", 9, nil), ("DEU", 10, 229),
            ] as [(String, Int64, Int64?)] {
                let moment = CatalogueMoment(CatalogueSample.now + .seconds(seconds))
                let found = try await sample.listings(["p"], in: code, at: moment, of: store.catalogue)
                #expect(found.listings.first?.price.minorUnits == amount, "\(code) after \(seconds) s")
            }
            // It is the clock of the customer that counts.
            for (commerce, wall, amount) in [(20, 0, 300), (0, 20, 160)] as [(Int, Int, Int64)] {
                let moment = CatalogueMoment(
                    commerce: CatalogueSample.now + .seconds(commerce), wall: CatalogueSample.now + .seconds(wall))
                let found = try await sample.listings(["p"], in: "JPN", at: moment, of: store.catalogue)
                #expect(found.listings.first?.price.minorUnits == amount)
                #expect(found.validUntil.commerce == (commerce == 0 ? CatalogueSample.now + .seconds(10) : nil))
                #expect(found.validUntil.wall == nil)
            }
        }
    }

    @Test("What no id can be is an invalid id, and no error", arguments: StoreEngine.allCases)
    func malformed(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let ids = ["", " ", "a b", "a+b", "\u{0}", "é", "' OR 1=1 --", String(repeating: "x", count: 5000)]
            let found = try await sample.listings(ids, of: store.catalogue)
            #expect(found.listings.isEmpty)
            #expect(found.invalid.map(\.id) == ids)
            #expect(found.invalid.allSatisfy { $0.obstacle == .malformed })
        }
    }

    @Test("The sandbox says which id was probably meant; production keeps it to itself")
    func nearest() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let id = "com.example.app.credits5"
            try await sample.put(CatalogueSample.draft(id), item: 1, isApproved: true, in: store.catalogue)
            let typed = "com.example.app.credit5"
            let sandbox = try await sample.listings([typed], of: store.catalogue)
            #expect(sandbox.invalid.map(\.nearest?.text) == [id])
            #expect(sandbox.invalid.map(\.obstacle) == [.unknown])
            let production = try await sample.listings([typed], .production, of: store.catalogue)
            #expect(production.invalid.map(\.nearest) == [nil])
            #expect(production.invalid.map(\.obstacle) == [.unknown])
        }
    }

    @Test("Only so many slips of one request are looked at")
    func guesses() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("credits5"), item: 1, in: store.catalogue)
            let typed = (0..<20).map { "credits5\($0)" }
            let found = try await sample.listings(typed, of: store.catalogue)
            #expect(found.invalid.count == 20)
            #expect(found.invalid.filter { $0.nearest != nil }.count == CatalogueLimits.guesses)
        }
    }

    @Test("The product of another app is unknown", arguments: StoreEngine.allCases)
    func otherApp(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            let other = try await CatalogueSample.make(in: store.catalogue, bundleID: "com.example.other", id: 2)
            try await other.put(CatalogueSample.draft("credits5"), item: 1, in: store.catalogue)
            let found = try await sample.listings(["credits5"], of: store.catalogue)
            #expect(found.invalid.map(\.obstacle) == [.unknown])
            #expect(try await other.listings(["credits5"], of: store.catalogue).listings.count == 1)
        }
    }

    @Test("The sandbox sells what is ready, production what is approved", arguments: StoreEngine.allCases)
    func environments(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("credits5"), item: 1, in: store.catalogue)
            #expect(try await sample.listings(["credits5"], .sandbox, of: store.catalogue).listings.count == 1)
            let refused = try await sample.listings(["credits5"], .production, of: store.catalogue)
            #expect(refused.invalid.map(\.obstacle) == [.notApproved])
            let product = try #require(try await sample.product("credits5", in: store.catalogue))
            try await store.catalogue.write {
                try Catalogue.approve(product, CatalogueChange(.store, at: CatalogueSample.now, in: $0))
            }
            #expect(try await sample.listings(["credits5"], .sandbox, of: store.catalogue).listings.count == 1)
            #expect(try await sample.listings(["credits5"], .production, of: store.catalogue).listings.count == 1)
        }
    }

    @Test("What is off the shelves, removed, without a price or without a text is invalid, and says so")
    func obstacles() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            for (index, name) in ["off", "gone", "here", "mute"].enumerated() {
                let draft = try CatalogueSample.draft(name, texts: name == "mute" ? [:] : nil)
                try await sample.put(draft, item: Int64(index), in: store.catalogue)
            }
            let off = try #require(try await sample.product("off", in: store.catalogue))
            let gone = try #require(try await sample.product("gone", in: store.catalogue))
            try await store.catalogue.write { transaction in
                try Catalogue.setClearedForSale(
                    false, off, CatalogueChange(.store, at: CatalogueSample.now, in: transaction))
                try Catalogue.remove(gone, CatalogueChange(.store, at: CatalogueSample.now, in: transaction))
            }
            let found = try await sample.listings(["off", "gone", "here", "mute"], of: store.catalogue)
            #expect(found.listings.map(\.product.productID.text) == ["here"])
            #expect(found.invalid.map(\.obstacle) == [.notClearedForSale, .removed, .noText])
            let french = try await sample.listings(["here"], in: "FRA", of: store.catalogue)
            #expect(french.invalid.map(\.obstacle) == [.notInStorefront])
        }
    }

    @Test("One product alone is listed as it is among others")
    func single() async throws {
        try await StoreEngine.memory.withStore { store in
            let sample = try await CatalogueSample.make(in: store.catalogue)
            try await sample.put(CatalogueSample.draft("credits5"), item: 1, in: store.catalogue)
            let (app, storefront) = (sample.app, try CatalogueSample.storefront("USA"))
            let (good, bad) = try await store.catalogue.read { transaction in
                let offer = { (id: String) in
                    try Catalogue.listing(
                        for: ProductID(parsing: id), app: app, environment: .sandbox, storefront: storefront,
                        languages: [], at: CatalogueMoment(CatalogueSample.now), in: transaction)
                }
                return (try offer("credits5"), try offer("credits6"))
            }
            #expect(try good.get().price == Money(minorUnits: 99, currency: .usd))
            #expect(throws: InvalidProduct.self) { try bad.get() }
        }
    }
}
