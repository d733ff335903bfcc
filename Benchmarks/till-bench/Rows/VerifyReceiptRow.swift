import Foundation

/// `POST /verifyReceipt` through everything that a request passes, against the least that it can cost.
struct VerifyReceiptRow: BenchmarkRow {
    let name: String
    let summary: String
    let reference = "nginx's answer, then C with OpenSSL"

    private let receipts: Int

    private static let customers = 2000

    /// More receipts than a store remembers, so that each is verified, as it is by the reference.
    static let unknown = VerifyReceiptRow(
        name: "verify-receipt",
        summary:
            "verifyReceipt of app receipts with five purchases that are not remembered, to 64 connections, on SQLite.",
        receipts: customers)
    /// As servers ask again and again about customers of theirs: the store remembers the receipts.
    static let known = VerifyReceiptRow(
        name: "verify-receipt-known",
        summary:
            "The same of 256 receipts again and again, which the store remembers; the reference verifies each time.",
        receipts: ReceiptBodies.count)

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        let bodies = try ReceiptBodies(store, count: receipts)
        let server = try ServerProcess(store)
        let answer = try server.post("/verifyReceipt", bodies.bodies[0])
        return Contest(
            ours: WrkContestant(server, "/verifyReceipt", clients: 64, bodies: bodies.path),
            reference: Succession([
                WrkContestant(
                    try ServerProcess(nginxIn: ServerFiles(), answer: answer), "/verifyReceipt", clients: 64,
                    bodies: bodies.path),
                try ReceiptPrimitives(bodies, key: store.keys),
            ]))
    }
}
