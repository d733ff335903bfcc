package import StoreModel

/// The way of a product from its first entry to the shelves of production, as its developer, the store's reviewers and the
/// store take it along.
///
/// It decides and does nothing: ``handle(_:)`` says what is to be done. An edit of what was approved is reviewed again, and
/// meanwhile production goes on with what was approved: ``isLive``. Only an ``Action/publish`` changes what that is.
///
/// A product that the store takes off the shelves keeps the place of its review, and comes back to it: what was edited and not
/// approved before is not approved after. Only ``Event/edited(_:)`` and what becomes of its version move it on meanwhile.
///
/// ```
/// missing metadata -edited, complete-> ready to submit -submitted-> waiting for review -begun-> in review -approved-> approved
/// hosting on: waiting for upload -uploaded-> processing -processed-> ready to submit;  -failed-> waiting for upload
/// waiting for review -withdrawn-> ready to submit          in review -rejected-> rejected -edited-> ready to submit
/// in review -accepted, its app version is not yet-> pending binary approval -binary approved-> approved
/// approved -edited-> ready to submit (live) -submitted-> …  rejected while live -> developer action needed
/// approved -taken off-> developer removed from sale -put back-> approved
/// ready to submit (live) -reverted-> approved
/// any state while live -removed by the store-> removed from sale -put back-> the state before
/// ```
package struct ProductReview: Hashable, Sendable {
    package private(set) var state: ProductState
    /// Whether there is something that was approved, which production sells.
    package private(set) var isLive: Bool
    /// The version of the app that it was submitted with.
    package private(set) var version: String?
    /// Where the review is while the store keeps the product off the shelves; nil otherwise.
    package private(set) var held: ProductState?

    package init(state: ProductState, isLive: Bool = false, version: String? = nil, held: ProductState? = nil) {
        self.state = state
        self.isLive = isLive
        self.version = version
        self.held = held
    }

    /// Where the review is, whether or not the product is on the shelves.
    package var stage: ProductState { state == .removedFromSale ? held ?? .readyToSubmit : state }

    /// What an event asks for beside the new state.
    // Closed: what takes products through their reviews carries each of them out.
    package enum Action: Hashable, Sendable {
        /// The texts, pictures and content as they are now were approved: production shows them from now on.
        case publish
        /// They were rejected. Production shows what it did.
        case reject
    }

    /// How complete a product is.
    package struct Completeness: Hashable, Sendable {
        /// What is missing before it can be submitted, in words; empty if nothing is.
        package let missing: [String]
        /// How far its hosted content is; nil if the store hosts none.
        package let content: Content?

        // Closed: content is there, is being looked at, or is there not.
        package enum Content: Hashable, Sendable {
            case awaited, processing, ready
        }

        package init(missing: [String], content: Content? = nil) {
            self.missing = missing
            self.content = content
        }

        /// The state of a product that nobody has submitted.
        var state: ProductState {
            if !missing.isEmpty { return .missingMetadata }
            switch content {
            case .awaited: return .waitingForUpload
            case .processing: return .processingContent
            case .ready, nil: return .readyToSubmit
            }
        }
    }

    /// What happens to a product.
    // Closed: only the machine switches over it.
    package enum Event: Hashable, Sendable {
        /// Something of it that is reviewed was changed, or completed, or its content came further.
        case edited(Completeness)
        /// - version: the version of the app that it is submitted with.
        /// - needsVersion: whether it is the first of its kind in the app.
        case submitted(version: String?, needsVersion: Bool, Completeness)
        case withdrawn
        /// - isVersionSubmitted: whether the version that it was submitted with is submitted itself; true without one.
        case begun(isVersionSubmitted: Bool)
        /// - isBinaryApproved: whether the version that it was submitted with is approved; true without one.
        case approved(isBinaryApproved: Bool)
        case rejected
        case binaryApproved
        case binaryRejected
        /// Its developer takes it off the shelves, or puts it back.
        case cleared(Bool)
        /// The store takes it off the shelves, or puts it back.
        case removedFromSale
        case putBack
        /// The operator approves it without a review.
        case approvedAtOnce
        /// Its developer takes back what was edited of what is approved, all of it.
        case reverted

        /// Whether only those bring it about who review for the store.
        package var isOfReview: Bool {
            switch self {
            case .begun, .approved, .rejected, .removedFromSale, .putBack, .approvedAtOnce: true
            case .edited, .submitted, .withdrawn, .binaryApproved, .binaryRejected, .cleared, .reverted: false
            }
        }
    }

    /// Takes in what happened. An event that has no place in the state changes nothing and is an error.
    ///
    /// - Returns: what is to be done, nil if nothing is.
    @discardableResult
    package mutating func handle(_ event: Event) throws(ReviewError) -> Action? {
        switch (state, event) {
        case (.removedFromSale, .putBack):
            (state, held) = (stage, nil)
        case (.removedFromSale, .edited), (.removedFromSale, .binaryApproved), (.removedFromSale, .binaryRejected):
            var review = ProductReview(state: stage, isLive: isLive, version: version)
            let action = try review.judge(event)
            (held, isLive, version) = (review.state, review.isLive, review.version)
            return action
        case (.removedFromSale, _), (_, .putBack): throw ReviewError(event, in: state)
        case (_, .removedFromSale) where isLive:
            (state, held) = (.removedFromSale, state)
        case (.waitingForUpload, .approvedAtOnce) where !isLive, (.processingContent, .approvedAtOnce) where !isLive:
            throw ReviewError(event, in: state, "its content is not there yet")
        case (_, .approvedAtOnce):
            (state, isLive, version) = (.approved, true, nil)
            return .publish
        case (.approved, .cleared(false)): state = .developerRemovedFromSale
        case (.developerRemovedFromSale, .cleared(true)): state = .approved
        case (_, .cleared): break
        default: return try judge(event)
        }
        return nil
    }

    /// Takes in what developers and reviewers do to bring it to production.
    private mutating func judge(_ event: Event) throws(ReviewError) -> Action? {
        switch (state, event) {
        case (.missingMetadata, .edited(let now)), (.waitingForUpload, .edited(let now)),
            (.processingContent, .edited(let now)), (.readyToSubmit, .edited(let now)), (.rejected, .edited(let now)),
            (.developerActionNeeded, .edited(let now)), (.approved, .edited(let now)),
            (.developerRemovedFromSale, .edited(let now)):
            state = now.state
        case (.readyToSubmit, .submitted(let version, let needsVersion, let now)):
            guard now.missing.isEmpty else { throw ReviewError(event, in: state, "it lacks " + list(now.missing)) }
            guard version != nil || !needsVersion || isLive else {
                throw ReviewError(
                    event, in: state,
                    "the first product of a kind is submitted together with a version of the app that is not approved yet"
                )
            }
            (state, self.version) = (.waitingForReview, version)
        case (.missingMetadata, .submitted(_, _, let now)):
            throw ReviewError(event, in: state, "it lacks " + list(now.missing))
        case (.waitingForUpload, .submitted):
            throw ReviewError(event, in: state, "its content has not been uploaded")
        case (.missingMetadata, .reverted) where isLive, (.readyToSubmit, .reverted) where isLive,
            (.developerActionNeeded, .reverted) where isLive:
            state = .approved
        case (.waitingForReview, .reverted), (.inReview, .reverted):
            throw ReviewError(event, in: state, "it is submitted; till review withdraw takes that back first")
        case (.waitingForReview, .withdrawn), (.inReview, .withdrawn):
            (state, version) = (.readyToSubmit, nil)
        case (.waitingForReview, .begun(let isVersionSubmitted)):
            guard isVersionSubmitted else {
                throw ReviewError(
                    event, in: state,
                    "it is reviewed with version \(version ?? "") of its app, which nobody has submitted; till versions "
                        + "submit does that")
            }
            state = .inReview
        case (.waitingForReview, .approved):
            throw ReviewError(event, in: state, "nobody has taken it up; till review begin does that")
        case (.inReview, .approved(isBinaryApproved: false)): state = .pendingBinaryApproval
        case (.inReview, .approved(isBinaryApproved: true)), (.pendingBinaryApproval, .binaryApproved):
            (state, isLive) = (.approved, true)
            return .publish
        case (.inReview, .rejected), (.waitingForReview, .rejected):
            (state, version) = (isLive ? .developerActionNeeded : .rejected, nil)
            return .reject
        case (.pendingBinaryApproval, .binaryRejected), (.waitingForReview, .binaryRejected),
            (.inReview, .binaryRejected):
            (state, version) = (.readyToSubmit, nil)
        case (.pendingBinaryApproval, _):
            throw ReviewError(
                event, in: state,
                "it is accepted, and waits for version \(version ?? "") of its app; till versions approve decides about both"
            )
        default: throw ReviewError(event, in: state)
        }
        return nil
    }

    /// The same review of a product that its developer has on the shelves, or has not.
    package func cleared(_ isCleared: Bool) -> ProductReview {
        func moved(_ state: ProductState) -> ProductState {
            switch (state, isCleared) {
            case (.approved, false): .developerRemovedFromSale
            case (.developerRemovedFromSale, true): .approved
            default: state
            }
        }
        return ProductReview(state: moved(state), isLive: isLive, version: version, held: held.map(moved))
    }

    /// Whether an environment sells it: the sandbox from ``ProductState/readyToSubmit`` on, production what was approved.
    package func isSold(in environment: StoreEnvironment) -> Bool {
        switch state {
        case .developerRemovedFromSale, .removedFromSale: false
        case .missingMetadata, .waitingForUpload, .processingContent: isLive
        case .readyToSubmit, .waitingForReview, .inReview, .pendingBinaryApproval, .rejected, .developerActionNeeded,
            .approved:
            environment == .sandbox || isLive
        // A state that this version does not know is not taken for an approval.
        default: environment == .sandbox
        }
    }

    private func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}

