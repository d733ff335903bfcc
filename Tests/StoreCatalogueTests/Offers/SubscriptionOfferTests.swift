import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("Offers and groups of subscriptions", .bounded)
struct SubscriptionOfferTests {
    private static let cause = CatalogueCause(.store, at: CatalogueSample.now)
    private static let dollar = Money(minorUnits: 99, currency: .usd)

    private static func offer(
        _ id: String = "o", _ kind: OfferKind = .promotional, _ mode: OfferPaymentMode = .payAsYouGo,
        _ period: BillingPeriod = .oneMonth, count: Int = 1, price: Money? = dollar,
        prices: [StorefrontCode: Money] = [:], from: Int64? = nil, until: Int64? = nil,
        audience: SubscriptionOffer.Audience = .init()
    ) throws(CatalogueError) -> SubscriptionOffer {
        try SubscriptionOffer(
            id: id, kind: kind, paymentMode: mode, period: period, periodCount: count, basePrice: price, prices: prices,
            startsAt: from.map { CatalogueSample.now + .seconds($0) },
            endsAt: until.map { CatalogueSample.now + .seconds($0) }, audience: audience)
    }

    private static func club(in store: StoreDatabases) async throws -> CatalogueProduct {
        let sample = try await CatalogueSample.make(in: store.catalogue)
        let draft = try CatalogueSample.draft("club", kind: .autoRenewable, period: .oneMonth, group: "G")
        try await sample.put(draft, item: 7, in: store.catalogue)
        return try #require(try await sample.product("club", in: store.catalogue))
    }

    @Test("A draft changes what it says of an offer, and leaves the rest")
    func drafts() async throws {
        try await StoreEngine.memory.withStore { store in
            let club = try await Self.club(in: store)
            func put(_ draft: SubscriptionOfferDraft) async throws -> SubscriptionOffer? {
                try await store.catalogue.write { transaction in
                    try SubscriptionOffers.put(draft, of: club, Self.cause.change(in: transaction))
                    return try SubscriptionOffers.list(of: club.itemID, in: transaction).first
                }
            }
            let whole = try Self.offer(
                "o", .winBack, .payUpFront,
                prices: [StorefrontCode(rawValue: "JPN"): Money(minorUnits: 9, currency: .jpy)],
                from: 1, until: 9, audience: .init(paidMonths: 1, lapsedMonths: 2, waitMonths: 3))
            try await store.catalogue.write { try SubscriptionOffers.put(whole, of: club, Self.cause.change(in: $0)) }
            let two = Money(minorUnits: 200, currency: .usd)
            var draft = SubscriptionOfferDraft(
                id: "o", kind: .winBack, paymentMode: .payUpFront, period: .oneYear, basePrice: two)
            let kept = try await put(draft)
            #expect(kept?.basePrice == two && kept?.period == .oneYear)
            #expect(kept?.prices == whole.prices && kept?.audience == whole.audience)
            #expect(kept?.startsAt == whole.startsAt && kept?.endsAt == whole.endsAt)
            (draft.prices, draft.startsAt, draft.waitMonths) = (.set([:]), .set(nil), .set(nil))
            let cleared = try await put(draft)
            #expect(cleared?.prices == [:] && cleared?.startsAt == nil && cleared?.endsAt == whole.endsAt)
            #expect(cleared?.audience == .init(paidMonths: 1, lapsedMonths: 2))
            // What is free has no prices to keep.
            try await store.catalogue.write { try SubscriptionOffers.put(whole, of: club, Self.cause.change(in: $0)) }
            let free = SubscriptionOfferDraft(
                id: "o", kind: .winBack, paymentMode: .free, period: .oneWeek, basePrice: nil)
            #expect(try await put(free)?.prices == [:])
            let other = SubscriptionOfferDraft(
                id: "o", kind: .code, paymentMode: .free, period: .oneWeek, basePrice: nil)
            await #expect(throws: CatalogueError.self) { try await put(other) }
        }
    }

