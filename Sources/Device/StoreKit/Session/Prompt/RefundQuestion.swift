import StoreFoundation
package import StoreModel

/// Why money is wanted back, asked of the customer.
package struct RefundQuestion: Hashable, Sendable {
    /// The product that it was paid for.
    package var product: String
    package var environment: StoreEnvironment
    /// The language of the texts that the question is asked in.
    package var language: String

    package init(product: String, environment: StoreEnvironment, language: String = "en") {
        self.product = product
        self.environment = environment
        self.language = language
    }

    /// The reasons, in the order in which they are offered.
    static let reasons: [(reason: RefundRequestReason, text: String)] = [
        (.unintended, "refund.unintended"), (.fulfillment, "refund.fulfillment"),
        (.unsatisfied, "refund.unsatisfied"), (.other, "refund.other"),
    ]

    /// What is shown: the product, and a numbered line for each reason.
    var lines: [String] {
        let texts = Texts.best(for: [language])
        let choices = Self.reasons.enumerated().map { "\($0.offset + 1)  \(texts($0.element.text))" }
        return [texts("refund.question", ["title": .text(product)])] + choices
    }

    /// The reason that a typed number stands for; nil for anything else.
    static func reason(_ typed: String?) -> RefundRequestReason? {
        guard let number = typed.flatMap({ Int($0) }), reasons.indices.contains(number - 1) else { return nil }
        return reasons[number - 1].reason
    }
}

extension DeviceSession {
    /// Asks the customer why money is wanted back; nil if there is no answer.
    func askRefundReason(of id: TransactionID) async -> RefundRequestReason? {
        let product = (try? journal.transaction(id)).flatMap { try? verifier.verified($0.signed) }?.payload.productId
        return await settings.prompt.askRefund(
            RefundQuestion(
                product: product?.text ?? "\(id)", environment: settings.profile.content.environment,
                language: settings.texts.language))
    }
}