/// How far a product is on its way to being sold.
package struct ProductState: WireValue {
    package let rawValue: String

    /// Any state, known or not.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let missingMetadata = ProductState(rawValue: "missing_metadata")
    /// The store is to host its content, and has none yet.
    package static let waitingForUpload = ProductState(rawValue: "waiting_for_upload")
    package static let processingContent = ProductState(rawValue: "processing_content")
    /// Complete: the sandbox sells it.
    package static let readyToSubmit = ProductState(rawValue: "ready_to_submit")
    package static let waitingForReview = ProductState(rawValue: "waiting_for_review")
    package static let inReview = ProductState(rawValue: "in_review")
    /// A change of what is approved was rejected.
    package static let developerActionNeeded = ProductState(rawValue: "developer_action_needed")
    /// It is accepted, and the version of the app is not yet.
    package static let pendingBinaryApproval = ProductState(rawValue: "pending_binary_approval")
    /// Reviewed: production sells it too.
    package static let approved = ProductState(rawValue: "approved")
    package static let rejected = ProductState(rawValue: "rejected")
    package static let developerRemovedFromSale = ProductState(rawValue: "developer_removed_from_sale")
    package static let removedFromSale = ProductState(rawValue: "removed_from_sale")

    package static let known: Set<ProductState> = [
        .missingMetadata, .waitingForUpload, .processingContent, .readyToSubmit, .waitingForReview, .inReview,
        .developerActionNeeded, .pendingBinaryApproval, .approved, .rejected, .developerRemovedFromSale,
        .removedFromSale,
    ]
}

