import StoreModel
import StoreRules
import Testing

@Suite("The language in which a customer reads of a product")
struct TextLanguageTests {
    private static let all = ["de-DE", "en-US", "fr-FR", "ja", "tr", "zh-Hans"]

    private static func best(
        _ storefront: String, _ languages: [String], of available: [String] = all, primary: String = "en-US"
    ) throws -> String? {
        let storefront = try #require(StorefrontRecord.storefront(alpha3: storefront))
        return TextLanguage.best(of: available, for: languages, in: storefront, primary: primary)
    }

    @Test(
        "R1.6: It is that of the storefront, whatever the device speaks",
        arguments: [
            ("JPN", ["en-US"], "ja"), ("JPN", ["en-US", "ja"], "ja"), ("USA", ["ja-JP"], "en-US"),
            ("FRA", ["en"], "fr-FR"),
            ("DEU", ["en-US"], "de-DE"), ("CHN", ["en-US"], "zh-Hans"),
        ])
    func store(storefront: String, languages: [String], expected: String) throws {
        #expect(try Self.best(storefront, languages) == expected)
    }

    @Test("R1.6: In a storefront of several languages the device chooses among them")
    func several() throws {
        let texts = ["de-DE", "fr-FR", "fr-CA", "it", "en-US", "ja", "tr"]
        let cases = [
            ("CHE", ["fr-CH"], "fr-FR"), ("CHE", ["it-CH"], "it"), ("CHE", ["en-GB"], "en-US"),
            ("CHE", ["ja"], "de-DE"),
            ("CAN", ["fr-CA"], "fr-CA"), ("CAN", ["en-CA"], "en-US"), ("CAN", ["ja", "fr"], "fr-CA"),
            ("TUR", ["en-US"], "en-US"), ("TUR", ["tr"], "tr"),
        ]
        for (storefront, languages, expected) in cases {
            #expect(try Self.best(storefront, languages, of: texts) == expected, "\(storefront) \(languages)")
        }
    }

    @Test("Where there is no text in the language of the storefront, it is one of its others that the device speaks")
    func missing() throws {
        #expect(try Self.best("JPN", ["en-US"], of: ["en-US", "de-DE"], primary: "de-DE") == "en-US")
        #expect(try Self.best("JPN", ["tr"], of: ["en-US", "de-DE"], primary: "de-DE") == "de-DE")
    }

    @Test(
        "It is that of the device where the storefront has it",
        arguments: [
            ("USA", ["en-US"], "en-US"), ("JPN", ["ja-JP"], "ja"), ("TUR", ["tr-TR"], "tr"),
            ("CHN", ["zh-Hans-CN"], "zh-Hans"), ("DEU", ["de-DE"], "de-DE"), ("FRA", ["fr"], "fr-FR"),
            ("USA", ["fr-FR"], "fr-FR"), ("DEU", ["de-CH"], "de-DE"), ("USA", ["zh_CN"], "zh-Hans"),
        ])
    func device(storefront: String, languages: [String], expected: String) throws {
        #expect(try Self.best(storefront, languages) == expected)
    }

    @Test(
        "It is that of the storefront where the storefront has not that of the device",
        arguments: [("JPN", ["tr"], "ja"), ("DEU", ["ja"], "de-DE"), ("FRA", [], "fr-FR"), ("USA", ["de-DE"], "en-US")])
    func storefront(storefront: String, languages: [String], expected: String) throws {
        #expect(try Self.best(storefront, languages) == expected)
    }

    @Test("The first of the device's languages that the storefront has and there is a text in is taken")
    func order() throws {
        #expect(try Self.best("USA", ["tr", "ko", "fr-FR", "en-US"]) == "fr-FR")
        #expect(try Self.best("USA", ["ko", "zh-Hans"], of: ["en-US"]) == "en-US")
    }

    @Test("The form of a language that the storefront has comes before the one the device has")
    func forms() throws {
        #expect(try Self.best("GBR", ["en-US"], of: ["en-US", "en-GB"]) == "en-GB")
        #expect(try Self.best("GBR", ["en-US"], of: ["en-AU", "en-US"]) == "en-US")
        #expect(try Self.best("GBR", ["en-GB"], of: ["en-US", "en-AU"]) == "en-AU")
    }

    @Test("Chinese is written in two scripts, and one is not the other")
    func chinese() throws {
        #expect(try Self.best("TWN", ["zh-Hant-TW"], of: ["zh-Hans", "en-US"], primary: "en-US") == "en-US")
        #expect(try Self.best("TWN", ["zh-TW"], of: ["zh-Hans", "zh-Hant"]) == "zh-Hant")
    }

    @Test("Whoever can be given none of them gets the app's language, and else some")
    func fallback() throws {
        #expect(try Self.best("JPN", ["ja"], of: ["tr", "vi"], primary: "vi") == "vi")
        #expect(try Self.best("JPN", ["ja"], of: ["vi", "tr"], primary: "ko") == "tr")
        #expect(try Self.best("JPN", ["ja"], of: []) == nil)
    }

    @Test("What is no language is passed over", arguments: ["", "-", "__", "日本", String(repeating: "x", count: 9000)])
    func nonsense(tag: String) throws {
        #expect(try Self.best("JPN", [tag, "ja"]) == "ja")
    }
}
