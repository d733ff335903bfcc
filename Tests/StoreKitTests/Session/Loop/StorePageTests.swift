import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreKit

/// Pages of the store that an app shows, with a whole store behind it.
@Suite("Pages of the store, with a store", .bounded)
struct StorePageTests {
    /// A store with the page of the demo's app and a song.
    private static func bench() async throws -> (bench: SessionBench, app: Int64) {
        let bench = try await SessionBench(SessionStore())
        let catalogue = bench.store.databases.catalogue
        let app = try await ItemSample.enter(
            .app, "MonkeyCredits", genre: 6014, app: "com.example.monkeycredits", price: nil, in: catalogue)
        try await ItemSample.enter(.song, "Ebb", genre: 20, storeID: 364_709_193, in: catalogue)
        return (bench, app.storeID)
    }

    private static func load(_ item: String, _ app: SessionClient) async throws -> LoadedPage {
        try await app.session.loadPage(VisitRequest(itemId: item))
    }

    /// What the person does on the page in a browser.
    private static func onPage(
        _ page: LoadedPage, _ bench: SessionBench, _ body: (Visits, String) async throws -> Void
    ) async throws {
        let visits = Visits(bench.store.store)
        try await body(visits, visits.token(of: page.answer.visitId))
    }

    private static func settle(_ app: SessionClient) {
        for case .promoted(_, let settled) in app.told { settled() }
    }

    @Test("R7.1: a page is loaded, and is over as soon as the person says so on it")
    func closed() async throws {
        let (bench, _) = try await Self.bench()
        try await bench.withSession(prompt: WaitingPrompt()) { app in
            let page = try await Self.load("364709193", app)
            #expect(page.answer.title == "Ebb" && page.answer.price?.display == "$1.99")
            async let shown: Void = app.session.show(page)
            try await Self.onPage(page, bench) { try await $0.done($1, request: nil) }
            await shown
            #expect(try app.session.journal.value(.visit) == nil)
        }
    }

    @Test("R7.1, P41: a product that is chosen on the app's page comes as a promoted purchase, once")
    func chosen() async throws {
        let (bench, number) = try await Self.bench()
        try await bench.withSession(prompt: WaitingPrompt()) { app in
            app.attach()
            let page = try await Self.load("\(number)", app)
            #expect(page.answer.products.map(\.productId.text).contains(SessionStore.jungle))
            async let shown: Void = app.session.show(page)
            try await Self.onPage(page, bench) {
                try await $0.choose(#require(ProductID(SessionStore.jungle)), at: $1, request: nil)
            }
            await shown
            try await app.until("promoted jungle")
            Self.settle(app)
            await app.session.offerPromotions()
            #expect(app.words.filter { $0 == "promoted jungle" }.count == 1)
        }
    }

    @Test("R7.1: a product that is chosen in the terminal comes the same way, and the visit is over")
    func terminal() async throws {
        let (bench, number) = try await Self.bench()
        let terminal = ScriptedTerminal(["1"])
        try await bench.withSession(prompt: TerminalPrompt(terminal)) { app in
            app.attach()
            let page = try await Self.load("\(number)", app)
            await app.session.show(page)
            let first = try #require(page.answer.products.first)
            try await app.until { told in
                told.contains {
                    if case .promoted(let product, _) = $0 { product.identifier == first.productId.text } else { false }
                }
            }
            #expect(terminal.screen.contains("  1  \(first.title)  \(first.price.display)\n"))
            try await Self.onPage(page, bench) { visits, token in
                let state = try await visits.find(token).state
                #expect(state == .closed)
            }
        }
    }

    @Test("R7.1: a page that the app takes away is over at the store too")
    func dismissed() async throws {
        let (bench, _) = try await Self.bench()
        let prompt = WaitingPrompt()
        try await bench.withSession(prompt: prompt) { app in
            let page = try await Self.load("364709193", app)
            let showing = Task { await app.session.show(page) }
            await prompt.isShown.pass()
            showing.cancel()
            await showing.value
            try await app.session.journal.until { try $0.value(.visit) == nil }
            try await Self.onPage(page, bench) { visits, token in
                let state = try await visits.find(token).state
                #expect(state == .closed)
            }
        }
    }

    @Test("P41: what was chosen on a page whose app was killed comes at its next start, once")
    func coldStart() async throws {
        let (bench, number) = try await Self.bench()
        let prompt = WaitingPrompt()
        let first = SessionClient(try DeviceSession(bench.settings(prompt: prompt)))
        let page = try await Self.load("\(number)", first)
        let showing = Task { await first.session.show(page) }
        await prompt.isShown.pass()
        await first.session.shutDown()
        await showing.value
        try await Self.onPage(page, bench) {
            try await $0.choose(#require(ProductID(SessionStore.credits)), at: $1, request: nil)
        }
        try await bench.withSession { app in
            app.attach()
            try await app.until("promoted credits5")
            Self.settle(app)
            #expect(try app.session.journal.value(.visit) == nil)
        }
        try await bench.withSession { app in
            app.attach()
            await app.session.offerPromotions()
            #expect(!app.words.contains("promoted credits5"))
        }
    }

    @Test(
        "R7.2, R1.12: a page that there is not fails with the store's own reason, which the developer reads too",
        arguments: [("1", "item_unknown"), ("com.example.monkeycredits", "value_invalid")])
    func refused(item: String, reason: String) async throws {
        let (bench, number) = try await Self.bench()
        try await bench.withSession { app in
            let failure = await #expect(throws: SessionFailure.self) { try await Self.load(item, app) }
            #expect(failure?.reason == reason)
            #expect(bench.log.lines.contains { $0.hasPrefix("there is no page of \(item) to show:") })
            if reason == "value_invalid" { #expect(failure?.text.contains("\(number)") == true) }
        }
    }
}

/// Somebody who looks at the page in a browser, whose end is the page's own.
private final class WaitingPrompt: PurchasePrompt {
    let isShown = Gate()

    var asksPerson: Bool { true }
    func ask(_ question: PromptQuestion) async -> PromptReply { .cancelled }
    func tell(_ notice: PromptNotice) async {}

    func showPage(_ question: PageQuestion) async -> PageReply {
        isShown.open()
        return .elsewhere
    }
}
