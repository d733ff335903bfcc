import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// What a person is shown of a page of the store, and how it ends, by each kind of prompt.
@Suite("Pages of the store at a prompt")
struct PagePromptTests {
    private func question(
        products: [String] = [], address: String? = "https://store.example.com/view/1-AAAA", isOpened: Bool = false
    ) throws -> PageQuestion {
        PageQuestion(
            title: "Ebb", maker: "Tidal", price: "$1.99", text: "Tides for everybody.",
            products: try products.map {
                .init(identifier: try #require(ProductID("com.example.\($0)")), title: $0, price: "$0.99")
            }, address: address, isOpened: isOpened)
    }

    @Test("R7.1: without a browser the terminal has the item in words, and Return closes it")
    func terminal() async throws {
        let terminal = ScriptedTerminal([""])
        #expect(await TerminalPrompt(terminal).showPage(try question()) == .closed)
        #expect(
            terminal.screen == """
                Ebb · Tidal · $1.99
                Tides for everybody.
                Its page in the store: https://store.example.com/view/1-AAAA
                Return closes the page.\u{20}

                """)
    }

    @Test(
        "R7.1: on the app's own page a number chooses a product of the app, and everything else closes it",
        arguments: [("2", "jungle"), (" 1 ", "credits"), ("3", nil), ("0", nil), ("what", nil)] as [(String, String?)])
    func chosen(line: String, product: String?) async throws {
        let terminal = ScriptedTerminal([line])
        let reply = await TerminalPrompt(terminal).showPage(try question(products: ["credits", "jungle"]))
        #expect(reply == product.flatMap { ProductID("com.example.\($0)") }.map(PageReply.chosen) ?? .closed)
        #expect(terminal.screen.contains("  1  credits  $0.99\n  2  jungle  $0.99\nThe number of what you want"))
    }

    @Test("R7.1: while the page is in the browser the terminal says where, and its end is the page's own")
    func opened() async throws {
        let terminal = ScriptedTerminal([nil])
        let browser = BrowserPrompt(terminal: terminal, other: TerminalPrompt(terminal), open: { _ in true })
        #expect(await browser.showPage(try question(isOpened: true)) == .elsewhere)
        #expect(terminal.screen == "https://store.example.com/view/1-AAAA\nReturn closes the page. \n")
    }

    @Test("R7.1: where nobody can be asked one line says where the page is, and without a page it is over at once")
    func silent() async throws {
        let log = Transcript()
        let prompt = SilentPrompt { log.write($0) }
        #expect(await prompt.showPage(try question()) == .elsewhere)
        #expect(log.lines == ["Ebb · Tidal · $1.99 https://store.example.com/view/1-AAAA"])
        #expect(await prompt.showPage(try question(isOpened: true)) == .elsewhere)
        #expect(await prompt.showPage(try question(address: nil)) == .closed)
        #expect(await AutomaticPrompt().showPage(try question()) == .closed)
        #expect(log.lines.count == 1)
    }

    @Test("R7.1: pages open in the browser where there is a screen, unless questions are answered without one")
    func browsers() {
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"] {
            #expect(ProfileSession.openPage([name: "x"]) != nil)
            for prompt in ["automatic", "terminal", "silent"] {
                #expect(ProfileSession.openPage([name: "x", ProfileSession.promptVariable: prompt]) == nil)
            }
        }
        #expect(ProfileSession.openPage([:]) == nil && ProfileSession.openPage(["DISPLAY": ""]) == nil)
        #expect(ProfileSession.openPage([ProfileSession.promptVariable: "browser"]) != nil)
    }
}
