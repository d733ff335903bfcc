import Foundation
import StoreCatalogue
import StoreModel
import StoreRules
import StoreService
import TestSupport
import Testing

@Suite("What is read of a .storekit file")
struct StoreKitFileTests {
    private static func item(
        _ id: String = "p", type: String = "Consumable", price: String = #""0.99""#, _ more: String = ""
    ) -> String {
        #"{"productID":"\#(id)","type":"\#(type)","displayPrice":\#(price)\#(more)}"#
    }

    private static func file(
        _ products: String = "", version: String = "2", _ more: String = ""
    ) -> String {
        #"{"version":{"major":\#(version),"minor":0},"products":[\#(products)]\#(more)}"#
    }

    private static func group(_ subscription: String, id: String = "AB12") -> String {
        #","subscriptionGroups":[{"id":"\#(id)","name":"G","subscriptions":[\#(subscription)]}]"#
    }

    private static func refusal(_ text: String) -> String? {
        do {
            _ = try StoreKitFile(Array(text.utf8))
            return nil
        } catch {
            return error.parameter ?? ""
        }
    }

    static let whole = """
        {
          "identifier" : "0F5B2A77",
          "appPolicies" : { "eula" : "", "policies" : [] },
          "nonRenewingSubscriptions" : [ {
            "displayPrice" : "20.99", "familyShareable" : false, "internalID" : "1", "localizations" : [],
            "productID" : "season", "referenceName" : null, "type" : "NonRenewingSubscription" } ],
          "products" : [
            { "displayPrice" : "0.99", "familyShareable" : false, "internalID" : "2", "localizations" : [
                { "description" : "Five.", "displayName" : "5 Credits", "locale" : "en_US" },
                { "description" : "五个。", "displayName" : "5 个点数", "locale" : "zh_Hans" } ],
              "productID" : "credits5", "referenceName" : "Credits", "type" : "Consumable" },
            { "displayPrice" : "29", "familyShareable" : true, "internalID" : "3", "localizations" : [
                { "description" : "", "displayName" : "", "locale" : "en_US" } ],
              "productID" : "jungle", "referenceName" : "Jungle", "type" : "NonConsumable" } ],
          "settings" : { "_timeRate" : 6, "_locale" : "en_US", "_storefront" : "USA" },
          "subscriptionGroups" : [ { "id" : "AB12", "localizations" : [], "name" : "Club", "subscriptions" : [ {
            "adHocOffers" : [ { "offerID" : "x", "paymentMode" : "payUpFront", "subscriptionPeriod" : "P3M",
              "displayPrice" : "2.99", "referenceName" : "X" } ], "codeOffers" : [], "displayPrice" : "4.990",
            "familyShareable" : false, "groupNumber" : 1, "internalID" : "4",
            "introductoryOffer" : { "paymentMode" : "free", "subscriptionPeriod" : "P1W" }, "localizations" : [],
            "productID" : "club", "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Club, monthly",
            "subscriptionGroupID" : "AB12", "type" : "RecurringSubscription" } ] } ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """

