import Foundation
import StoreSigning

/// Receipts that a developer's own server has verified by the store and recorded, against the store's answers alone.
struct RecordedReceiptsRow: BenchmarkRow {
    let name = "backend-receipts"
    let summary =
        "A developer's own server takes app receipts with five purchases, asks the store for each, and records them on SQLite."
    let reference = "verifyReceipt of the same receipts at the same store"

    /// More than are sent in one run, so that each is new to the server.
    private static let customers = 8000

    func prepare() throws -> Contest {
        let folder = try StoreFolder(customers: Self.customers)
        let receipts = try ReceiptBodies(folder, count: Self.customers)
        let proofs = folder.path + "/proofs.txt"
        try receipts.receipts.map { #"{"proof":"\#(Base64.encode($0))"}"# }.joined(separator: "\n")
            .write(toFile: proofs, atomically: true, encoding: .utf8)
        let store = try ServerProcess(folder)
        return Contest(
            ours: RecordedReceipts(store, bodies: proofs),
            reference: WrkContestant(store, "/verifyReceipt", clients: 64, bodies: receipts.path))
    }
}

/// What a large download does to the memory of `till backend serve`.
struct BackendDownloadMemoryRow: BenchmarkRow {
    let name = "backend-download-memory"
    let summary = "The most memory of till backend serve while it sends 2 GB to one user; how many fit into a gigabyte."
    let reference = "the same while it sends 2 MB"

    func prepare() throws -> Contest {
        Contest(
            ours: DownloadMemory(try OwnServerFolder(contentBytes: 2_000_000_000)),
            reference: DownloadMemory(try OwnServerFolder(contentBytes: 2_000_000)))
    }
}
