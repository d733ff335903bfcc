import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// The page in the browser, with a terminal beside it.
@Suite("Questions in a browser")
struct BrowserPromptTests {
    private func question(page: String?) throws -> PromptQuestion {
        PromptQuestion(
            purchase: .init(
                title: "5 Credits", quantity: 1, unitPrice: "$0.99", total: "$0.99", code: "BDFG-HJKM",
                page: page, acceptsYes: true),
            needsSignIn: false, problem: nil, environment: .sandbox,
            store: try StoreAddress(parsing: "https://store.example.com"), language: "en")
    }

    @Test("R2.3: While the page waits the terminal says so, and c alone cancels")
    func cancelled() async throws {
        let terminal = ScriptedTerminal(["what", " C "])
        let opened = Mutex<[String]>([])
        let prompt = BrowserPrompt(
            terminal: terminal, other: TerminalPrompt(ScriptedTerminal([])),
            open: { page in
                opened.withLock { $0.append(page) }
                return true
            })
        let page = "https://store.example.com/pay/1-AAAA"
        #expect(await prompt.ask(try question(page: page)) == .cancelled)
        #expect(terminal.screen.hasPrefix(page + "\nWaiting for the page · c cancels: what\n"))
        #expect(opened.withLock { $0 } == [page])
    }

    @Test(
        "R2.3: An answer on the page ends the waiting, and without a terminal or a browser somebody else is asked or waits"
    )
    func elsewhere() async throws {
        let page = "https://store.example.com/pay/1-AAAA"
        let other = TerminalPrompt(ScriptedTerminal(["yes"]))
        for terminal in [ScriptedTerminal([nil]), nil] {
            let prompt = BrowserPrompt(terminal: terminal, other: other, open: { _ in true })
            #expect(await prompt.ask(try question(page: page)) == .elsewhere)
        }
        let noBrowser = BrowserPrompt(terminal: nil, other: other, open: { _ in false })
        #expect(await noBrowser.ask(try question(page: page)) == .yes)
    }

    @Test("R2.3: Where no browser can be opened the terminal says once why it asks")
    func noBrowser() async throws {
        let terminal = ScriptedTerminal(["yes", "yes", "yes"])
        let prompt = BrowserPrompt(terminal: terminal, other: TerminalPrompt(terminal), open: { _ in false })
        // The second question of the same page as well.
        for page in ["1", "1", "2"] {
            #expect(await prompt.ask(try question(page: "https://store.example.com/pay/\(page)")) == .yes)
        }
        let why = "No browser could be opened, so that the question comes here.\n"
        #expect(terminal.screen.hasPrefix("\(why)5 Credits: $0.99\n"))
        #expect(terminal.screen.components(separatedBy: why).count == 2)
    }

    @Test("X7: A code is redeemed on the page of the store where there is a browser and no terminal to type it at")
    func code() async throws {
        let question = CodeQuestion(page: "https://store.example.com/redeem?app=com.example.app")
        let opened = Mutex<[String]>([])
        func typed(_ terminal: ScriptedTerminal?, hasBrowser: Bool = true) async -> String? {
            await BrowserPrompt(
                terminal: terminal, other: TerminalPrompt(terminal ?? ScriptedTerminal(["SPRING"])),
                open: { page in
                    opened.withLock { $0.append(page) }
                    return hasBrowser
                }
            ).askCode(question)
        }
        #expect(await typed(nil) == nil)
        #expect(opened.withLock { $0 } == [question.page])
        #expect(await typed(ScriptedTerminal(["SUMMER"])) == "SUMMER")
        #expect(await typed(nil, hasBrowser: false) == "SPRING")
    }
}