    @Test("Products of all kinds, their texts, prices and periods")
    func whole() throws {
        let file = try StoreKitFile(Array(Self.whole.utf8))
        #expect(file.products.map(\.productID.text) == ["credits5", "jungle", "season", "club"])
        #expect(file.products.map(\.kind) == [.consumable, .nonConsumable, .nonRenewing, .autoRenewable])
        #expect(file.products.map(\.referenceName) == ["Credits", "Jungle", "season", "Club, monthly"])
        #expect(file.products.map(\.basePrice?.minorUnits) == [99, 2900, 2099, 499])
        #expect(file.products[0].texts["zh-Hans"] == ProductText(title: "5 个点数", description: "五个。"))
        #expect(file.products[1].isFamilyShareable && !file.products[0].isFamilyShareable)
        #expect(file.products[1].texts == ["en-US": ProductText(title: "", description: "")])
        #expect(file.products[2].texts == ["en-US": ProductText(title: "", description: "")])
        #expect(file.products[3].period == .oneMonth && file.products[3].groupID?.text == "AB12")
        let club = file.products[3].rest
        #expect(club.level == 1 && club.offers[.code] == [] && club.offers[.winBack] == nil)
        #expect(club.offers[.introductory]?.map(\.summary) == ["introductory, free P1W"])
        #expect(club.offers[.promotional]?.map(\.summary) == ["promotional, pay up front P3M, 2.99 USD, X"])
        #expect(Self.lines(file.omissions) == ["1 settings: _timeRate"])
        #expect(
            Self.lines(file.noise) == [
                "3 empty titles, in place of which the question shows the product id: jungle season club",
                "1 blank policies: appPolicies",
            ])
    }

    private static func lines(_ findings: [FileFinding]) -> [String] {
        findings.map { "\($0.count) \($0.what): \($0.of.joined(separator: " "))" }
    }

    @Test("What is not kept is counted and named, and what says nothing is called that")
    func findings() throws {
        let plan = #"{"billingPlanType":"BILLED_UPFRONT","commitmentDisplayPrice":"0.99","displayPrice":"0.99"}"#
        let dearer = plan.replacing(#""BILLED_UPFRONT""#, with: #""MONTHLY""#)
        let more = """
            ,"billingPlans":[\(plan),\(dearer)],"introductoryOffer":{"paymentMode":"none"},"colour":"red","shape":null,
            "codeOffers":[{"paymentMode":"none"},{"paymentMode":"free","referenceName":"c","subscriptionPeriod":"P1M"}],"recurringSubscriptionPeriod":"P1M"
            """
        let rest = """
            ,"appPolicies":{"eula":" ","policies":[{"locale":"en_US","policyText":"","policyURL":""}]},
            "settings":{"_askToBuyEnabled":false,"_timeRate":0,"_developerTeamID":"X",
            "_storeKitErrors":[{"name":"Purchase","enabled":false,"current":null}]},
            "subscriptionSuiteGroups":[],"subscriptionBundleGroups":[{}],"weather":{"sun":1}
            """
        let text = Self.file("", version: "6", Self.group(Self.item("s", type: "RecurringSubscription", more)) + rest)
        let file = try StoreKitFile(Array(text.utf8))
        #expect(
            Self.lines(file.omissions) == [
                "1 settings: _developerTeamID", "1 billing plans: s",
                "2 members that are not known, kept for the way back: colour of s weather",
                "1 groups of subscription groups: subscriptionBundleGroups",
            ])
        #expect(
            Self.lines(file.noise) == [
                "3 settings that change nothing: _askToBuyEnabled _storeKitErrors _timeRate",
                "1 empty titles, in place of which the question shows the product id: s",
                "1 billing plans that repeat the price: s", "1 blank policies: appPolicies",
            ])
        let policy = text.replacing(#""policyText":"""#, with: #""policyText":"No.""#)
        #expect(try StoreKitFile(Array(policy.utf8)).omissions.contains { $0.what == "policies" })
        let error = text.replacing(#""enabled":false"#, with: #""enabled":true"#)
        let settings = try StoreKitFile(Array(error.utf8)).omissions.first { $0.what == "settings" }
        #expect(settings?.of == ["_developerTeamID", "_storeKitErrors"])
    }

    @Test("Every mistake is told at once, with its product")
    func mistakes() throws {
        let texts = #","localizations":[{"locale":"?","displayName":7}],"familyShareable":1"#
        let text = Self.file(
            [
                Self.item("a b"), Self.item("q", price: #""1,99""#, texts), Self.item("r", type: "Song"), "7",
                Self.item("q"),
            ]
            .joined(separator: ","), #","settings":{"_storefront":"US","_locale":"?"}"#)
        let message = #expect(throws: CatalogueError.self) { try StoreKitFile(Array(text.utf8)) }?.message ?? ""
        let lines = message.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.first == "the file has 10 mistakes:")
        #expect(
            lines.dropFirst().map { String($0.dropFirst("line 1, ".count).prefix { $0 != ":" }) } == [
                "settings._storefront", "settings._locale", "products[3]", "products[0].productID",
                "products[1].displayPrice", "products[1].localizations[0].displayName",
                "products[1].localizations[0].locale", "products[1].familyShareable", "products[2].type",
                "products[4].productID",
            ])
        #expect(lines.contains("line 1, products[1].familyShareable: it must be true or false (product q)"))
        let many = Self.file((1...150).map { Self.item("p\($0)", type: "Song") }.joined(separator: ","))
        let told = #expect(throws: CatalogueError.self) { try StoreKitFile(Array(many.utf8)) }?.message ?? ""
        #expect(told.hasPrefix("the file has more than 100 mistakes:") && told.hasSuffix("and more"))
    }

    @Test("Prices are in the currency of the file's storefront")
    func storefronts() throws {
        let yen = Self.file(Self.item(price: #""160""#), #","settings":{"_storefront":"JPN"}"#)
        #expect(try StoreKitFile(Array(yen.utf8)).products.first?.basePrice == Money(minorUnits: 160, currency: .jpy))
    }

    @Test(
        "Amounts become minor units exactly",
        arguments: [
            ("0", 0), ("0.00", 0), ("0.1", 10), ("0.10", 10), ("0.100", 10), ("1.0000", 100), ("29", 2900),
            ("0.29", 29), ("1.15", 115), ("8.20", 820), ("1234567.89", 123_456_789),
        ])
    func amounts(text: String, cents: Int64) throws {
        let file = try StoreKitFile(Array(Self.file(Self.item(price: "\"\(text)\"")).utf8))
        #expect(file.products.first?.basePrice?.minorUnits == cents)
    }

    @Test(
        "What is no amount is refused by the name of its field",
        arguments: [
            "0.999", "1,99", "-1", "+1", "1.", ".5", "00.99", "1e2", " 1", "1 ", "$1", "NaN", "١",
            "99999999999999999999", "10000000001",
        ])
    func notAmounts(text: String) {
        #expect(
            Self.refusal(Self.file(Self.item() + "," + Self.item("q", price: "\"\(text)\"")))
                == "products[1].displayPrice")
    }

    @Test(
        "Where the currency has no such digits, prices that are price points are dollars, and all of the file with them",
        arguments: [
            ("JPN", "160.5", nil), ("JPN", "160.00", "160 JPY"), ("JPN", "0.99", "0.99 USD"),
            ("IDN", "4.99", "4.99 USD"),
            ("IDN", "49000", "49000.00 IDR"), ("TWN", "0.99", "0.99 TWD"),
        ])
    func digits(storefront: String, price: String, expected: String?) throws {
        let settings = #","settings":{"_storefront":"\#(storefront)"}"#
        let products = Self.item(price: "\"\(price)\"") + "," + Self.item("q", price: #""29""#)
        guard let expected else {
            return #expect(Self.refusal(Self.file(products, settings)) == "products[0].displayPrice")
        }
        let file = try StoreKitFile(Array(Self.file(products, settings).utf8))
        #expect(file.products.first?.basePrice?.description == expected)
        #expect(Set(file.products.map(\.basePrice?.currency)).count == 1)
        #expect(file.noise.contains { $0.what.contains("US dollars") } == expected.hasSuffix("USD"))
    }

    @Test("A product with an empty price is taken, told of, and sold nowhere")
    func emptyPrice() throws {
        let file = try StoreKitFile(Array(Self.file(Self.item(price: #""""#)).utf8))
        #expect(file.products.first.map { $0.basePrice == nil } == true)
        #expect(file.omissions.isEmpty)
    }

    @Test("Versions 1 to 6 are read, and no others", arguments: 0...7)
    func versions(version: Int) {
        let text = Self.file(Self.item(), version: "\(version)")
        #expect(Self.refusal(text) == ((1...6).contains(version) ? nil : "version.major"))
    }

    @Test("A byte order mark is passed over")
    func mark() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(Self.whole.utf8)
        #expect(try StoreKitFile(bytes) == StoreKitFile(Array(Self.whole.utf8)))
    }

    @Test("A mistake is named by its place")
    func places() {
        #expect(Self.refusal("{}") == "version")
        let cut = #expect(throws: CatalogueError.self) { try StoreKitFile(Array("{\n\"version\" 1}".utf8)) }
        #expect(cut?.message == "the file is not JSON in UTF-8: ':' is expected, in line 2")
        #expect(Self.refusal(#"{"version":{}}"#) == "version.major")
        #expect(Self.refusal(Self.file("{}")) == "products[0].productID")
        #expect(Self.refusal(Self.file(Self.item("a b"))) == "products[0].productID")
        #expect(Self.refusal(Self.file(Self.item("a-b"))) == nil)
        #expect(Self.refusal(Self.file(Self.item(price: "0.99"))) == "products[0].displayPrice")
        #expect(Self.refusal(Self.file(Self.item(type: "Song"))) == "products[0].type")
        #expect(Self.refusal(Self.file(Self.item() + "," + Self.item())) == "products[1].productID")
        #expect(Self.refusal(Self.file("", #","settings":{"_storefront":"US"}"#)) == "settings._storefront")
        #expect(Self.refusal(Self.file("", #","settings":{"_locale":"?"}"#)) == "settings._locale")
        let texts = #","localizations":[{"locale":"en_US","displayName":"x"},{"locale":"\#("%")"}]"#
        let place = "products[0].localizations[1]"
        #expect(Self.refusal(Self.file(Self.item("p", texts))) == place + ".locale")
        #expect(Self.refusal(Self.file(Self.item("p", texts.replacing("%", with: "en-US")))) == place + ".locale")
        let long = texts.replacing("%", with: #"ja","displayName":"\#(String(repeating: "x", count: 101))"#)
        #expect(Self.refusal(Self.file(Self.item("p", long))) == place + ".displayName")
    }

    @Test("Subscriptions have a group and a period, and other products are none")
    func subscriptions() {
        let list = "subscriptionGroups[0].subscriptions[0]"
        let good = #","recurringSubscriptionPeriod":"P1M""#
        let item = { (period: String) in Self.item("s", type: "RecurringSubscription", period) }
        #expect(Self.refusal(Self.file("", Self.group(item(good)))) == nil)
        #expect(Self.refusal(Self.file("", Self.group(item("")))) == list + ".recurringSubscriptionPeriod")
        for period in ["P4M", "P1D", "1M", "P0M", "P99Y"] {
            let text = good.replacing("P1M", with: period)
            #expect(Self.refusal(Self.file("", Self.group(item(text)))) == list + ".recurringSubscriptionPeriod")
        }
        #expect(Self.refusal(Self.file("", Self.group(item(good), id: "a b"))) == "subscriptionGroups[0].id")
        #expect(Self.refusal(Self.file("", Self.group(item(good), id: "my_group-1.a"))) == nil)
        #expect(Self.refusal(Self.file("", Self.group(Self.item("s")))) == list + ".type")
        #expect(Self.refusal(Self.file(item(good))) == "products[0].type")
        #expect(Self.refusal(Self.file(Self.item("s"), Self.group(item(good)))) == list + ".productID")
    }

    @Test("The list of introductory offers wins over the single one, and empty lists are no omission")
    func offers() throws {
        let offer = { (more: String) in #"{"paymentMode":"free","subscriptionPeriod":"P1W"\#(more)}"# }
        let offers = """
            ,"recurringSubscriptionPeriod":"P1M","introductoryOffer":\(offer("").replacing("P1W", with: "P3D")),
            "introductoryOffers":[\(offer("")),\(offer(""))],"winbackOffers":[]
            """
        let item = Self.item("p", type: "RecurringSubscription", offers)
        let file = try StoreKitFile(Array(Self.file("", Self.group(item)).utf8))
        #expect(Self.lines(file.omissions) == ["1 further introductory offers: p"])
        #expect(file.products.first?.rest.offers[.introductory]?.map(\.period) == [.oneWeek])
        let codes = #","codeOffers":[\#(offer(#","referenceName":"x""#))]"#
        let other = try StoreKitFile(Array(Self.file(Self.item("p", codes)).utf8))
        #expect(Self.lines(other.omissions) == ["1 offer codes of products that do not renew: p"])
        for (wrong, place) in [
            (offer("").replacing("free", with: "gift"), "paymentMode"),
            (offer("").replacing("P1W", with: "P5W"), "subscriptionPeriod"),
            (offer("").replacing("free", with: "payUpFront"), "displayPrice"),
            (
                offer(#","numberOfPeriods":99,"displayPrice":"1""#).replacing("free", with: "payAsYouGo"),
                "numberOfPeriods"
            ),
        ] {
            let text = item.replacing(offer(""), with: wrong)
            let found = Self.refusal(Self.file("", Self.group(text)))
            #expect(found?.hasSuffix("introductoryOffers[0].\(place)") == true, "\(found ?? "")")
        }
    }

    @Test("X2: Of what a file has twice the first is taken, an offer without a price is left out, and both are named")
    func twice() throws {
        let offer = { (id: String, mode: String, more: String) in
            #"{"offerID":"\#(id)","paymentMode":"\#(mode)","subscriptionPeriod":"P1W"\#(more)}"#
        }
        let offers = [
            offer("x", "free", #","referenceName":"first""#), offer("x", "free", #","referenceName":"second""#),
            offer("y", "payUpFront", #","displayPrice":"""#),
        ].joined(separator: ",")
        let period = #","recurringSubscriptionPeriod":"P1M""#
        let (one, two) = ("s", "t")
        let first = Self.item(one, type: "RecurringSubscription", period + #","adHocOffers":[\#(offers)]"#)
        let second = Self.item(two, type: "RecurringSubscription", period)
        let groups =
            #","subscriptionGroups":[{"id":"G","name":"One","subscriptions":[\#(first)]},"#
            + #"{"id":"G","name":"Two","subscriptions":[\#(second)]}]"#
        let file = try StoreKitFile(Array(Self.file("", groups).utf8))
        #expect(file.products.map(\.productID.text) == [one, two])
        #expect(file.products.map(\.groupID?.text) == ["G", "G"])
        #expect(file.products.first?.rest.offers[.promotional]?.map(\.referenceName) == ["first"])
        let expected = [
            "1 names of groups whose id another group has: Two", "1 offers whose id another offer has: x of s",
            "1 offers without a price: y of s",
        ]
        #expect(Self.lines(file.omissions) == expected)
        #expect(Self.lines(file.omissionsInTests) == expected)
    }

    @Test("X2: The key of a file is read by its public half, and one that is none is named")
    func offerKey() throws {
        // Made with openssl ecparam and openssl pkcs8.
        let key =
            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/xvwmxVGZY2qEQRv7v7AfO9ohTiMS5FMeYfCc15+4lOhRANCAATw6E3X"
            + "/bxcmq7Cj4U0ouhN8prAsTMy5BAyzwuimSOxoyoiT+WqnowFFKXkvm8uDDP0WfVbryUwYh6QKLgONe03"
        let pair = { (text: String) in
            #","subscriptionOffersKeyPair":{"id":"851B7BE3","privateKey":"\#(text)"}"#
        }
        let file = try StoreKitFile(Array(Self.file("", pair(key)).utf8))
        #expect(file.offerKey?.id == "851B7BE3")
        #expect(
            file.offerKey?.publicKey.contains("uQQMs8LopkjsaMqIk/lqp6MBRSl5L5vLgwz9Fn1W68lMGIekCi4DjXtNw==") == true)
        #expect(file.omissionsInTests.isEmpty)
        let broken = try StoreKitFile(Array(Self.file("", pair("AAAA")).utf8))
        #expect(broken.offerKey == nil)
        #expect(
            Self.lines(broken.omissionsInTests) == [
                "1 keys for promotional offers that are none: subscriptionOffersKeyPair"
            ])
    }

    @Test("What is beyond a limit is refused")
    func limits() {
        let many = (0...StoreKitFileLimits.products).map { Self.item("p\($0)") }.joined(separator: ",")
        #expect(Self.refusal(Self.file(many)) == "products")
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(Self.refusal(Self.file("", #","x":\#(deep)"#)) == "")
        #expect(Self.refusal(String(repeating: " ", count: StoreKitFileLimits.bytes + 1)) == "")
        #expect(Self.refusal(Self.file("", #","version":{"major":1}"#)) == "")
        let languages = (0...CatalogueLimits.languages).map { #"{"locale":"en-\#($0)"}"# }.joined(separator: ",")
        let texts = #","localizations":[\#(languages)]"#
        #expect(Self.refusal(Self.file(Self.item("p", texts))) == "products[0].localizations")
    }

    @Test("Whatever is done to a file, it is read by its rules or refused")
    func mutants() {
        var read = 0
        var refused = 0
        for mutant in Mutants("storekit file", of: [Self.whole, Self.file(Self.item())], rounds: 3000) {
            guard let file = try? StoreKitFile(mutant.bytes) else {
                refused += 1
                continue
            }
            read += 1
            #expect(file.products.count <= 5, "\(mutant)")
            #expect(Set(file.products.map(\.productID)).count == file.products.count, "\(mutant)")
            for product in file.products {
                #expect(!product.texts.isEmpty && product.kind.isKnown, "\(mutant)")
                #expect((product.kind == .autoRenewable) == (product.period != nil), "\(mutant)")
                #expect(product.basePrice?.isNegative != true, "\(mutant)")
            }
        }
        #expect(read > 100 && refused > 100)
    }
}
