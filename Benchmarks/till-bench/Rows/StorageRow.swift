import StoreDatabase

struct StorageRow: BenchmarkRow {
    let name = "storage-transactions"
    let summary = "64 writers each make transactions of 10 rows in SQLite, durable before each goes on; by the wall."
    let reference = "C: SQLite, 64 savepoints of 10 rows in one durable commit"

    static let writers = 64
    static let rowsPerTransaction = 10
    /// What a row carries beside its numbers.
    static let content = [UInt8](repeating: 0x2A, count: 120)

    func prepare() throws -> Contest {
        let folder = try TemporaryFolder()
        return Contest(
            ours: StorageContestant(
                try SQLiteDatabase(path: folder.path + "/ours.sqlite", schema: StorageContestant.schema()), in: folder),
            reference: try SQLiteReference(in: folder))
    }
}
