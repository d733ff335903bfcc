import StoreKit
import StoreModel

/// The person in a test: without dialogs it is always yes; with them, the terminal is asked if there is one.
struct TestPrompt: PurchasePrompt {
    let values: TestValues
    /// Makes what asks somebody; nothing where nobody is.
    let dialogs: @Sendable () -> (any PurchasePrompt)?

    private var person: (any PurchasePrompt)? { values.current.disableDialogs ? nil : dialogs() }

    var asksPerson: Bool { person?.asksPerson ?? false }

    func ask(_ question: PromptQuestion) async -> PromptReply {
        guard let person else { return await AutomaticPrompt().ask(question) }
        return await person.ask(question)
    }

    func tell(_ notice: PromptNotice) async { await person?.tell(notice) }

    func askCode(_ question: CodeQuestion) async -> String? { await person?.askCode(question) }

    /// Without a dialog it is the test that says yes or no.
    func askPrice(_ question: PriceQuestion) async -> PriceReply { await person?.askPrice(question) ?? .unanswered }

    func showPage(_ question: PageQuestion) async -> PageReply { await person?.showPage(question) ?? .closed }

    func askRefund(_ question: RefundQuestion) async -> RefundRequestReason? {
        guard let person else { return await AutomaticPrompt().askRefund(question) }
        return await person.askRefund(question)
    }

    @Sendable static func terminal() -> (any PurchasePrompt)? { SystemTerminal().map { TerminalPrompt($0) } }
}
