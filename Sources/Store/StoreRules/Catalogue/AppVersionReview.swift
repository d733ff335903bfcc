import StoreModel

/// The way of one version of an app through review. What is judged is the version as its developer describes it: the store
/// keeps no binaries of apps.
///
/// An app whose newest version was rejected, and which has none that is approved, sells nothing: neither products, nor purchases,
/// nor restores work in it, as on Apple's store.
package struct AppVersionReview: Hashable, Sendable {
    package private(set) var state: AppVersionState

    package init(state: AppVersionState = .prepareForSubmission) {
        self.state = state
    }

    /// Whether its developer has submitted it, and nobody has rejected it since.
    package var isSubmitted: Bool { [.waitingForReview, .inReview, .approved].contains(state) }

    /// Whether products can be submitted with it: nobody has decided about it, and its developer has not taken it back.
    package var isOpen: Bool { [.prepareForSubmission, .waitingForReview, .inReview].contains(state) }

    // Closed: only the machine switches over it.
    package enum Event: String, Hashable, Sendable, CaseIterable {
        case submitted, begun, approved, rejected
        /// Its developer takes it back.
        case developerRejected = "rejected by its developer"
    }

    package mutating func handle(_ event: Event) throws(ReviewError) {
        state =
            switch (state, event) {
            case (.prepareForSubmission, .submitted), (.rejected, .submitted), (.developerRejected, .submitted):
                .waitingForReview
            // A product that goes with it has submitted it.
            case (.waitingForReview, .submitted): .waitingForReview
            case (.waitingForReview, .begun): .inReview
            case (.waitingForReview, .approved), (.inReview, .approved): .approved
            case (.waitingForReview, .rejected), (.inReview, .rejected): .rejected
            case (.prepareForSubmission, .developerRejected), (.waitingForReview, .developerRejected),
                (.inReview, .developerRejected), (.approved, .developerRejected):
                .developerRejected
            case (.prepareForSubmission, _), (.rejected, _), (.developerRejected, _):
                throw ReviewError(
                    event.rawValue, in: state.rawValue,
                    "its developer has not submitted it; till versions submit does that")
            default: throw ReviewError(event.rawValue, in: state.rawValue)
            }
    }
}

/// How far a version of an app is.
package struct AppVersionState: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let prepareForSubmission = AppVersionState(rawValue: "prepare_for_submission")
    package static let waitingForReview = AppVersionState(rawValue: "waiting_for_review")
    package static let inReview = AppVersionState(rawValue: "in_review")
    package static let approved = AppVersionState(rawValue: "approved")
    package static let rejected = AppVersionState(rawValue: "rejected")
    package static let developerRejected = AppVersionState(rawValue: "developer_rejected")

    package static let known: Set<AppVersionState> = [
        .prepareForSubmission, .waitingForReview, .inReview, .approved, .rejected, .developerRejected,
    ]
}
