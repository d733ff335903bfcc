import StoreKit

/// The person in a test: without dialogs it is always yes; with them, the terminal is asked if there is one.
struct TestPrompt: PurchasePrompt {
    let values: TestValues
    /// Makes what asks somebody; nothing where nobody is.
    let dialogs: @Sendable () -> (any PurchasePrompt)?

    var asksPerson: Bool { !values.current.disableDialogs && dialogs()?.asksPerson ?? false }

    func ask(_ question: PromptQuestion) async -> PromptReply {
        if !values.current.disableDialogs, let dialogs = dialogs() { return await dialogs.ask(question) }
        return await AutomaticPrompt().ask(question)
    }

    func tell(_ notice: PromptNotice) async {
        if !values.current.disableDialogs, let dialogs = dialogs() { await dialogs.tell(notice) }
    }

    @Sendable static func terminal() -> (any PurchasePrompt)? { SystemTerminal().map { TerminalPrompt($0) } }
}
