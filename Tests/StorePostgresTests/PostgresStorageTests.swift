import StorageTestSupport
import StoreDatabase
import StorePostgres
import TestSupport
import Testing

@Suite("PostgreSQL keeps what every database of ours keeps", .bounded)
struct PostgresStorageTests {
    @Test("It holds in PostgreSQL", arguments: StorageCase.all)
    func holds(_ example: StorageCase) async throws {
        try await PostgresPlace.with { place in
            try await example.check(place)
            #expect(place.outlivesClosing)
        }
    }

    @Test("It holds behind a pooler that gives each transaction another session", arguments: StorageCase.all)
    func holdsPooled(_ example: StorageCase) async throws {
        try await PostgresPlace.with { place in
            var place = place
            place.settings.isPooled = true
            try await example.check(place)
        }
    }
}
