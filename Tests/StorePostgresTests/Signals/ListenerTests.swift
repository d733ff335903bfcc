import PostgresTestServer
import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("Signals through PostgreSQL", .bounded)
struct ListenerTests {
    @Test("Every process that shares the database hears a signal, and no other schema does")
    func shared() async throws {
        try await PostgresPlace.with { place in
            var elsewhere = place
            elsewhere.settings.schemaName = "elsewhere"
            let writer = try await place.openPostgres(.sample())
            let listener = try await place.openPostgres(.sample())
            let stranger = try await elsewhere.openPostgres(.sample())
            let signals = try await listener.signals(on: .accounts)
            let strange = try await stranger.signals(on: .accounts)
            try await writer.write { try $0.signal(Signal(.accounts, subject: "one two")) }
            try await stranger.write { try $0.signal(Signal(.accounts, subject: "strange")) }
            var (heard, overheard) = (signals.makeAsyncIterator(), strange.makeAsyncIterator())
            #expect(await heard.next() == Signal(.accounts, subject: "one two"))
            #expect(await overheard.next() == Signal(.accounts, subject: "strange"))
            for database in [writer, listener, stranger] { await database.close() }
        }
    }

    @Test("When the connection breaks that listens, it is made anew, and everybody hears that signals may be missing")
    func reconnects() async throws {
        try await PostgresPlace.with { place in
            try await place.withDatabase(.sample()) { database in
                var signals = try await database.signals(on: .accounts).makeAsyncIterator()
                let query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                let ended = try await place.cluster.run(query + " AND datname = '\(place.name)'")
                #expect(ended == ["t"])
                #expect(await signals.next() == Signal(missedOn: .accounts))
                try await database.write { try $0.signal(Signal(.accounts, subject: "after")) }
                #expect(await signals.next() == Signal(.accounts, subject: "after"))
            }
        }
    }

    @Test("A server that says nothing more is noticed by asking it now and then")
    func silence() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                var faulty = faulty
                faulty.settings.limits.listenerCheckMilliseconds = 20
                faulty.settings.limits.statementMilliseconds = 5000
                faulty.settings.limits.silenceMilliseconds = 1000
                try await faulty.withDatabase(.sample()) { database in
                    var signals = try await database.signals(on: .accounts).makeAsyncIterator()
                    // The question is an empty statement.
                    proxy.plan(.silence("Q\0\0\0\u{5}\0"))
                    #expect(await signals.next() == Signal(missedOn: .accounts))
                }
                #expect(proxy.struckCount == 1)
            }
        }
    }

    @Test("Where nobody can listen, the call says so, and a later one succeeds")
    func unreachable() async throws {
        try await PostgresPlace.with { place in
            try await place.through { proxy, faulty in
                var listening = place
                listening.settings.listeningAddress = faulty.settings.address
                try await listening.withDatabase(.sample()) { database in
                    proxy.shut()
                    let error = await #expect(throws: DatabaseError.self) {
                        _ = try await database.signals(on: .accounts)
                    }
                    #expect(error?.code == .unavailable)
                    #expect(error?.isRetryable == true)
                    proxy.open()
                    var listens = false
                    while !listens { listens = (try? await database.signals(on: .accounts)) != nil }
                }
            }
        }
    }
}
