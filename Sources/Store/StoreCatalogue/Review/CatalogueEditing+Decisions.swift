import StoreDatabase
package import StoreModel
import StoreRules

/// What a reviewer decides about one thing of the queue.
package struct ReviewDecision: Hashable, Sendable {
    package let target: ReviewTarget
    package let decision: ProductReviews.Decision
    /// The state of it that was seen; nil to decide about it as it is.
    package let seenAt: Instant?

    package init(_ target: ReviewTarget, _ decision: ProductReviews.Decision, seenAt: Instant? = nil) {
        self.target = target
        self.decision = decision
        self.seenAt = seenAt
    }
}

extension CatalogueEditing {
    /// What waits for a reviewer or is in review, with what it would change: products and items first, then versions.
    package func reviewCases(limit: Int) async throws -> [ReviewCase] {
        try await read(for: .review) { try ReviewCases.waiting(of: actor.team, limit: limit, in: $0) }
    }

    /// One thing that is or was reviewed, with what differs from what was approved and everything that happened to it.
    package func reviewCase(_ target: ReviewTarget) async throws -> ReviewCase {
        try await read(for: .review) { try reviewCase(target, in: $0) }
    }

    /// Decides about several things at once: all of them or none. What nobody has taken up yet is taken up by it.
    package func decide(_ decisions: [ReviewDecision]) async throws {
        guard decisions.count <= ReviewDecisions.most else {
            throw CatalogueError(.limitReached, "at most \(ReviewDecisions.most) are decided at once")
        }
        for case .reject(_, let message) in decisions.map(\.decision)
        where !message.contains(where: { !$0.isWhitespace }) {
            throw CatalogueError(.valueMissing, "a rejection says what has to change", field: "message")
        }
        try await write(for: .review) { change in
            for decision in decisions {
                let found = try reviewCase(decision.target, in: change.transaction)
                if let seen = decision.seenAt, seen != found.changedAt {
                    throw CatalogueError(
                        .stateWrong, "\(found.name) was changed since it was shown here; look at it again")
                }
                try decide(decision, about: found, change)
            }
        }
    }

    private func decide(
        _ decision: ReviewDecision, about found: ReviewCase, _ change: CatalogueChange
    ) throws {
        switch decision.target {
        case .product(let path):
            if found.product?.state == .waitingForReview {
                try ProductReviews.begin(product(path, in: change.transaction), change)
            }
            try ProductReviews.decide(decision.decision, about: product(path, in: change.transaction), change)
        case .version(let version, _):
            if !found.isTakenUp { _ = try AppVersions.advance(.begun, version, of: found.app.id, change) }
            switch decision.decision {
            case .approve: _ = try AppVersions.advance(.approved, version, of: found.app.id, change)
            case .reject(let reason, let message):
                _ = try AppVersions.advance(
                    .rejected, version, of: found.app.id, because: .init(reason, message: message), change)
            }
        }
    }

    private func reviewCase(_ target: ReviewTarget, in transaction: any ReadTransaction) throws -> ReviewCase {
        switch target {
        case .product(let path):
            let product = try product(path, in: transaction)
            guard var found = try ReviewCases.products([product], in: transaction).first else {
                throw CatalogueError(.productUnknown, "the app has no product of this id", field: "productId")
            }
            found.history = try ProductReviews.history(of: product.itemID, in: transaction)
            return found
        case .version(let name, let bundle):
            let app = try app(bundle, in: transaction)
            let version = try AppVersions.require(name, of: app.id, in: transaction)
            guard let found = try ReviewCases.cases(of: [(version, app.id)], in: transaction).first else {
                throw CatalogueError(.nameUnknown, "the app has no version \(name)", field: "version")
            }
            return found
        }
    }
}

/// Limits of what is decided.
package enum ReviewDecisions {
    /// Decisions of one request.
    package static let most = 100
}
