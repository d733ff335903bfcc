import StoreModel

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
        var lines = [question.problem, question.purchase.map(Self.sentence)].compactMap(\.self)
        if let approval = question.approval {
            lines.append("Approve it elsewhere: \(approval)    (\(question.store))")
        }
        terminal.write(lines.map { $0 + "\n" }.joined())
        guard question.environment == .sandbox else { return await askInProduction(question) }
        if question.needsSignIn { return await signIn() }
        if question.purchase?.acceptsYes == true {
            return await terminal.read("Buy it? [yes/no] ", isSecret: false).map(Self.isYes) == true ? .yes : .cancelled
        }
        guard let password = await terminal.read("Password (nothing cancels): ", isSecret: true), !password.isEmpty
        else { return .cancelled }
        return .password(password)
    }

    package func tell(_ notice: PromptNotice) async {
        terminal.write(notice.text + "\n" + (notice.address.map { $0 + "\n" } ?? ""))
    }

    private static func sentence(_ purchase: PromptQuestion.Purchase) -> String {
        purchase.quantity == 1
            ? "\(purchase.title): \(purchase.total)"
            : "\(purchase.quantity) x \(purchase.title) at \(purchase.unitPrice): \(purchase.total)"
    }

    private static func isYes(_ line: String) -> Bool { ["y", "yes"].contains(line.lowercased()) }

    private func askInProduction(_ question: PromptQuestion) async -> PromptReply {
        guard question.purchase?.code != nil else { return .cancelled }
        // A line ends the waiting; a yes from elsewhere cancels the reading.
        _ = await terminal.read("Waiting; Return cancels. ", isSecret: false)
        return Task.isCancelled ? .elsewhere : .cancelled
    }

    private func signIn() async -> PromptReply {
        guard let email = await terminal.read("E-mail (nothing cancels): ", isSecret: false), !email.isEmpty else {
            return .cancelled
        }
        guard let password = await terminal.read("Password (nothing: forgotten): ", isSecret: true) else {
            return .cancelled
        }
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
