import Foundation
import StoreFoundation
package import StoreModel
import Synchronization

/// Opens the page of a purchase in the person's browser, and waits for what is answered there.
package final class BrowserPrompt: PurchasePrompt {
    private let terminal: (any PromptTerminal)?
    let other: any PurchasePrompt
    private let open: @Sendable (String) -> Bool
    private let opened = Mutex<String?>(nil)
    /// Whether it was said that there is no browser.
    private let isTold = Mutex(false)

    /// - Parameters:
    ///   - terminal: where the purchase can be cancelled meanwhile; nil if there is none.
    ///   - other: asks where there is no page, or no browser.
    ///   - open: opens an address; says whether it could.
    package init(
        terminal: (any PromptTerminal)?, other: any PurchasePrompt,
        open: @escaping @Sendable (String) -> Bool = BrowserPrompt.show
    ) {
        self.terminal = terminal
        self.other = other
        self.open = open
    }

    package var asksPerson: Bool { true }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        guard let page = question.purchase?.page else { return await other.ask(question) }
        // The same page shows every step of a purchase.
        let isNew = opened.withLock { $0 != page }
        if isNew {
            guard open(page) else {
                await tellOnce(question.texts("prompt.no_browser"))
                return await other.ask(question)
            }
            opened.withLock { $0 = page }
        }
        guard let terminal else { return .elsewhere }
        if isNew { terminal.write(page + "\n") }
        while let line = await terminal.read(question.texts("prompt.page_waiting") + " ", isSecret: false) {
            if line.trimmingCharacters(in: .whitespaces).lowercased() == "c" { return .cancelled }
        }
        // The answer came from the page, or nothing will be typed any more.
        return .elsewhere
    }

    private func tellOnce(_ text: String) async {
        let wasTold = isTold.withLock { isTold in
            defer { isTold = true }
            return isTold
        }
        if !wasTold { await other.tell(PromptNotice(text)) }
    }

    package func tell(_ notice: PromptNotice) async {
        if let address = notice.address, open(address) { return }
        await other.tell(notice)
    }

    package func askCode(_ question: CodeQuestion) async -> String? {
        // What is redeemed on the page comes to the app as everything that its customer bought elsewhere.
        if terminal == nil, let page = question.page, open(page) { return nil }
        return await other.askCode(question)
    }

    package func askPrice(_ question: PriceQuestion) async -> PriceReply { await other.askPrice(question) }

    package func askRefund(_ question: RefundQuestion) async -> RefundRequestReason? { await other.askRefund(question) }

    /// Opens an address in the browser that the desktop has chosen.
    package static let show: @Sendable (String) -> Bool = { address in
        let opener = Process()
        opener.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        opener.arguments = ["xdg-open", address]
        opener.standardInput = FileHandle.nullDevice
        opener.standardOutput = FileHandle.nullDevice
        opener.standardError = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        opener.terminationHandler = { _ in ended.signal() }
        do {
            try opener.run()
        } catch {
            return false
        }
        // Where it becomes the browser itself, it ends with that.
        guard ended.wait(timeout: .now() + patience) == .success else { return true }
        return opener.terminationStatus == 0
    }

    /// How long the opening of an address may take to fail.
    private static let patience = DispatchTimeInterval.seconds(3)
}
