package import StoreModel

/// A page of the store that was loaded, and can be shown once.
package struct LoadedPage: Hashable, Sendable {
    /// What was asked for.
    package let request: VisitRequest
    package let answer: VisitAnswer
    /// Where it is; nil if the store has no pages.
    package let address: String?

    package init(_ answer: VisitAnswer, for request: VisitRequest, in store: StoreAddress) {
        self.request = request
        self.answer = answer
        address = answer.page.map { "\(store)\($0)" }
    }
}