/// Why something was rejected.
package struct RejectionReason: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A thing, or a service in the world: only what is digital is sold here.
    package static let physicalGood = RejectionReason(rawValue: "physical_good_or_service")
    /// A currency that is spent outside the app that sells it.
    package static let intermediaryCurrency = RejectionReason(rawValue: "intermediary_currency")
    package static let executableCode = RejectionReason(rawValue: "executable_code")
    package static let metadata = RejectionReason(rawValue: "metadata")
    package static let screenshot = RejectionReason(rawValue: "screenshot")
    package static let notFound = RejectionReason(rawValue: "not_found_in_app")
    package static let other = RejectionReason(rawValue: "other")

    package static let known: Set<RejectionReason> = [
        .physicalGood, .intermediaryCurrency, .executableCode, .metadata, .screenshot, .notFound, .other,
    ]
}

/// What a product is, as is asked when it is submitted.
package struct ProductCategory: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let content = ProductCategory(rawValue: "content")
    /// A function that is in the app already.
    package static let function = ProductCategory(rawValue: "function")
    /// A service that is rendered once.
    package static let service = ProductCategory(rawValue: "service")
    package static let subscription = ProductCategory(rawValue: "subscription")

    package static let known: Set<ProductCategory> = [.content, .function, .service, .subscription]
}

/// An event that has no place in the state of a review, and why.
package struct ReviewError: Error, Hashable, Sendable, CustomStringConvertible {
    package let event: String
    package let state: String
    package let reason: String?

    init(_ event: ProductReview.Event, in state: ProductState, _ reason: String? = nil) {
        self.init(event.name, in: state.rawValue, reason)
    }

    init(_ event: String, in state: String, _ reason: String? = nil) {
        self.event = event
        self.state = state
        self.reason = reason
    }

    /// One sentence without its full stop.
    package var description: String {
        "it cannot be \(event), because \(reason ?? "it is \(state.replacing("_", with: " "))")"
    }
}

extension ProductReview.Event {
    /// A word for the history of a product.
    package var name: String {
        switch self {
        case .edited: "edited"
        case .submitted: "submitted"
        case .withdrawn: "withdrawn"
        case .begun: "taken into review"
        case .approved: "approved"
        case .rejected: "rejected"
        case .binaryApproved: "approved with its version"
        case .binaryRejected: "sent back with its version"
        case .cleared(true): "cleared for sale"
        case .cleared(false): "withheld from sale"
        case .removedFromSale: "removed from sale"
        case .putBack: "put back on sale"
        case .approvedAtOnce: "approved at once"
        case .reverted: "brought back to what is approved"
        }
    }
}