    @Test("R1.2: What cannot be an offer is refused by the name of its field")
    func rules() {
        let refusals: [(String, () throws -> SubscriptionOffer)] = [
            ("offerId", { try Self.offer("") }), ("offerId", { try Self.offer(String(repeating: "x", count: 101)) }),
            ("kind", { try Self.offer("o", .named("gift")) }),
            ("paymentMode", { try Self.offer("o", .code, .named("later")) }),
            ("period", { try Self.offer("o", .code, .payUpFront, BillingPeriod(5, .day)) }),
            ("periodCount", { try Self.offer(count: 13) }), ("periodCount", { try Self.offer(count: 0) }),
            ("periodCount", { try Self.offer("o", .code, .payUpFront, count: 2) }),
            ("price", { try Self.offer("o", .code, .free) }), ("price", { try Self.offer(price: nil) }),
            ("price", { try Self.offer(price: .zero(.usd)) }),
            ("price", { try Self.offer(price: Money(minorUnits: -1, currency: .usd)) }),
            ("prices.JPN", { try Self.offer(prices: [StorefrontCode(rawValue: "JPN"): Self.dollar]) }),
            ("prices.XXX", { try Self.offer(prices: [StorefrontCode(rawValue: "XXX"): Self.dollar]) }),
            ("endsAt", { try Self.offer(from: 5, until: 5) }),
            ("eligibility", { try Self.offer("o", .promotional, audience: .init(eligibility: [.new])) }),
            (
                "eligibility",
                { try Self.offer("o", .code, audience: .init(eligibility: [OfferEligibility(rawValue: "all")])) }
            ),
            ("paidMonths", { try Self.offer("o", .code, audience: .init(paidMonths: 1)) }),
            ("waitMonths", { try Self.offer("o", .winBack, audience: .init(waitMonths: 61)) }),
        ]
        for (field, make) in refusals {
            #expect(throws: CatalogueError.self) { try make() }
            do { _ = try make() } catch { #expect((error as? CatalogueError)?.parameter == field) }
        }
    }

    @Test(
        "Offers are kept as they were set, priced in every storefront, and noted in the audit",
        arguments: StoreEngine.allCases)
    func kept(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let club = try await Self.club(in: store)
            let japan = try CatalogueSample.storefront("JPN")
            let yen = Money(minorUnits: 100, currency: .jpy)
            let offers = try [
                Self.offer(
                    "again", .winBack, .payUpFront, .oneYear,
                    audience: .init(paidMonths: 3, lapsedMonths: 0, waitMonths: 60)),
                Self.offer("intro", .introductory, .free, .oneWeek, price: nil),
                Self.offer(
                    "spring sale", .code, count: 3, audience: .init(eligibility: [.new, .expired], isStackable: true)),
                Self.offer("vip", prices: [StorefrontCode(japan): yen], from: 0, until: 9),
            ]
            try await store.catalogue.write { transaction in
                for offer in offers.reversed() {
                    try SubscriptionOffers.put(offer, of: club, Self.cause.change(in: transaction))
                }
            }
            let found = try await store.catalogue.read { try SubscriptionOffers.list(of: club.itemID, in: $0) }
            #expect(found == offers)
            #expect(found[3].price(in: japan) == yen && found[2].price(in: japan)?.minorUnits == 160)
            #expect(try found[1].price(in: CatalogueSample.storefront("DEU"))?.description == "0.00 EUR")
            #expect(found[3].isCurrent(at: CatalogueSample.now))
            #expect(!found[3].isCurrent(at: CatalogueSample.now + .seconds(9)))

            try await store.catalogue.write { transaction in
                // What is as it was is no change.
                try SubscriptionOffers.put(offers[3], of: club, Self.cause.change(in: transaction))
                try SubscriptionOffers.remove("vip", of: club, Self.cause.change(in: transaction))
            }
            let audit = try await store.catalogue.read {
                try CatalogueAudit.list(of: "product/7", team: nil, before: nil, limit: 9, in: $0)
            }
            #expect(audit.map(\.action).prefix(2) == ["offer vip removed", "offer again"])
            #expect(
                audit.first?.before?.contains(#""vip":"promotional, pay as you go P1M, 0.99 USD, JPN 100 JPY"#) == true)
            #expect(audit.first?.after?.contains("vip") == false)
        }
    }

    @Test("A product that does not renew has no offers, an id has one kind, and introductory offers follow one another")
    func conflicts() async throws {
        try await StoreEngine.memory.withStore { store in
            let club = try await Self.club(in: store)
            let sample = CatalogueSample(
                app: try await store.catalogue.read { try Catalogue.requireApp(club.appID, in: $0) })
            try await sample.put(CatalogueSample.draft("coins"), item: 8, in: store.catalogue)
            let coins = try #require(try await sample.product("coins", in: store.catalogue))
            func refusal(_ offer: SubscriptionOffer, _ product: CatalogueProduct) async -> [String?] {
                do {
                    try await store.catalogue.write {
                        try SubscriptionOffers.put(offer, of: product, Self.cause.change(in: $0))
                    }
                    return []
                } catch { return [(error as? CatalogueError)?.code.rawValue, (error as? CatalogueError)?.parameter] }
            }
            #expect(try await refusal(Self.offer(), coins) == ["value_invalid", "kind"])
            #expect(
                try await refusal(Self.offer("o", .code, .payAsYouGo, .oneWeek), club) == ["value_invalid", "period"])
            #expect(try await refusal(Self.offer("o", .introductory, until: 10), club) == [])
            #expect(try await refusal(Self.offer("o", .code), club) == ["name_taken", "offerId"])
            #expect(try await refusal(Self.offer("p", .introductory, from: 9), club) == ["state_wrong", "startsAt"])
            #expect(try await refusal(Self.offer("p", .introductory, from: 10), club) == [])
            for number in 0..<98 { #expect(try await refusal(Self.offer("o\(number)"), club) == []) }
            #expect(try await refusal(Self.offer("one more"), club) == ["limit_reached", nil])
        }
    }

    @Test("Groups have names, texts and levels, and are removed when they are empty", arguments: StoreEngine.allCases)
    func groups(engine: StoreEngine) async throws {
        try await engine.withStore { store in
            let club = try await Self.club(in: store)
            func put(_ group: SubscriptionGroup) async throws {
                try await store.catalogue.write {
                    try SubscriptionGroups.put(group, of: club.appID, Self.cause.change(in: $0))
                }
            }
            func all() async throws -> [SubscriptionGroup] {
                try await store.catalogue.read { try SubscriptionGroups.list(of: club.appID, in: $0) }
            }
            #expect(try await all().map(\.referenceName) == ["G"])
            let (id, texts) = (try SubscriptionGroupID(parsing: "G"), ["de": SubscriptionGroupText(name: "Klub")])
            let member = SubscriptionGroup.Member(productId: club.productID, level: 2)
            let group = SubscriptionGroup(id: id, referenceName: "Club", texts: texts, members: [member])
            try await put(group)
            #expect(try await all() == [group])
            try await put(
                SubscriptionGroup(id: id, referenceName: "Club", texts: ["de": SubscriptionGroupText(name: "")]))
            #expect(
                try await all() == [SubscriptionGroup(id: id, referenceName: "Club", texts: [:], members: [member])])
            let stranger = SubscriptionGroup.Member(productId: try ProductID(parsing: "x"), level: 1)
            let low = SubscriptionGroup.Member(productId: club.productID, level: 0)
            for member in [stranger, low] {
                await #expect(throws: CatalogueError.self) {
                    try await put(SubscriptionGroup(id: id, referenceName: "C", texts: [:], members: [member]))
                }
            }
            await #expect(throws: CatalogueError.self) {
                try await store.catalogue.write {
                    try SubscriptionGroups.remove(id, of: club.appID, Self.cause.change(in: $0))
                }
            }
            try await store.catalogue.write { transaction in
                try Catalogue.remove(club, CatalogueChange(.store, at: CatalogueSample.now, in: transaction))
                try SubscriptionGroups.remove(id, of: club.appID, Self.cause.change(in: transaction))
            }
            #expect(try await all().isEmpty)
        }
    }
}
