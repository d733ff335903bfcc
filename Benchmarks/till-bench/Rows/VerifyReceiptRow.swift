import Foundation

/// `POST /verifyReceipt` through everything that a request passes, against the least that it can cost.
struct VerifyReceiptRow: BenchmarkRow {
    let name = "verify-receipt"
    let summary =
        "verifyReceipt of app receipts with five purchases, to 64 connections, with the books on SQLite on disk."
    let reference = "nginx's answer, then C with OpenSSL"

    private static let customers = 2000

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        let bodies = try ReceiptBodies(store)
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
