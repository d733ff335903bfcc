/// What a processor says of its own accord, such as that a customer has done what was asked of them.
package struct ProcessorNews: Hashable, Sendable {
    /// Names these news: they may come more than once.
    package let id: String
    /// The call they are about.
    package let key: String
    /// What came of that call, as ``PaymentProcessor/lookup(key:)`` tells it.
    package let outcome: LookupOutcome

    package init(id: String, key: String, outcome: LookupOutcome) {
        self.id = id
        self.key = key
        self.outcome = outcome
    }
}
