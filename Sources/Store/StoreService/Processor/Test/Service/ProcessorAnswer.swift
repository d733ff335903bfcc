import StoreHTTP

/// An outcome as the test processor writes it: the step, the word for what came of it, and what belongs to that.
package struct ProcessorAnswer: Hashable, Sendable, Codable {
    package var step: String?
    package var outcome: String
    package var reference: String?
    package var url: String?
    package var refusal: PaymentRefusal?

    private init(_ step: String?, _ outcome: String, reference: String? = nil, refusal: PaymentRefusal? = nil) {
        self.step = step
        self.outcome = outcome
        self.reference = reference
        self.refusal = refusal
    }

    package init(_ outcome: LookupOutcome) {
        switch outcome {
        case .nothing: self.init(nil, "nothing")
        case .authorise(.approved(let reference)): self.init("authorise", "approved", reference: reference)
        case .authorise(.declined(let refusal)): self.init("authorise", "declined", refusal: refusal)
        case .authorise(.actionNeeded(let reference, let url)):
            self.init("authorise", "action_needed", reference: reference)
            self.url = url
        case .capture(.captured(let reference)): self.init("capture", "captured", reference: reference)
        case .capture(.failed(let refusal)): self.init("capture", "failed", refusal: refusal)
        case .voided: self.init("void", "voided")
        case .refund(.refunded(let reference)): self.init("refund", "refunded", reference: reference)
        case .refund(.failed(let refusal)): self.init("refund", "failed", refusal: refusal)
        }
    }

    /// What it says; nil if it says nothing that is known.
    package var meaning: LookupOutcome? {
        switch (step, outcome, reference, refusal) {
        case (nil, "nothing", _, _): .nothing
        case ("authorise", "approved", let reference?, _): .authorise(.approved(reference: reference))
        case ("authorise", "declined", _, let refusal?): .authorise(.declined(refusal))
        case ("authorise", "action_needed", let reference?, _):
            url.map { .authorise(.actionNeeded(reference: reference, url: $0)) }
        case ("capture", "captured", let reference?, _): .capture(.captured(reference: reference))
        case ("capture", "failed", _, let refusal?): .capture(.failed(refusal))
        case ("void", "voided", _, _): .voided
        case ("refund", "refunded", let reference?, _): .refund(.refunded(reference: reference))
        case ("refund", "failed", _, let refusal?): .refund(.failed(refusal))
        default: nil
        }
    }

    var json: JSONValue {
        .members([
            "step": step.map { .string($0) }, "outcome": .string(outcome), "reference": reference.map { .string($0) },
            "url": url.map { .string($0) }, "refusal": refusal.map { .string($0.rawValue) },
        ])
    }
}
