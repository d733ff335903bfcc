import Foundation
import StorageTestSupport
import StoreFoundation
import TestSupport
import Testing

@testable import StoreDatabase

@Suite("Connections for whoever reads on a thread of their own", .bounded)
struct LendingReadersTests {
    private func readers(_ place: SQLitePlace, limit: Int) async throws -> LendingReaders {
        let path = try #require(place.path)
        await (try place.open(.sample(), DatabaseLimits())).close()
        return LendingReaders(limit: limit) { try SQLiteReader(reading: path, DatabaseLimits()) }
    }

    @Test("There are as many as the limit says, and each is lent again")
    func limit() async throws {
        try await SQLitePlace.onDisk { place in
            let readers = try await readers(place, limit: 2)
            for _ in 0..<3 {
                let depth = readers.lend { _ in readers.lend { _ in readers.lend { _ in 3 } ?? 2 } ?? 1 }
                #expect(depth == 2)
            }
            await readers.close()
        }
    }

    @Test("One that cannot be opened is not lent, and takes nobody's place")
    func unopened() async throws {
        let readers = LendingReaders(limit: 1) { try SQLiteReader(reading: "/nowhere/at/all", DatabaseLimits()) }
        for _ in 0..<3 { #expect(readers.lend { _ in true } == nil) }
        await readers.close()
    }

    @Test("Closing waits for the one that is lent, and nothing is lent afterwards")
    func closing() async throws {
        try await SQLitePlace.onDisk { place in
            let readers = try await readers(place, limit: 2)
            // What waits for a task is on no thread that tasks need.
            async let isReadable = OwnThread.run(named: "reader") {
                readers.lend { reader in
                    Task { await readers.close() }
                    while readers.lend({ _ in true }) != nil { sched_yield() }
                    return (try? reader.read { try $0.accountNames() }) == []
                }
            }
            #expect(await isReadable == true)
            await readers.close()
            #expect(readers.lend { _ in true } == nil)
        }
    }
}
