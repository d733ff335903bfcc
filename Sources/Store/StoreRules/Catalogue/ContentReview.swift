package import StoreModel

/// The way of one version of hosted content from its first part to customers.
///
/// It is reviewed together with its product: what approves or rejects that does the same to the newest content that is
/// ready. The sandbox delivers from ``ContentState/readyToSubmit`` on, production what was approved.
///
/// ```
/// uploading -completed-> processing -processed-> ready to submit -approved-> approved
/// processing -failed-> failed          ready to submit -rejected-> rejected -approved-> approved
/// uploading, failed, ready to submit, rejected -withdrawn-> withdrawn
/// approved, ready to submit, rejected -replaced-> replaced (nobody can ask for it any more)
/// all but approved -unhosted-> unhosted (its version may come again)
/// ```
package struct ContentReview: Hashable, Sendable {
    package private(set) var state: ContentState

    package init(state: ContentState = .uploading) {
        self.state = state
    }

    /// What happens to a version.
    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable, CaseIterable {
        /// All parts of the package are there.
        case completed
        /// The package keeps to the rules, and the archive was made.
        case processed
        /// It does not.
        case failed
        case approved
        case rejected
        /// Its developer takes it back.
        case withdrawn
        /// The store hosts no content of the product any more, which was never on sale.
        case unhosted
        /// A newer version is delivered, and nobody can ask for this one any more.
        case replaced
    }

    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    package mutating func handle(_ event: Event) throws(ReviewError) {
        switch (state, event) {
        case (.uploading, .completed): state = .processing
        case (.processing, .processed): state = .readyToSubmit
        case (.processing, .failed): state = .failed
        case (.readyToSubmit, .approved), (.rejected, .approved): state = .approved
        case (.readyToSubmit, .rejected): state = .rejected
        case (.uploading, .withdrawn), (.processing, .withdrawn), (.failed, .withdrawn), (.readyToSubmit, .withdrawn),
            (.rejected, .withdrawn):
            state = .withdrawn
        case (.approved, .replaced), (.readyToSubmit, .replaced), (.rejected, .replaced): state = .replaced
        case (.uploading, .unhosted), (.processing, .unhosted), (.failed, .unhosted), (.readyToSubmit, .unhosted),
            (.rejected, .unhosted), (.withdrawn, .unhosted), (.replaced, .unhosted):
            state = .unhosted
        default: throw ReviewError("\(event)", in: state.rawValue)
        }
    }

    /// Whether an environment delivers it to those who ask for its product, if there is nothing newer.
    package func isDelivered(in environment: StoreEnvironment) -> Bool {
        switch state {
        case .approved: true
        case .readyToSubmit, .rejected: environment == .sandbox
        default: false
        }
    }
}

/// How far a version of hosted content is.
package struct ContentState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Parts of its package are missing.
    package static let uploading = ContentState(rawValue: "uploading")
    /// Its package is being looked at.
    package static let processing = ContentState(rawValue: "processing")
    /// Its package breaks a rule.
    package static let failed = ContentState(rawValue: "failed")
    /// The sandbox delivers it.
    package static let readyToSubmit = ContentState(rawValue: "ready_to_submit")
    /// Production delivers it too.
    package static let approved = ContentState(rawValue: "approved")
    package static let rejected = ContentState(rawValue: "rejected")
    package static let withdrawn = ContentState(rawValue: "withdrawn")
    /// Nobody can ask for it any more; its bytes are gone.
    package static let replaced = ContentState(rawValue: "replaced")
    /// Hosting was switched off; what comes once it is on again begins with 1.0.
    package static let unhosted = ContentState(rawValue: "unhosted")

    package static let known: Set<ContentState> = [
        .uploading, .processing, .failed, .readyToSubmit, .approved, .rejected, .withdrawn, .replaced,
        .unhosted,
    ]

    /// Those in which a version can be had in some environment.
    package static let kept: [ContentState] = [.readyToSubmit, .approved, .rejected]
}
