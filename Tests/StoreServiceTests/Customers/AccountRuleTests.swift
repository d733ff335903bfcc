import StoreCatalogue
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreService

@Suite("What an account cannot be", .bounded)
struct AccountRuleTests {
    @Test(
        "An address with letters that look like others, and a name that turns the writing, are refused by field and rule",
        arguments: [
            // The first letter is Cyrillic.
            ("\u{430}da@example.com", "Ada", "email", "ASCII"), ("ada@ex\u{430}mple.com", "Ada", "email", "ASCII"),
            ("ada@example.com\u{202E}", "Ada", "email", "ASCII"), ("ada", "Ada", "email", "name@host"),
            ("ada@example.com", "A\u{202E}da", "firstName", "U+202E"),
        ])
    func fields(_ email: String, _ name: String, _ field: String, _ rule: String) async throws {
        try await SaleScene.on(.memory) { scene in
            let accounts = Accounts(scene.store)
            let error = await #expect(throws: ServiceError.self) {
                try await accounts.create(.init(email: email, firstName: name), scene.store.cause(.owner))
            }
            #expect(error?.parameter == field && error?.message.contains(rule) == true, "\(String(describing: error))")
        }
    }

    @Test("An address in ASCII is one, also with a host of another script in its form for the network")
    func addresses() throws {
        for address in ["ada@example.com", "Ada.Byron+1@xn--e1afmkfd.xn--p1ai", "o'hara@localhost"] {
            #expect(try EmailAddress(address).text == address)
        }
    }
}
