import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@Suite("R1.8: The prices of a product as one table", .bounded)
struct PriceListTests {
    private static let now = CatalogueSample.now
    private static func code(_ text: String) -> StorefrontCode { StorefrontCode(rawValue: text) }
    private static func euros(_ cents: Int64) throws -> Money {
        Money(minorUnits: cents, currency: try Currency(code: "EUR"))
    }

    /// A product for 0.99 dollars that has a price of its own in Japan.
    private static func scene(
        _ store: StoreDatabases, _ body: (CatalogueEditing, ProductPath) async throws -> Void
    ) async throws {
        let sample = try await CatalogueSample.make(in: store.catalogue)
        let draft = try ProductDraft(
            ProductID(parsing: "p"), .consumable, referenceName: "Product",
            texts: ["en-US": ProductText(title: "Product", description: "")],
            basePrice: Money(minorUnits: 99, currency: .usd),
            prices: [code("JPN"): Money(minorUnits: 200, currency: .jpy)])
        try await sample.put(draft, item: 1, in: store.catalogue)
        let editing = CatalogueEditing(store.catalogue, by: .owner, request: nil, now: { now })
        try await body(editing, ProductPath(BundleID(parsing: CatalogueSample.bundleID), ProductID(parsing: "p")))
    }

    @Test("Own prices, withdrawals and what is given back are one change", arguments: StoreEngine.allCases)
    func bulk(_ engine: StoreEngine) async throws {
        try await engine.withStore { store in
            try await Self.scene(store) { editing, path in
                let edits = try PriceEdits(storefronts: [
                    Self.code("DEU"): .own(Self.euros(129)), Self.code("JPN"): .derived, Self.code("AFG"): .notSold,
                ])
                let made = try await editing.setPrices(edits, of: path)
                #expect(made.rows.map(\.after.storefront.alpha3).sorted() == ["AFG", "DEU", "JPN"])
                let list = try await editing.priceList(of: path)
                #expect(list == made.after)
                #expect(list.rows.count == StorefrontRecord.all.count)
                // What differs from the base comes first.
                #expect(list.rows.prefix(2).map(\.storefront.alpha3) == ["AFG", "DEU"])
                #expect(try list[Self.code("DEU")]?.price == Self.euros(129))
                #expect(try list[Self.code("DEU")]?.derived == Self.euros(119))
                #expect(list[Self.code("AFG")]?.price == nil && list.withdrawnCount == 1 && list.ownCount == 1)
                #expect(list[Self.code("JPN")]?.own == nil && list[Self.code("JPN")]?.price?.minorUnits == 160)
                // A storefront that nobody named is as it was.
                #expect(list[Self.code("FRA")]?.followsBase == true)
                let noted = try await editing.changes(AuditFilter(), limit: 5)
                #expect(noted.first?.entry.action == "prices in 3 storefronts")
                #expect(noted.count { $0.entry.action.hasPrefix("price") } == 1)
            }
        }
    }

