import CBenchReference

/// Transactions of rows in SQLite, written in C on one thread: so many savepoints, then a durable commit.
final class SQLiteReference: Contestant {
    private let folder: TemporaryFolder
    private let pointer: OpaquePointer

    init(in folder: TemporaryFolder) throws {
        guard let pointer = till_sqlite_reference_new(folder.path + "/reference.sqlite") else {
            throw BenchmarkError("the C reference cannot open a database in \(folder.path)")
        }
        self.folder = folder
        self.pointer = pointer
    }

    deinit {
        till_sqlite_reference_free(pointer)
    }

    func run(seconds: Double) throws -> Rate {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start.advanced(by: .seconds(seconds))
        var done = 0
        while clock.now < end {
            guard
                till_sqlite_reference_commit(
                    pointer, Int32(StorageRow.writers), Int32(StorageRow.rowsPerTransaction), StorageRow.content,
                    Int32(StorageRow.content.count)) == 1
            else { throw BenchmarkError("the C reference cannot write") }
            done += StorageRow.writers
        }
        return Rate(operations: done, seconds: (clock.now - start) / .seconds(1))
    }
}
