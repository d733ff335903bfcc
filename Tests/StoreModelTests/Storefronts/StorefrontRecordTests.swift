import StoreModel
import Testing

@Suite("Storefronts (P43)")
struct StorefrontRecordTests {
    @Test("There are the 175 storefronts of the App Store, with codes and numbers that each occur once")
    func count() {
        let all = StorefrontRecord.all
        #expect(all.count == 175)
        #expect(Set(all.map(\.alpha2)).count == 175)
        #expect(Set(all.map(\.alpha3)).count == 175)
        #expect(Set(all.map(\.id)).count == 175)
        #expect(all.map(\.alpha2) == all.map(\.alpha2).sorted())
        #expect(
            all.allSatisfy {
                $0.alpha2.utf8.count == 2 && $0.alpha3.utf8.count == 3 && (143_441...143_624).contains($0.id.number)
            })
    }

    @Test(
        "Numbers are those of the App Store",
        arguments: [
            ("US", "USA", 143_441, "USD"), ("GB", "GBR", 143_444, "GBP"), ("JP", "JPN", 143_462, "JPY"),
            ("DE", "DEU", 143_443, "EUR"),
            ("FR", "FRA", 143_442, "EUR"), ("CA", "CAN", 143_455, "CAD"), ("AU", "AUS", 143_460, "AUD"),
            ("CN", "CHN", 143_465, "CNY"),
            ("TR", "TUR", 143_480, "TRY"), ("XK", "XKS", 143_624, "EUR"), ("GE", "GEO", 143_615, "USD"),
            ("HR", "HRV", 143_494, "EUR"),
            ("BG", "BGR", 143_526, "EUR"), ("AF", "AFG", 143_610, "USD"), ("TZ", "TZA", 143_572, "TZS"),
        ])
    func numbers(alpha2: String, alpha3: String, number: Int64, currency: String) throws {
        let storefront = try #require(StorefrontRecord.storefront(alpha2: alpha2))
        #expect(storefront.alpha3 == alpha3)
        #expect(storefront.id.number == number)
        #expect(storefront.currency.code == currency)
        #expect(StorefrontRecord.storefront(alpha3: alpha3) == storefront)
        #expect(StorefrontRecord.storefront(id: storefront.id) == storefront)
        #expect(storefront.id.storefront == storefront)
    }

    @Test("The storefronts are exactly those of foreign lists, with the same numbers and currencies")
    func agreesWithForeignLists() throws {
        #expect(Set(StorefrontRecord.all.map(\.alpha3)) == Set(goldenStorefronts.map(\.alpha3)))
        for row in goldenStorefronts {
            let storefront = try #require(StorefrontRecord.storefront(alpha3: row.alpha3))
            #expect(storefront.id.number == row.number, "\(row.alpha3)")
            #expect(storefront.currency.code == row.currency, "\(row.alpha3)")
        }
    }

    @Test("The storefronts opened in 2020 are among them")
    func later() {
        for code in "AF BA CM CD CI GA GE IQ XK LY MV ME MA MZ MM NR RW RS TO VU ZM".split(separator: " ") {
            #expect(StorefrontRecord.storefront(alpha2: String(code)) != nil, "\(code)")
        }
    }

    @Test(
        "Countries without a storefront have none",
        arguments: ["BD", "CU", "IR", "KP", "LI", "MC", "WS", "ET", "AD", "GF", "", "us", "USA"])
    func absent(code: String) {
        #expect(StorefrontRecord.storefront(alpha2: code) == nil)
    }

    @Test("Storefronts sell in 43 currencies, none of them withdrawn")
    func currencies() {
        let currencies = Set(StorefrontRecord.all.map(\.currency))
        #expect(currencies.count == 43)
        #expect(currencies.allSatisfy { !$0.isWithdrawn && $0.minorUnitDigits != nil })
        #expect(StorefrontRecord.all.filter { $0.currency == .eur }.count == 25)
    }

    @Test(
        "The first language is the default",
        arguments: [
            ("US", "en-US"), ("JP", "ja"), ("TR", "en-GB"), ("CN", "zh-Hans"), ("DE", "de-DE"), ("FR", "fr-FR"),
            ("BR", "pt-BR"), ("MX", "es-MX"),
            ("CH", "de-DE"), ("AU", "en-AU"), ("CI", "fr-FR"),
        ])
    func defaultLanguage(alpha2: String, language: String) throws {
        #expect(try #require(StorefrontRecord.storefront(alpha2: alpha2)).defaultLanguage == language)
    }

    @Test("Languages are well-formed tags without repetition, and every storefront has some English")
    func languages() {
        for storefront in StorefrontRecord.all {
            #expect(!storefront.languages.isEmpty)
            #expect(Set(storefront.languages).count == storefront.languages.count)
            #expect(storefront.languages.contains { $0.hasPrefix("en-") })
            for tag in storefront.languages {
                let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
                #expect((1...2).contains(parts.count) && parts[0].count == 2 && parts[0] == parts[0].lowercased())
            }
        }
        #expect(StorefrontRecord.storefront(alpha2: "CH")?.languages == ["de-DE", "en-GB", "fr-FR", "it"])
        #expect(StorefrontRecord.storefront(alpha2: "TR")?.languages == ["en-GB", "tr"])
    }

    @Test("A code or number that is not known survives, and has no record")
    func unknown() throws {
        let code = StorefrontCode(rawValue: "ZZZ")
        #expect(!code.isKnown && code.storefront == nil)
        #expect(StorefrontCode(rawValue: "USA").storefront?.alpha2 == "US")
        let id = try StorefrontID(parsing: "143999")
        #expect(id.storefront == nil)
        #expect(id.description == "143999")
    }
}
