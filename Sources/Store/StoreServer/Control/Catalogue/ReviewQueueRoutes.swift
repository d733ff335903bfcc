import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// Everything that waits for reviewers, with what it would change, and decisions about several at once.
struct ReviewQueueRoutes: Sendable {
    let store: ControlStore

    init(_ store: ControlStore) {
        self.store = store
    }

    private static let tag = "review"
    private static let versionName = PathParameter<String>("version", rule: "a version of the app, such as 1.0") {
        $0.isEmpty ? nil : $0
    }

    /// What reviewers and developers read.
    var routes: [Route] {
        [
            .get("/control/v1/review") { request in
                let found = try await store.editing(request).reviewCases(limit: PageLimits.most)
                return try .json(Page(found.map { ReviewCaseAnswer($0) }))
            }
            .described(
                "listReviewQueue",
                "Products, items and versions that wait for a reviewer, with what they would change of what was approved.",
                tag: Self.tag,
                answers: [.init(.ok, "All of it, up to \(PageLimits.most).", .of(Page<ReviewCaseAnswer>.self))]),
            .get("/control/v1/apps/{bundleId}/products/{productId}/review-changes") { request in
                try await .json(ReviewCaseAnswer(store.editing(request).reviewCase(.product(request.product))))
            }
            .described(
                "readReviewChanges", "What the submission of a product would change of what was approved.",
                tag: Self.tag,
                parameters: CatalogueRoutes.product,
                answers: [.init(.ok, "The changes.", .of(ReviewCaseAnswer.self))], refusals: .product),
            .get("/control/v1/apps/{bundleId}/versions/{version}/review-changes") { request in
                let target = try ReviewTarget.version(request[Self.versionName], request[CataloguePaths.bundleID])
                return try await .json(ReviewCaseAnswer(store.editing(request).reviewCase(target)))
            }
            .described(
                "readVersionReviewChanges", "What a version of an app would change of the last that was approved.",
                tag: Self.tag, parameters: [CatalogueRoutes.app, .path(Self.versionName)],
                answers: [.init(.ok, "The changes.", .of(ReviewCaseAnswer.self))],
                refusals: [.appUnknown, .nameUnknown]),
        ]
    }

    /// What reviewers of the store decide.
    var decisions: [Route] {
        [
            .post("/control/v1/review/decisions") { request in
                let wanted = try request.decode(ReviewDecisionsRequest.self)
                let decisions = try wanted.decisions.enumerated().map { try $1.decision(at: $0) }
                let editing = store.editing(request)
                try await editing.decide(decisions)
                var found: [ReviewCaseAnswer] = []
                for decision in decisions {
                    found.append(ReviewCaseAnswer(try await editing.reviewCase(decision.target)))
                }
                return try .json(Page(found))
            }
            .described(
                "decideReviews",
                "Decides about several products and versions: about all of them or none. What nobody has taken up is taken up.",
                tag: Self.tag, body: .of(ReviewDecisionsRequest.self),
                answers: [.init(.ok, "What was decided about, as it is then.", .of(Page<ReviewCaseAnswer>.self))],
                refusals: [.appUnknown, .productUnknown, .nameUnknown, .stateWrong, .limitReached])
        ]
    }
}

/// Something that waits for a reviewer, with what it would change.
package struct ReviewCaseAnswer: Codable, Hashable, Sendable {
    package struct Change: Codable, Hashable, Sendable {
        /// Such as `title.de`.
        package let field: String
        /// As it was approved; missing for what is new.
        package let before: String?
        /// As it was submitted; missing for what is taken away.
        package let after: String?
    }

    package let bundleId: BundleID
    /// Missing for a version.
    package let productId: ProductID?
    /// Missing for a product.
    package let version: String?
    /// The store id of an item of the storefront.
    package let storeId: Int64?
    package let name: String
    package let isNew: Bool
    package let isInReview: Bool
    package let changedAt: Instant
    package let changes: [Change]

    init(_ found: ReviewCase) {
        bundleId = found.target.app
        switch found.target {
        case .product(let path): (productId, version) = (path.product, nil)
        case .version(let name, _): (productId, version) = (nil, name)
        }
        storeId = found.item
        name = found.name
        isNew = found.isNew
        isInReview = found.isTakenUp
        changedAt = found.changedAt
        changes = found.changes.map { Change(field: $0.field, before: $0.before, after: $0.after) }
    }
}

/// Decisions about several things at once.
package struct ReviewDecisionsRequest: Codable, Hashable, Sendable {
    package struct Decision: Codable, Hashable, Sendable {
        package let bundleId: BundleID
        /// One of the two is there.
        package let productId: ProductID?
        package let version: String?
        package let isApproved: Bool
        /// Of a rejection.
        package let reason: String?
        package let message: String?
        /// When it was changed last, as it was seen; one that was changed since is refused.
        package let seenAt: Instant?

        package init(
            bundleId: BundleID, productId: ProductID?, version: String?, isApproved: Bool, reason: String? = nil,
            message: String? = nil, seenAt: Instant? = nil
        ) {
            self.bundleId = bundleId
            self.productId = productId
            self.version = version
            self.isApproved = isApproved
            self.reason = reason
            self.message = message
            self.seenAt = seenAt
        }

        func decision(at index: Int) throws -> ReviewDecision {
            let target: ReviewTarget
            switch (productId, version) {
            case (let product?, nil): target = .product(ProductPath(bundleId, product))
            case (nil, let version?): target = .version(version, bundleId)
            default:
                throw APIError(
                    .valueInvalid, "a decision names a product or a version", parameter: "decisions[\(index)]")
            }
            if isApproved { return ReviewDecision(target, .approve, seenAt: seenAt) }
            guard let reason else {
                throw APIError(.valueMissing, "a rejection has a reason", parameter: "decisions[\(index)].reason")
            }
            return ReviewDecision(
                target, .reject(RejectionReason(rawValue: reason), message: message ?? ""), seenAt: seenAt)
        }
    }

    package let decisions: [Decision]

    package init(_ decisions: [Decision]) {
        self.decisions = decisions
    }
}

extension ReviewCaseAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["changes": .array(of: .of(Change.self), description: "What differs from what was approved.")]
    }
}

extension ReviewCaseAnswer.Change: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "field": .string("What differs.", example: "title.de"),
            "before": .string("As it was approved; missing for what is new."),
            "after": .string("As it was submitted; missing for what is taken away."),
        ]
    }
}

extension ReviewDecisionsRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        ["decisions": .array(of: .of(Decision.self), lengths: 1...ReviewDecisions.most)]
    }
}

extension ReviewDecisionsRequest.Decision: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "version": .string("Of the app; a decision names a product or a version.", example: "1.0"),
            "reason": .string("Of a rejection.", among: RejectionReason.known.map(\.rawValue).sorted()),
            "message": .string(
                "To the developer; a rejection says what has to change.", lengths: 0...ProductReviews.longestNote),
        ]
    }
}
