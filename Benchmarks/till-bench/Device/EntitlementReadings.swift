import StoreKit
import StoreSigning

/// An app that reads `Transaction.currentEntitlements` to the end, where everything in a long history is owned.
enum EntitlementReadings {
    /// The first reading of a process: what was verified before is not remembered.
    static func cold(_ history: LongHistory) -> any Contestant {
        WallContestant { clock in
            let session = try history.device.begin()
            let context = SessionContext(session)
            return try FirstThread.wait {
                let time = try await read(context, clock)
                await session.shutDown()
                return time
            }
        }
    }

    /// One reading after the other in one process.
    static func warm(_ history: LongHistory) throws -> any Contestant {
        let context = SessionContext(try history.device.begin())
        return WallContestant { clock in
            // Its folder goes with it.
            try withExtendedLifetime(history) { try FirstThread.wait { try await read(context, clock) } }
        }
    }

    private static func read(_ context: SessionContext, _ clock: ContinuousClock) async throws -> Duration {
        try await CurrentSession.$own.withValue(context) {
            let begin = clock.now
            var count = 0
            for await result in Transaction.currentEntitlements {
                guard case .verified = result else { throw BenchmarkError("an entitlement is not verified") }
                count += 1
            }
            guard count == LongHistory.count else { throw BenchmarkError("there are \(count) entitlements") }
            return clock.now - begin
        }
    }

    /// The same signatures verified, one after the other, and nothing else.
    static func bare(_ history: LongHistory) throws -> any Contestant {
        let (roots, signed) = (try history.roots, history.all)
        return WallContestant { clock in
            try clock.measure {
                let verifier = try JWSVerifier(roots: roots)
                for signed in signed { _ = try verifier.verify(signed) }
            }
        }
    }
}

/// Launches of an app that reads `Transaction.updates`: a session begins, and everything that waits comes.
enum UpdateLaunches {
    static func contestant(_ history: LongHistory) -> any Contestant {
        WallContestant { clock in
            let begin = clock.now
            let session = try history.device.begin()
            let context = SessionContext(session)
            return try FirstThread.wait {
                try await CurrentSession.$own.withValue(context) {
                    var updates = Transaction.updates.makeAsyncIterator()
                    for _ in 0..<LongHistory.unfinished {
                        guard case .verified? = await updates.next() else {
                            throw BenchmarkError("an update is not verified")
                        }
                    }
                }
                let time = clock.now - begin
                await session.shutDown()
                return time
            }
        }
    }

    /// The launch of `storekit-launch`, by the same clock.
    static func original(_ history: LongHistory) -> any Contestant {
        WallContestant { clock in
            let begin = clock.now
            let session = try history.device.begin()
            let count = Launches.attach(session)
            let time = clock.now - begin
            guard count == LongHistory.unfinished else {
                throw BenchmarkError("a launch told of \(count) transactions")
            }
            try FirstThread.wait { await session.shutDown() }
            return time
        }
    }
}
