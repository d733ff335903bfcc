import Foundation
import StoreFoundation
package import StoreModel

/// Asks on the terminal of the process.
///
/// It always shows the code by which a yes can be given elsewhere. In the sandbox it takes the yes itself, and an e-mail
/// address with a password, which is not shown; in production no password is typed into an app.
package struct TerminalPrompt: PurchasePrompt {
    private let terminal: any PromptTerminal

    package init(_ terminal: any PromptTerminal) {
        self.terminal = terminal
    }

    package var asksPerson: Bool { true }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        let texts = question.texts
        var lines = [
            question.problem, question.purchase.map { Self.sentence($0, texts) }, question.purchase?.terms,
        ].compactMap(\.self)
        if let approval = question.approval {
            lines.append(texts("prompt.approve", ["command": .text(approval), "store": "\(question.store)"]))
        }
        if let page = question.purchase?.page { lines.append(texts("prompt.page", ["address": .text(page)])) }
        terminal.write(lines.map { $0 + "\n" }.joined())
        guard question.environment == .sandbox else { return await askInProduction(question) }
        if question.needsSignIn { return await signIn(texts) }
        if let purchase = question.purchase, purchase.acceptsYes {
            let answer = await ask(purchase.isOwned ? "prompt.get" : "prompt.buy", texts)
            return answer.map { Self.isYes($0, texts) } == true ? .yes : .cancelled
        }
        guard let password = await ask("prompt.password", texts, isSecret: true), !password.isEmpty else {
            return .cancelled
        }
        return .password(password)
    }

    private func ask(_ name: String, _ texts: Texts, isSecret: Bool = false) async -> String? {
        await terminal.read(texts(name) + " ", isSecret: isSecret)
    }

    /// Shows lines, and asks for one below them; nil if none will come.
    func show(_ lines: [String], asking question: String) async -> String? {
        terminal.write(lines.map { $0 + "\n" }.joined())
        return await terminal.read(question + " ", isSecret: false)
    }

    package func askCode(_ question: CodeQuestion) async -> String? {
        if let problem = question.problem { terminal.write(problem + "\n") }
        return await ask("prompt.code", Texts.best(for: [question.language]))
    }

    package func askPrice(_ question: PriceQuestion) async -> PriceReply {
        terminal.write(question.lines.map { $0 + "\n" }.joined())
        // In production an app, whose terminal this is, does not answer for its customer.
        guard question.environment == .sandbox, let line = await ask("prompt.agree", question.texts) else {
            return .unanswered
        }
        if Self.isYes(line, question.texts) { return .agreed }
        return Self.isAmong(["n", "no"], "prompt.no", line, question.texts) ? .refused : .unanswered
    }

    package func askRefund(_ question: RefundQuestion) async -> RefundRequestReason? {
        let texts = Texts.best(for: [question.language])
        return RefundQuestion.reason(await show(question.lines, asking: texts("prompt.refund")))
    }

    package func tell(_ notice: PromptNotice) async {
        terminal.write(notice.text + "\n" + (notice.address.map { $0 + "\n" } ?? ""))
    }

    private static func sentence(_ purchase: PromptQuestion.Purchase, _ texts: Texts) -> String {
        let name = purchase.isOwned ? "prompt.owned" : purchase.quantity == 1 ? "prompt.one" : "prompt.several"
        return texts(
            name,
            [
                "title": .text(purchase.title), "count": .number(purchase.quantity), "unit": .text(purchase.unitPrice),
                "price": .text(purchase.total),
            ])
    }

    private static func isYes(_ line: String, _ texts: Texts) -> Bool {
        isAmong(["y", "yes"], "prompt.yes", line, texts)
    }

    /// Whether a line is one of some words, in English or in the language of the texts.
    private static func isAmong(_ english: [String], _ name: String, _ line: String, _ texts: Texts) -> Bool {
        let words = texts(name).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return (english + words).contains(line.trimmingCharacters(in: .whitespaces).lowercased())
    }

    private func askInProduction(_ question: PromptQuestion) async -> PromptReply {
        guard question.purchase?.code != nil else { return .cancelled }
        // A line ends the waiting; a yes from elsewhere cancels the reading.
        _ = await ask("prompt.waiting", question.texts)
        return Task.isCancelled ? .elsewhere : .cancelled
    }

    private func signIn(_ texts: Texts) async -> PromptReply {
        guard let email = await ask("prompt.email", texts), !email.isEmpty,
            let password = await ask("prompt.password_or_forgotten", texts, isSecret: true)
        else { return .cancelled }
        return password.isEmpty
            ? .passwordForgotten(email: email) : .signIn(email: email, password: password)
    }
}

/// A terminal that asks one question at a time.
package protocol PromptTerminal: Sendable {
    func write(_ text: String)
    /// A line without its end; nil when the task was cancelled, or nothing more will come.
    func read(_ question: String, isSecret: Bool) async -> String?
}
