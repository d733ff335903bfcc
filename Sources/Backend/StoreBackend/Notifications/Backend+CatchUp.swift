public import StoreModel

/// What was found out by asking the store.
public struct CaughtUp: Hashable, Sendable {
    /// The notifications that had been missed, the oldest first.
    public internal(set) var missed: [ReceivedNotification] = []
    /// How many notifications the store had that were known already.
    public internal(set) var known = 0
    /// How many notifications could not be verified, or are not for this backend. They were left out.
    public internal(set) var refused = 0
    /// How many subscriptions were asked for because nobody had said how they stand.
    public internal(set) var subscriptions = 0
    /// Whether there is more to ask for: call again.
    public internal(set) var hasMore = false
    /// What could not be asked, such as the production of a store whose key is of the sandbox alone.
    public internal(set) var failures: [Failure] = []

    /// A question that failed.
    public struct Failure: Hashable, Sendable {
        /// The environment that was asked.
        public let environment: StoreEnvironment
        /// The app that it was about; nil where it was about subscriptions of any.
        public let bundleID: BundleID?
        /// Why it failed.
        public let error: BackendError
    }
}

extension Backend {
    /// Asks the store for the notifications that were missed, and for subscriptions of which it has not said how they
    /// stand.
    ///
    /// Call it at the start, and every hour or so. How far was asked is kept, so that each call asks for what came
    /// since; what a call has taken stays if a later question fails. It asks at most ``BackendLimits/pagesPerCatchUp``
    /// pages and
    /// ``BackendLimits/subscriptionsPerCatchUp`` subscriptions, and says whether there is more. It throws if nothing could be asked.
    @discardableResult
    public func catchUp(at now: Instant) async throws -> CaughtUp {
        guard let store, let notificationVerifier else {
            throw BackendError(
                .storeUnavailable,
                "There is no store to ask: this backend was given no connection or no verifier for it.")
        }
        let catchUp = CatchUp(backend: self, store: store, verifier: notificationVerifier, now: now)
        return try await catchUp.run()
    }
}

/// One round of questions to the store.
private struct CatchUp {
    let backend: Backend
    let store: StoreConnection
    let verifier: NotificationVerifier
    let now: Instant

    private var limits: BackendLimits { backend.settings.limits }

    /// What the store wrote shortly before it was asked may not have been in its answer: so much is asked for again.
    private static let overlap = Duration.seconds(60 * 60)
    /// The longest time that one question spans.
    private static let span = Duration.seconds(7 * 24 * 60 * 60)
    /// How long it takes until the same subscription is asked for again.
    private static let pause = Duration.seconds(60 * 60)

    /// How long after the end of a subscription its store is still asked for it: it tries to charge for 60 days.
    private static let memory = Duration.seconds(90 * 24 * 60 * 60)
    /// How far the clock of a store that is ahead may have gone since it was last heard of.
    private static let horizon = Duration.seconds(3650 * 24 * 60 * 60)

    func run() async throws -> CaughtUp {
        var result = CaughtUp()
        var (pages, isAnswered) = (limits.pagesPerCatchUp, false)
        for environment in StoreEnvironment.allCases
        where backend.settings.environments.contains(environment) && store.environments.contains(environment) {
            let last = try await backend.database.transaction {
                try NotificationTable($0).lastStatement(in: environment)
            }
            let clock = max(now, last ?? now)
            for app in backend.settings.bundleIDs.sorted(by: { $0.text < $1.text }) {
                try await noting(environment, app, &result) {
                    try await ask(for: app, in: environment, clock, &pages, &$0)
                    isAnswered = true
                }
            }
            try await noting(environment, nil, &result) {
                if try await askForDoubtful(in: environment, clock, &$0) { isAnswered = true }
            }
        }
        if let failure = result.failures.first, !isAnswered { throw failure.error }
        result.missed.sort { ($0.signedAt, $0.id.description) < ($1.signedAt, $1.id.description) }
        let oldest = now - .seconds(limits.notificationSeconds)
        try await backend.database.transaction { try NotificationTable($0).forget(receivedBefore: oldest) }
        return result
    }

    /// Notes that a question failed, so that the others are asked all the same.
    private func noting(
        _ environment: StoreEnvironment, _ app: BundleID?, _ result: inout CaughtUp,
        _ ask: (inout CaughtUp) async throws -> Void
    ) async throws {
        do {
            try await ask(&result)
        } catch let error as BackendError {
            result.failures.append(CaughtUp.Failure(environment: environment, bundleID: app, error: error))
        }
    }

    // MARK: - Notifications

