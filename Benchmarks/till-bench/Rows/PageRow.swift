import Foundation
import StoreCatalogue
import StoreDatabase
import StoreService

/// A page of the console with 100 000 transactions in the books, one request after the other, against what a person does not
/// notice.
struct PageRow: BenchmarkRow {
    static let all = [
        PageRow("page-overview", "The overview", ""),
        PageRow("page-transactions", "The list of transactions", "/transactions"),
        PageRow(
            "page-unfinished", "The list of those that are not finished, of which there are none",
            "/transactions?standing=unfinished"),
        PageRow(
            "page-transaction", "The page of one transaction", "/transactions/\(StoreFiller.firstTransaction + 77)"),
    ]

    /// The slowest that a page may be, and the most bytes that the first one may take with its files, compressed as browsers ask.
    private static let limit = 0.05
    private static let bytes = 30_000
    private static let customers = 20_000
    static let session = "session-of-the-bench"

    let name: String
    let summary: String
    let reference = "the limit of 50 ms"
    private let path: String

    private init(_ name: String, _ what: String, _ path: String) {
        self.name = name
        summary = "\(what) of the console with 100 000 transactions: the slowest but a hundredth."
        self.path = path
    }

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        try store.open { databases in
            try await databases.catalogue.write { transaction in
                try OperatorSessions.beginOwner(
                    Self.session, client: "bench", at: BenchClock.start, in: transaction)
            }
        }
        let server = try ServerProcess(store)
        let cookie = "Cookie: till_console=\(Self.session)"
        let address = "http://127.0.0.1:\(server.port)"
        let page = try ChildProcess.output(
            of: "curl", ["--silent", "--fail", "--header", cookie, "\(address)/console/sandbox\(path)"])
        let files = Set(page.matches(of: /(?:href|src)="(\/assets\/[^"]+)"/).map { String($0.1) })
        let size = try (["/console/sandbox\(path)"] + files).reduce(0) { sum, place in
            sum + (try Self.size(of: address + place, cookie))
        }
        guard size <= Self.bytes else { throw BenchmarkError("\(name) takes \(size) bytes, more than \(Self.bytes)") }
        return Contest(
            ours: WrkContestant(
                server, "/console/sandbox\(path)", clients: 1, fields: [cookie], figure: .slowest),
            reference: FixedRate(Rate(operations: 1, seconds: Self.limit)))
    }

    /// The bytes that come over the network.
    private static func size(of address: String, _ cookie: String) throws -> Int {
        let text = try ChildProcess.output(
            of: "curl",
            [
                "--silent", "--fail", "--compressed", "--header", cookie, "--output", "/dev/null", "--write-out",
                "%{size_download}", address,
            ])
        guard let size = Int(text) else { throw BenchmarkError("\(address) has a size of \(text)") }
        return size
    }
}
