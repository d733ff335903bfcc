import StoreModel

/// Answers every question by itself: for the sandbox and for tests. Production takes no such answer.
package struct AutomaticPrompt: PurchasePrompt {
    private let account: (email: String, password: String)?

    /// - Parameter account: who signs in where that is asked for; without one such questions are cancelled.
    package init(account: (email: String, password: String)? = nil) {
        self.account = account
    }

    package var asksPerson: Bool { false }

    package func ask(_ question: PromptQuestion) async -> PromptReply {
        // What was refused once is refused again.
        guard question.problem == nil, question.environment == .sandbox else { return .cancelled }
        if question.needsSignIn {
            guard let account else { return .cancelled }
            return .signIn(email: account.email, password: account.password)
        }
        guard let purchase = question.purchase else { return .cancelled }
        if purchase.acceptsYes { return .yes }
        return account.map { .password($0.password) } ?? .cancelled
    }

    package func tell(_ notice: PromptNotice) async {}
}
