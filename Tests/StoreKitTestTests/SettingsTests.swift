import Foundation
import StoreDatabase
import StoreKit
import StoreRules
import StoreService
import Synchronization
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Settings of a test session", .bounded)
struct SettingsTests {
    @Test("Settings begin as the configuration has them, and a reset brings them back")
    func reset() throws {
        let session = try Bench("Strict").session
        for _ in 1...2 {
            #expect(session.disableDialogs)
            #expect(session.failTransactionsEnabled)
            #expect(session.failureError == .invalidSignature)
            #expect(session.interruptedPurchasesEnabled)
            #expect(session.storefront == "DEU")
            #expect(session.locale == Locale(identifier: "de_DE"))
            session.disableDialogs = false
            session.failTransactionsEnabled = false
            session.failureError = .missingOfferParams
            session.interruptedPurchasesEnabled = false
            session.storefront = "USA"
            session.locale = Locale(identifier: "en_US")
            #expect(!session.interruptedPurchasesEnabled)
            #expect(session.storefront == "USA")
            session.resetToDefaultState()
        }
    }

    @Test("Without settings they are those of Apple's documents")
    func defaults() throws {
        let settings = TestSettings(Array(#"{"version":{"major":1,"minor":1},"settings":{"_locale":7}}"#.utf8))
        #expect(settings == TestSettings())
        #expect(!settings.disableDialogs && !settings.failTransactionsEnabled)
        #expect(settings.storefront == "USA" && settings.language == "en-US")
    }

    @Test("A reset leaves transactions alone")
    func resetKeepsTransactions() throws {
        let session = try Bench().session
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        session.resetToDefaultState()
        #expect(session.allTransactions().count == 1)
    }

    @Test(
        "Purchases fail with the error that was set, and work again afterwards",
        arguments: [
            SKError.Code.unknown, .invalidOfferIdentifier, .invalidSignature, .missingOfferParams, .invalidOfferPrice,
        ])
    func failure(code: SKError.Code) async throws {
        let bench = try Bench()
        bench.session.failTransactionsEnabled = true
        bench.session.failureError = code
        try await bench.run { observer in
            Bench.add("monkeys.hat")
            try await observer.until("failed \(code.rawValue) hat")
            #expect { try bench.session.buyProduct(productIdentifier: "monkeys.hat") } throws: { error in
                (error as? SKError)?.code == code
            }
            #expect(bench.session.allTransactions().isEmpty)
            let parts = bench.session.parts
            let purchases = try parts.thread.run { [store = parts.scene.store] in
                try await store.store.database.read {
                    try SaleStatus.list(of: store.customer, after: nil, limit: 9, in: $0)
                }
            }
            #expect(purchases.map(\.state) == [.cancelled], "the store does not wait for it any more")
            bench.session.failTransactionsEnabled = false
            Bench.add("monkeys.hat")
            try await observer.until("purchased hat")
        }
    }

    @Test("An interrupted purchase fails for the app, and goes on once its issue is resolved")
    func interrupted() async throws {
        let bench = try Bench()
        bench.session.interruptedPurchasesEnabled = true
        try await bench.run { observer in
            Bench.add("monkeys.credits5")
            try await observer.until("failed 0 credits5")
            let waiting = try #require(bench.session.allTransactions().first)
            #expect(waiting.hasPurchaseIssue)
            #expect(waiting.state == .failed)
            try bench.session.resolveIssueForTransaction(identifier: waiting.identifier)
            try await observer.until("removed", times: 2)
            #expect(
                observer.lines == [
                    "purchasing credits5", "failed 0 credits5", "removed", "purchased credits5", "removed",
                ])
            let bought = bench.session.allTransactions()
            #expect(bought.map(\.hasPurchaseIssue) == [false])
            #expect(bought.map(\.state) == [.purchased])
            #expect { try bench.session.resolveIssueForTransaction(identifier: waiting.identifier) } throws: { error in
                (error as? SKTestError)?.code == .invalidAction
            }
            bench.session.interruptedPurchasesEnabled = false
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5", times: 2)
        }
    }

    @Test("Where the configuration has it, purchases are interrupted from the beginning")
    func interruptedFromBeginning() throws {
        let session = try Bench("Strict").session
        session.failTransactionsEnabled = false
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        #expect(session.allTransactions().map(\.hasPurchaseIssue) == [true])
    }

    @Test("Another storefront keeps the numbers of prices, and observers hear of it")
    func storefront() async throws {
        let bench = try Bench()
        try await bench.run { observer in
            let before = try #require(try await Bench.products(["monkeys.credits5"]).products.first)
            #expect(before.priceLocale.currency?.identifier == "USD")
            bench.session.storefront = "DEU"
            await mainQueueDrained()
            #expect(observer.lines == ["storefront DEU"])
            let after = try #require(try await Bench.products(["monkeys.credits5"]).products.first)
            #expect(after.priceLocale.currency?.identifier == "EUR")
            #expect(after.price == before.price)
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
        }
    }

    @Test(
        "Where the currency has no cents, prices with cents are dollars, from the file or set later",
        arguments: [true, false])
    func yen(isOfFile: Bool) async throws {
        let bench = try Bench(settings: #""_storefront" : "\#(isOfFile ? "JPN" : "USA")""#)
        try await bench.run { observer in
            if !isOfFile { bench.session.storefront = "JPN" }
            let found = try await Bench.products(["monkeys.credits5", "monkeys.jungle", "monkeys.hat", "monkeys.club"])
            #expect(found.invalidProductIdentifiers.isEmpty)
            let prices = Dictionary(uniqueKeysWithValues: found.products.map { ($0.productIdentifier, $0.price) })
            #expect(prices["monkeys.jungle"] == 480 && prices["monkeys.hat"] == 0)
            #expect(found.products.allSatisfy { $0.priceLocale.currency?.identifier == "JPY" })
            Bench.add("monkeys.jungle")
            try await observer.until("purchased jungle")
        }
    }

    @Test("A file may let requests for products fail")
    func loadProducts() async throws {
        let bench = try Bench(
            settings: #""_storeKitErrors" : [{"name":"Load Products","enabled":true,"current":null}]"#)
        try await bench.run { observer in
            let error = await #expect(throws: SKError.self) { try await Bench.products(["monkeys.credits5"]) }
            #expect(error?.code == .unknown)
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
        }
    }

    @Test("A file may let payments fail, which a test can end; what is not switched on fails nothing")
    func purchaseFails() async throws {
        let bench = try Bench(
            settings: """
                "_storeKitError" : 12, "_storeKitErrors" : [{"name":"Load Products","enabled":false},
                {"name":"Purchase","enabled":true},{"name":"Verification","enabled":true,"current":null},
                {"name":"Teleportation","enabled":true}]
                """)
        #expect(bench.session.parts.configuration.settings.unknownErrors == ["Teleportation"])
        #expect(
            await bench.session.simulatedError(forAPI: .verification) == .verification(.invalidSignature),
            "which is the usual one")
        try await bench.run { observer in
            #expect(try await Bench.products(["monkeys.credits5"]).products.count == 1)
            Bench.add("monkeys.credits5")
            try await observer.until("failed 0 credits5")
            bench.session.failTransactionsEnabled = false
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
            bench.session.resetToDefaultState()
            #expect(bench.session.failTransactionsEnabled && bench.session.failureError == .unknown)
        }
    }

    @Test("A storefront that there is not changes nothing")
    func unknownStorefront() throws {
        let session = try Bench().session
        session.storefront = "Nowhere"
        #expect(session.storefront == "USA")
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        #expect(session.allTransactions().count == 1)
    }

    @Test("Another locale changes the words of products, where the storefront speaks several languages")
    func locale() async throws {
        let bench = try Bench()
        bench.session.storefront = "CHE"
        try await bench.run { _ in
            let before = try await Bench.products(["monkeys.credits5"])
            #expect(before.products.map(\.localizedTitle) == ["5 Credits"])
            bench.session.locale = Locale(identifier: "de_DE")
            let after = try await Bench.products(["monkeys.credits5"])
            #expect(after.products.map(\.localizedTitle) == ["5 Punkte"])
        }
    }

    @Test("While dialogs are on, whoever is there is asked, and may say no")
    func dialogs() async throws {
        let person = Refuser()
        let bench = try Bench(dialogs: { person })
        bench.session.disableDialogs = false
        try await bench.run { observer in
            Bench.add("monkeys.credits5")
            try await observer.until("failed \(SKError.Code.paymentCancelled.rawValue) credits5")
            #expect(person.titles == ["5 Credits"])
            bench.session.disableDialogs = true
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
            #expect(person.titles.count == 1)
            // Asking for a refund asks the person too; without dialogs the test is the person.
            let bought = UInt64(try #require(bench.session.allTransactions().last).identifier)
            #expect(try await Transaction.beginRefundRequest(for: bought) == .success)
            bench.session.disableDialogs = false
            #expect(try await Transaction.beginRefundRequest(for: bought) == .userCancelled)
        }
    }

    @Test("While dialogs are off, nobody is told anything but the app")
    func silence() async throws {
        let person = Refuser()
        let bench = try Bench(dialogs: { person })
        bench.session.disableDialogs = true
        bench.session.interruptedPurchasesEnabled = true
        try await bench.run { observer in
            Bench.add("monkeys.credits5")
            try await observer.until("failed 0 credits5")
            try bench.session.resolveIssueForTransaction(
                identifier: #require(bench.session.allTransactions().first).identifier)
            try await observer.until("purchased credits5")
        }
        #expect(person.notices.isEmpty)
        #expect(person.titles.isEmpty)
    }

    @Test("While dialogs are on and nobody is there, it is yes")
    func nobody() async throws {
        let bench = try Bench()
        bench.session.disableDialogs = false
        try await bench.run { observer in
            Bench.add("monkeys.credits5")
            try await observer.until("purchased credits5")
            #expect(observer.lines.prefix(2) == ["purchasing credits5", "purchased credits5"])
        }
    }
}

/// Somebody who never wants to buy.
private final class Refuser: PurchasePrompt {
    private let asked = Mutex<[String]>([])
    let asksPerson = true

    var titles: [String] { asked.withLock { $0 } }

    func ask(_ question: PromptQuestion) async -> PromptReply {
        asked.withLock { $0.append(question.purchase?.title ?? "") }
        return .cancelled
    }

    private let told = Mutex<[String]>([])

    var notices: [String] { told.withLock { $0 } }

    func tell(_ notice: PromptNotice) async { told.withLock { $0.append(notice.text) } }
}