    @Test("What is as asked for already is not changed, and nothing is noted")
    func unchanged() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store) { editing, path in
                let before = try await editing.changes(AuditFilter(), limit: 9)
                let same = PriceEdits(
                    base: Money(minorUnits: 99, currency: .usd),
                    storefronts: [
                        Self.code("JPN"): .own(Money(minorUnits: 200, currency: .jpy)), Self.code("DEU"): .derived,
                    ])
                #expect(try await editing.setPrices(same, of: path).changedNothing)
                #expect(try await editing.changes(AuditFilter(), limit: 9) == before)
            }
        }
    }

    @Test(
        "One price that cannot be leaves all of them as they were",
        arguments: [
            (["DEU": "EUR", "USA": "EUR"], "prices.USA"), (["DEU": "EUR", "XXX": "USD"], "prices.XXX"),
        ])
    func invalid(_ prices: [String: String], _ field: String) async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store) { editing, path in
                let before = try await editing.priceList(of: path)
                let edits = PriceEdits(
                    storefronts: try Dictionary(
                        uniqueKeysWithValues: prices.map {
                            (Self.code($0.key), .own(Money(minorUnits: 129, currency: try Currency(code: $0.value))))
                        }))
                let error = await #expect(throws: CatalogueError.self) { try await editing.setPrices(edits, of: path) }
                #expect(error?.parameter == field)
                #expect(try await editing.priceList(of: path) == before)
            }
        }
    }

    /// Fails if the trial is kept, or if it answers by a second calculation that forgets own prices in the new currency.
    @Test(
        "A trial tells what a change would do and does nothing; a new base takes the place of own prices in its currency"
    )
    func trial() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store) { editing, path in
                let own = PriceEdits(storefronts: [Self.code("ALB"): .own(Money(minorUnits: 79, currency: .usd))])
                _ = try await editing.setPrices(own, of: path)
                let before = try await editing.priceList(of: path)
                let raise = PriceEdits(base: Money(minorUnits: 199, currency: .usd))
                let told = try await editing.setPrices(raise, of: path, isTrial: true)
                #expect(told.after[Self.code("ALB")]?.price?.minorUnits == 199)
                #expect(told.after[Self.code("JPN")]?.price?.minorUnits == 200)
                #expect(told.rows.count == StorefrontRecord.all.count - 1)
                #expect(try await editing.priceList(of: path) == before)
                #expect(try await editing.setPrices(raise, of: path).after == told.after)
                // What is asked for together with a base stays.
                let both = PriceEdits(base: Money(minorUnits: 299, currency: .usd), storefronts: own.storefronts)
                #expect(try await editing.setPrices(both, of: path).after[Self.code("ALB")]?.price?.minorUnits == 79)
            }
        }
    }

    @Test("A row tells what customers pay next, by the timeline that sells")
    func next() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store) { editing, path in
                let start = Self.now + .seconds(86_400)
                _ = try await editing.schedulePrice(
                    Money(minorUnits: 199, currency: .usd), of: path, in: nil, from: start)
                let list = try await editing.priceList(of: path)
                #expect(list[Self.code("USA")]?.next?.price.minorUnits == 199)
                #expect(list[Self.code("USA")]?.next?.startsAt == start)
                // It has a price of its own.
                #expect(list[Self.code("JPN")]?.next == nil)
                #expect(list.changes.count == 1)
                let later = CatalogueEditing(
                    store.catalogue, by: .owner, request: nil, now: { Self.now }, commerce: { start })
                let then = try await later.priceList(of: path)
                #expect(then.base?.minorUnits == 199 && then[Self.code("USA")]?.price?.minorUnits == 199)
                #expect(then.changes.isEmpty)
            }
        }
    }

    // MARK: Files

    @Test("A file of the prices read back changes nothing, and one row of it changes its storefront only")
    func file() async throws {
        try await StoreEngine.memory.withStore { store in
            try await Self.scene(store) { editing, path in
                _ = try await editing.setPrices(PriceEdits(storefronts: [Self.code("AFG"): .notSold]), of: path)
                let list = try await editing.priceList(of: path)
                let text = PriceFile.text(of: list)
                #expect(
                    text.hasPrefix(
                        "storefront,name,currency,price,sold,derived,pays\r\nbase,Base price,USD,0.99,,,\r\n"))
                #expect(text.split(separator: "\r\n").count == StorefrontRecord.all.count + 2)
                let edits = try PriceFile.edits(Array(text.utf8))
                #expect(edits.base == list.base && edits.storefronts.count == StorefrontRecord.all.count)
                #expect(try await editing.setPrices(edits, of: path).changedNothing)
                // As a spreadsheet in Germany writes it.
                let german = "\u{FEFF}storefront;price;sold\nDEU;1,29;\n\n\"JPN\";;yes\n"
                let few = try PriceFile.edits(Array(german.utf8))
                #expect(
                    try few
                        == PriceEdits(storefronts: [
                            Self.code("DEU"): .own(Self.euros(129)), Self.code("JPN"): .derived,
                        ]))
            }
        }
    }

    @Test(
        "A file that cannot be read is refused with its line",
        arguments: [
            ("", "line 1", "empty"), ("price\n1\n", "line 1", "no column storefront"),
            ("storefront,price\nDEU,1.29\nXXX,1\n", "line 3", "no storefront XXX"),
            ("storefront,price\nDEU,1.29\nDEU,1.39\n", "line 3", "twice"),
            ("storefront,price\nDEU,1.299\n", "line 2", "digits"),
            ("storefront,price,sold\nDEU,,maybe\n", "line 2", "yes or no"),
            ("storefront,price,currency\nDEU,1.29,USD\n", "line 2", "sells in EUR"),
            ("storefront,price\nDEU,\"1.29\n", "line 2", "not closed"),
            ("storefront,price\nDEU,1,29\n", "line 2", "3 values"),
        ])
    func refused(_ text: String, _ line: String, _ reason: String) {
        let error = #expect(throws: CatalogueError.self) { try PriceFile.edits(Array(text.utf8)) }
        #expect(error?.parameter == line)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(
        "An amount that cannot be read says what to write instead",
        arguments: [("49,99", "write 49.99"), ("€ 1.29", "write 1.29"), ("cheap", "plain decimal number")])
    func remedy(_ text: String, _ sentence: String) throws {
        let euro = try Currency(code: "EUR")
        let error = #expect(throws: CatalogueError.self) { try PriceEdits.money(text, in: euro, field: "prices.DEU") }
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }
}