    /// - Parameter clock: the time, or what the store said it was where its clock is ahead, as that of a sandbox may be.
    private func ask(
        for app: BundleID, in environment: StoreEnvironment, _ clock: Instant, _ pages: inout Int,
        _ result: inout CaughtUp
    ) async throws {
        let history = Duration.seconds(limits.historySeconds)
        var place = try await backend.database.transaction { try NotificationTable($0).place(of: app, in: environment) }
        if let page = place.page {
            guard try await read(page.span, of: app, in: environment, &place, &pages, &result) else { return }
        }
        if clock - now > Self.overlap {
            // Nobody knows what its clock shows now, nor whether that was set back: all that it keeps is asked for.
            let end = clock + Self.horizon
            do {
                _ = try await read(now - history..<end, of: app, in: environment, &place, &pages, &result)
            } catch let error as BackendError where error.code == .invalidValue {
                _ = try await read(clock - history..<end, of: app, in: environment, &place, &pages, &result)
            }
            return
        }
        var begin = max(now - history, (place.reached ?? now - history) - Self.overlap)
        while begin < now {
            let span = begin..<min(now, begin + Self.span)
            guard try await read(span, of: app, in: environment, &place, &pages, &result) else { return }
            begin = span.upperBound
        }
    }

    /// Takes everything of a span, from the page on that comes next; false if the pages do not suffice for it.
    private func read(
        _ span: Range<Instant>, of app: BundleID, in environment: StoreEnvironment,
        _ place: inout NotificationTable.Place, _ pages: inout Int, _ result: inout CaughtUp
    ) async throws -> Bool {
        while pages > 0 {
            pages -= 1
            let page: NotificationHistoryPage
            do {
                page = try await store.notifications(
                    of: app, sent: span, after: place.page?.next, in: environment, at: now)
            } catch let error as BackendError where error.code == .invalidValue && place.page != nil {
                // The store does not know the page any more: the span begins anew.
                place.page = nil
                try await keep(place, of: app, in: environment)
                continue
            }
            try await take(page, &result)
            place.page = page.next.map { NotificationTable.Place.Page(span: span, next: $0) }
            if place.page == nil { place.reached = max(place.reached ?? .earliest, min(span.upperBound, now)) }
            try await keep(place, of: app, in: environment)
            if place.page == nil { return true }
        }
        result.hasMore = true
        return false
    }

    private func keep(
        _ place: NotificationTable.Place, of app: BundleID, in environment: StoreEnvironment
    ) async throws {
        try await backend.database.transaction { try NotificationTable($0).set(place, of: app, in: environment) }
    }

    private func take(_ page: NotificationHistoryPage, _ result: inout CaughtUp) async throws {
        // The oldest first, so that the audit reads as it happened.
        for signed in page.signedPayloads.reversed() {
            do {
                let received = try await backend.take(try verifier.verify(signed), wasMissed: true, at: now)
                if received.isNew { result.missed.append(received) } else { result.known += 1 }
            } catch let error as BackendError where !error.isRetryable {
                result.refused += 1
            }
        }
    }

    // MARK: - Subscriptions

    /// Returns whether the store has answered anything.
    private func askForDoubtful(
        in environment: StoreEnvironment, _ clock: Instant, _ result: inout CaughtUp
    ) async throws -> Bool {
        let (now, limit) = (now, limits.subscriptionsPerCatchUp)
        let doubtful = try await backend.database.transaction { connection in
            try SubscriptionTable(connection).doubtful(
                in: environment, at: clock, endedAfter: clock - Self.memory, askedBefore: now - Self.pause,
                atMost: limit + 1)
        }
        if doubtful.count > limit { result.hasMore = true }
        for (key, app) in doubtful.prefix(limit) {
            try await ask(for: key, app)
            result.subscriptions += 1
        }
        return !doubtful.isEmpty
    }

    private func ask(for key: SubscriptionTable.Key, _ app: BundleID) async throws {
        let answers: [(VerifiedTransaction, RenewalTerms)]
        do {
            answers = try await store.subscriptions(of: key.original, of: app, in: key.environment, at: now)
                .filter { $0.originalTransactionID == key.original }
                .map { try verifier.statements(of: $0, app, in: key.environment) }
        } catch let error as BackendError where error.code == .unknownTransaction {
            // The store has forgotten it, as a sandbox that was cleared does.
            answers = []
        }
        let (now, backend, statements) = (now, backend, answers)
        try await backend.database.transaction { connection in
            let table = SubscriptionTable(connection)
            for (transaction, terms) in statements {
                var recorder = backend.recorder(connection, at: now)
                try recorder.update(transaction)
                try table.take(terms, of: key)
            }
            try table.noteQuestion(about: key, at: now)
        }
    }
}

extension NotificationVerifier {
    /// What the store answers of a subscription.
    fileprivate func statements(
        of standing: SubscriptionStanding, _ app: BundleID, in environment: StoreEnvironment
    ) throws -> (VerifiedTransaction, RenewalTerms) {
        let transaction = try VerifiedTransaction(try pinned.transaction(standing.signedTransaction))
        let renewal = try pinned.renewalInfo(standing.signedRenewal)
        guard transaction.environment == environment, transaction.bundleID == app,
            renewal.environment.environment == environment,
            renewal.originalTransactionId == transaction.originalTransactionID
        else {
            throw BackendError(.untrustedProof, "The store answers with a subscription of another environment or app.")
        }
        var terms = RenewalTerms(renewal)
        terms.isAnswer = true
        return (transaction, terms)
    }
}
