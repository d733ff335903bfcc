import StorageTestSupport
import StoreDatabase
import TestSupport
import Testing

@Suite("SQLite keeps what every database of ours keeps", .bounded)
struct SQLiteStorageTests {
    @Test("It holds in memory", arguments: StorageCase.all)
    func inMemory(_ example: StorageCase) async throws {
        try await example.check(SQLitePlace.memory)
        #expect(!SQLitePlace.memory.outlivesClosing)
    }

    @Test("It holds on disk", arguments: StorageCase.all)
    func onDisk(_ example: StorageCase) async throws {
        try await SQLitePlace.onDisk { place in
            try await example.check(place)
            #expect(place.outlivesClosing)
        }
    }
}
