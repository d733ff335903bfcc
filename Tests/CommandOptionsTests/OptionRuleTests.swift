import CommandOptions
import Testing

@Suite("Rules between options")
struct OptionRuleTests {
    @Test("Options that exclude each other are refused together")
    func atMostOne() throws {
        #expect(Outcome("keys init --der").error == nil)
        #expect(Outcome("keys init").error == nil)
        let error = try #require(Outcome("keys init --pem --der").error)
        #expect(error.code == .conflict)
        #expect(error.message == "--der and --pem exclude each other.")
    }

    @Test("One of several is needed")
    func exactlyOne() throws {
        #expect(Outcome("open --pem").error == nil)
        #expect(Outcome("open").error?.message == "one of --der, --pem is needed.")
        #expect(Outcome("open --pem --der").error?.code == .conflict)
    }

    @Test("An option may need another, but not the other way round")
    func needs() throws {
        let error = try #require(Outcome("keys rotate --owner=a --days 3").error)
        #expect(error.code == .missingOption)
        #expect(error.message == "--days needs --passphrase.")
        #expect(Outcome("keys rotate --owner=a --days 3 --passphrase x").error == nil)
        #expect(Outcome("keys rotate --owner=a --passphrase x").error == nil)
    }
}
