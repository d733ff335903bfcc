public import StoreModel

extension Backend {
    /// The subscriptions of a user that renew themselves, as they stand at an instant: on whatever device they were
    /// bought, whoever signs in as the user has them. The newest owner's claim comes first.
    public func subscriptions(of user: BackendUser, at now: Instant) async throws -> [BackendSubscription] {
        try await database.transaction { connection in
            let table = SubscriptionTable(connection)
            return try table.keys(of: user).compactMap { try table.record(of: $0).standing(at: now) }
        }
    }

    /// Whether the app may ask a customer about a subscription now: to let it renew, to buy it again, to pay in another
    /// way.
    ///
    /// A yes is given once for each period, on whichever device asks first, and is noted as if the customer had been
    /// asked: so ask. The least time between two of them is ``ListedProduct/minimumPeriod`` of the product, or
    /// ``BackendSettings/minimumPeriod``.
    ///
    /// - Parameter original: the id of the first transaction of the subscription, which has to be the user's.
    public func mayPrompt(
        _ original: TransactionID, for user: BackendUser, at now: Instant
    ) async throws -> PromptDecision {
        try await database.transaction { [self] connection in
            let table = SubscriptionTable(connection)
            guard let key = try table.keys(of: user).first(where: { $0.original == original }),
                let standing = try table.record(of: key).standing(at: now)
            else {
                throw BackendError(
                    .unknownSubscription, "The user has no subscription of the number \(original).",
                    parameter: "originalTransactionId")
            }
            var products = ProductLookup(ProductTable(connection, cache: lists))
            let product = try products.product(standing.productID, of: standing.bundleID)
            let rule = PromptRule(
                shortestPause: product?.minimumPeriod ?? settings.minimumPeriod, because: product?.minimumPeriodReason)
            let prompts = try table.prompts(of: key, in: standing.periodID)
            let decision = rule.decide(standing, askedInPeriod: prompts.inPeriod, last: prompts.last, at: now)
            if decision.mayPrompt {
                try table.notePrompt(of: key, in: standing.periodID, at: now)
                try AuditTable(connection).note(
                    .prompted, of: user.id, product: standing.productID, "subscription \(original)", at: now)
            }
            return decision
        }
    }
}
