import StoreCatalogue
import StoreModel
import StoreService
import Testing

@Suite("What a product cannot be")
struct ProductDraftTests {
    private static func draft(
        _ kind: ProductKind = .consumable, name: String = "Name", period: BillingPeriod? = nil, group: String? = nil,
        texts: [String: ProductText] = [:], prices: [String: Money] = [:]
    ) throws -> ProductDraft {
        try ProductDraft(
            ProductID(parsing: "p"), kind, referenceName: name, period: period,
            groupID: group.map { try SubscriptionGroupID(parsing: $0) }, texts: texts,
            prices: Dictionary(uniqueKeysWithValues: prices.map { (StorefrontCode(rawValue: $0.key), $0.value) }))
    }

    private static func field(_ make: () throws -> ProductDraft) throws -> String? {
        do {
            _ = try make()
            return nil
        } catch let error as CatalogueError {
            return error.parameter
        }
    }

    private static func text(_ title: String, _ description: String = "") -> ProductText {
        ProductText(title: title, description: description)
    }

    @Test("A text that breaks a rule is named by its field")
    func texts() throws {
        #expect(try Self.field { try Self.draft(name: "") } == "referenceName")
        #expect(try Self.field { try Self.draft(name: String(repeating: "x", count: 101)) } == "referenceName")
        #expect(try Self.field { try Self.draft(name: "a\nb") } == "referenceName")
        #expect(try Self.field { try Self.draft(texts: ["en": Self.text("a\nb")]) } == "localizations.displayName")
        #expect(try Self.field { try Self.draft(name: "gpj\u{202E}.exe") } == "referenceName")
        let turned = ["en": Self.text("a\u{2066}b")]
        #expect(try Self.field { try Self.draft(texts: turned) } == "localizations.displayName")
        #expect(try Self.field { try Self.draft(texts: ["en": Self.text("")]) } == nil)
        let long = String(repeating: "x", count: 501)
        #expect(try Self.field { try Self.draft(texts: ["en": Self.text("t", long)]) } == "localizations.description")
        #expect(
            try Self.field { try Self.draft(texts: ["en": Self.text("t", "\u{0}")]) } == "localizations.description")
        #expect(try Self.field { try Self.draft(texts: ["en": Self.text("t", "a\nb\tc")]) } == nil)
    }

    @Test(
        "A language has the form of its tag",
        arguments: ["", "e", "english", "en-", "1n", "en US", "é", "en-123456789"])
    func languages(tag: String) throws {
        #expect(try Self.field { try Self.draft(texts: [tag: Self.text("t")]) } == "localizations.locale")
    }

    @Test("Underscores in a language are hyphens, and two texts for one language are one too many")
    func underscores() throws {
        let draft = try Self.draft(texts: ["zh_Hans": Self.text("t")])
        #expect(Array(draft.texts.keys) == ["zh-Hans"])
        let both = ["en_US": Self.text("t"), "en-US": Self.text("u")]
        #expect(try Self.field { try Self.draft(texts: both) } == "localizations.locale")
    }

    @Test("A price is of a storefront we know, in its currency, not negative and not beyond the limit")
    func prices() throws {
        let dollar = Money(minorUnits: 100, currency: .usd)
        #expect(try Self.field { try Self.draft(prices: ["USA": dollar]) } == nil)
        #expect(try Self.field { try Self.draft(prices: ["USA": .zero(.usd)]) } == nil)
        #expect(try Self.field { try Self.draft(prices: ["JPN": dollar]) } == "prices.JPN")
        #expect(try Self.field { try Self.draft(prices: ["ZZZ": dollar]) } == "prices.storefront")
        for units in [-1, CatalogueLimits.price + 1] {
            let price = Money(minorUnits: units, currency: .usd)
            #expect(try Self.field { try Self.draft(prices: ["USA": price]) } == "prices.USA")
        }
    }

    @Test("Subscriptions that renew have a period and a group, and nothing else has")
    func subscriptions() throws {
        #expect(try Self.field { try Self.draft(.autoRenewable, period: .oneMonth, group: "1") } == nil)
        #expect(try Self.field { try Self.draft(.autoRenewable, group: "1") } == "period")
        #expect(try Self.field { try Self.draft(.autoRenewable, period: .oneMonth) } == "groupId")
        #expect(try Self.field { try Self.draft(.consumable, period: .oneMonth) } == "type")
        #expect(try Self.field { try Self.draft(.nonRenewing, group: "1") } == "type")
        #expect(try Self.field { try Self.draft(ProductKind(rawValue: "Song")) } == "type")
    }

    @Test(
        "R5.6: A subscription renews every week at the most, by the periods of the App Store; anything else is refused",
        arguments: ["P1D", "P3D", "P6D", "P7D", "P2W", "P5M", "P9M", "P2Y"])
    func shortPeriods(_ text: String) throws {
        let period = try BillingPeriod(parsing: text)
        let error = #expect(throws: CatalogueError.self) {
            try Self.draft(.autoRenewable, period: period, group: "1")
        }
        #expect(error?.parameter == "period" && error?.code == .valueInvalid)
        #expect(error?.message.contains("every week") == true && error?.message.contains("P1W") == true)
    }

    @Test("R5.6: Each period of the App Store is taken", arguments: BillingPeriod.ofSubscriptions)
    func periods(_ period: BillingPeriod) throws {
        #expect(try Self.field { try Self.draft(.autoRenewable, period: period, group: "1") } == nil)
    }
}
