import StoreHTTPClient
import StoreModel

/// What the session gets from the store, and tells it, without a request of the app: the events, and what was finished.
extension DeviceSession {
    /// Watches the store for as long as the task runs and this process has the lease.
    func watchStore() async {
        var failures = 0
        while !Task.isCancelled {
            guard lease.take() else {
                // The end of the process that has the lease is a change of the folder that is watched.
                await wake.wait()
                continue
            }
            takeOver()
            do throws(ConnectionError) {
                try await follow()
                failures = 0
            } catch {
                guard error.kind != .cancelled else { return }
                if error.status == 410 {
                    try? journal.set([.cursor: nil])
                    if failures == 0 {
                        failures += 1
                        continue
                    }
                }
                failures += 1
                trouble.note(error)
                // Somebody has signed this device out, and what is waited for now is a sign-in.
                if error.refusal == .notSignedIn, (try? await device.device())?.isSignedIn == false { continue }
                var policy = settings.retries
                policy.attempts = .max
                let delay = policy.delay(afterFailures: failures, retryAfter: error.retryAfter)
                await wake.wait(upTo: delay ?? SessionLimits.longestDelay, sleep: policy.wait)
            }
        }
    }

    /// Looks after what other processes have left behind.
    private func takeOver() {
        presence.sweep()
        for payment in (try? journal.payments()) ?? [] where !presence.isAlive(payment.owner) {
            guard payment.state != .purchased,
                (try? journal.adopt(payment.key, of: payment.owner, by: presence.name)) == true
            else { continue }
            handle(.adopted(payment))
        }
        bringUpToDate(all: true)
    }

    /// One round: says what is to be said, and waits for news.
    private func follow() async throws(ConnectionError) {
        try await device.prepare()
        if !receipt.isThere { try await receipt.renew() }
        // A process that ended while it signed in, or a page, did not keep the answer here.
        if device.answer?.isSignedIn != true, try await !device.device().isSignedIn { return await wake.wait() }
        await tellFinishes()
        try await tellPriceAnswers()
        askAboutPrices()
        guard let cursor = try? journal.value(.cursor) else { return try await readEverything() }
        guard let page = try await news(after: cursor) else { return }
        try await take(delivery(of: page, after: cursor))
        // An operator may have moved the account to another storefront.
        if page.events.isEmpty { _ = try await device.device() }
    }

    /// Takes in that somebody was signed in on this device, or may have been: the process that watches the store looks,
    /// and waits for events then. Until that nothing is asked of the store.
    func noteSignIn() {
        wake.raise()
        presence.wakeOthers()
    }

    /// Takes in everything that has happened until now: when this returns, the journal has it, the sinks were told, and the
    /// store knows what was finished.
    package func catchUp() async throws(ConnectionError) {
        try await device.prepare()
        // Without the lease no process would tell of what came of no payment.
        if isAttached, !lease.isHeld, lease.take() { takeOver() }
        _ = try await device.device()
        await tellFinishes()
        var isBehind = device.answer?.isSignedIn == true
        while isBehind, !Task.isCancelled {
            guard let cursor = try? journal.value(.cursor) else {
                try await readEverything()
                continue
            }
            do throws(ConnectionError) {
                let page = try await device.events(after: cursor, wait: 0)
                try await take(delivery(of: page, after: cursor))
                // The task that watches the store may have been faster, and then nothing was kept here.
                isBehind = page.hasMore || (try? journal.value(.cursor)) != page.cursor
            } catch {
                guard error.status == 410 else { throw error }
                try? journal.set([.cursor: nil])
            }
        }
        await renewReceipt()
    }

    /// What happened after a place; nil if something here is to be looked at first.
    private func news(after cursor: String) async throws(ConnectionError) -> EventsAnswer? {
        let known = device.answer
        let outcome = await withTaskGroup(of: Result<EventsAnswer, ConnectionError>?.self) { group in
            group.addTask {
                do throws(ConnectionError) {
                    return .success(try await self.device.events(after: cursor, wait: ConnectionLimits.news))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                repeat {
                    await self.wake.wait()
                    if !Task.isCancelled { self.takeOver() }
                } while !Task.isCancelled && self.isQuiet(after: cursor, known)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        return try outcome?.get()
    }

    /// Whether the request for news may go on waiting: nothing is to be told first, and nothing else to be asked for.
    private func isQuiet(after cursor: String, _ known: DeviceAnswer?) -> Bool {
        (try? journal.finishes())?.isEmpty == true && (try? journal.value(.cursor)) == cursor && device.answer == known
    }

    /// Tells the store of everything that the app has finished, until it has heard.
    package func tellFinishes() async {
        // What was finished while a round was about to end is told by the next.
        while (try? await tellFinishesOnce()) != nil, (try? journal.finishes())?.isEmpty == false, !Task.isCancelled {}
    }

    private func tellFinishesOnce() async throws(ConnectionError) {
        try await finishing.run { [self] () async throws(ConnectionError) in
            var isAny = false
            while let id = (try? journal.finishes())?.first, !Task.isCancelled {
                do throws(ConnectionError) {
                    try await repeating { () async throws(ConnectionError) in try await self.device.finish(id) }
                } catch {
                    // Of a transaction that the store does not know there is nothing to tell.
                    guard error.status == 404 else { throw error }
                }
                try? journal.acknowledge(id)
                isAny = true
            }
            if isAny { await renewReceipt() }
        }
    }
}
