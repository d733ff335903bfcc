import Foundation

/// `POST /verifyReceipt` through everything that a request passes, against the least that it can cost.
struct VerifyReceiptRow: BenchmarkRow {
    let name: String
    let summary: String
    let reference = "nginx's answer, then C with OpenSSL"

    private let receipts: Int

    private static let customers = 2000

    /// As servers ask again and again about customers of theirs: the store remembers the receipts.
    static let known = VerifyReceiptRow(
        name: "verify-receipt",
        summary:
            "verifyReceipt of 256 app receipts with five purchases, again and again, to 64 connections, on SQLite.",
        receipts: ReceiptBodies.count)
    /// More receipts than a store remembers, so that each comes as if for the first time.
    static let unknown = VerifyReceiptRow(
        name: "verify-receipt-unknown",
        summary: "The same of more receipts than a store remembers, so that it verifies each of them.",
        receipts: customers)

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        let bodies = try ReceiptBodies(store, count: receipts)
        let server = try ServerProcess(store)
        let answer = try server.post("/verifyReceipt", bodies.bodies[0])
        return Contest(
            ours: WrkContestant(server, "/verifyReceipt", clients: 64, bodies: bodies),
            reference: Succession([
                WrkContestant(
                    try ServerProcess(nginxIn: ServerFiles(), answer: answer), "/verifyReceipt", clients: 64,
                    bodies: bodies),
                try ReceiptPrimitives(bodies, key: store.keys),
            ]))
    }
}
