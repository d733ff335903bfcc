import Foundation
import StoreModel
import StoreService
import TestSupport
import Testing

@testable import StoreKit

/// The documents' four screens: accounts of two storefronts, on devices in two languages.
@Suite("The language of the store and that of the device", .bounded)
struct FourScreensTests {
    @Test(
        "R1.6: The store says in which words and currency a product is sold, the device in which words it is asked about",
        arguments: [
            ("USA", "en-US", "5 Credits", "$0.99", "Buy it? [yes/no]"),
            ("USA", "ja-JP", "5 Credits", "$0.99", "購入しますか？ [はい/いいえ]"),
            ("JPN", "en-US", "クレジット5", "¥160", "Buy it? [yes/no]"),
            ("JPN", "ja-JP", "クレジット5", "¥160", "購入しますか？ [はい/いいえ]"),
        ])
    func screen(storefront: String, language: String, title: String, price: String, question: String) async throws {
        let store = try await SessionStore()
        let email = "jane@example.com"
        try await store.addCustomer(email, storefront: storefront)
        let bench = try await SessionBench(store)
        bench.preferences.set(DevicePreferences(language: language))
        let prompt = ScriptedPrompt([.yes])
        try await bench.withSession(prompt: prompt) { app in
            try await app.session.device.prepare()
            try await app.session.device.signIn(email, SessionStore.password)
            // The app knows the product by its identifier alone, and asks for it later.
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
            let found = try await app.session.products(for: [SessionStore.credits])
            let product = SKProduct(record: try #require(found.products.first))
            #expect(product.localizedTitle == title)
            let formatter = NumberFormatter()
            formatter.numberStyle = .currency
            formatter.locale = product.priceLocale
            let asked = try #require(prompt.questions.first)
            #expect(asked.purchase?.title == title)
            #expect(asked.purchase?.total == formatter.string(from: product.price))
            let terminal = ScriptedTerminal(["no"])
            _ = await TerminalPrompt(terminal).ask(asked)
            let lines = terminal.screen.replacing("\u{FFE5}", with: "¥").split(separator: "\n").map(String.init)
            #expect(lines.first == "\(title): \(price)")
            #expect(lines.last == "\(question) no")
        }
    }
}
