import StoreFoundation
package import StoreModel

/// The question whether a customer agrees to a higher price.
package struct PriceQuestion: Hashable, Sendable {
    /// The title of the product, or its id.
    package var title: String
    /// What it costs, what it is to cost, from when on, and what comes of a no.
    package var text: String
    package var subscription: TransactionID
    package var environment: StoreEnvironment
    /// The language of the texts that the question is asked in.
    package var language: String

    package init(
        title: String, text: String, subscription: TransactionID, environment: StoreEnvironment, language: String
    ) {
        self.title = title
        self.text = text
        self.subscription = subscription
        self.environment = environment
        self.language = language
    }

    var texts: Texts { Texts.best(for: [language]) }

    /// What is asked, and how it is answered elsewhere.
    var lines: [String] {
        let command =
            "till subscriptions price agree \(subscription)"
            + (environment == .sandbox ? "" : " --environment \(environment)")
        return ["\(title): \(text)", texts("prompt.answer", ["command": .text(command)])]
    }
}

/// What became of the question.
// Closed: the session has to know what to do with each.
package enum PriceReply: Hashable, Sendable {
    case agreed
    case refused
    /// The person has seen it, or nobody could be asked; the store goes on waiting.
    case unanswered
}
