import Foundation

/// Reading by the App Store Server API, from 64 connections, against the least that it can cost: nginx answers the same bytes,
/// and each signature in them is made.
struct ServerReadingRow: BenchmarkRow {
    static let all = [
        ServerReadingRow(
            "server-transaction", "A transaction by its number, signed, to the developer's server on 64 connections.",
            signatures: 1),
        ServerReadingRow(
            "server-history", "A page of 20 signed transactions, to the developer's server on 64 connections.",
            signatures: 20),
    ]

    let name: String
    let summary: String
    let reference = "nginx's answer, then openssl speed, sign"
    private let signatures: Int

    private static let customers = 2000
    private static let transactions = 512

    private init(_ name: String, _ summary: String, signatures: Int) {
        self.name = name
        self.summary = summary
        self.signatures = signatures
    }

    func prepare() throws -> Contest {
        let store = try StoreFolder(customers: Self.customers)
        try store.addHistories()
        let questions = try ServerQuestions(store, signatures == 1 ? Self.single : ServerQuestions.histories)
        let answer = try questions.first()
        guard answer.matches(of: /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/).count == signatures else {
            throw BenchmarkError("\(name) does not answer with \(signatures) signatures:\n\(answer.prefix(300))")
        }
        let files = try ServerFiles()
        try answer.write(to: files.folder.appendingPathComponent("file.bin"), atomically: true, encoding: .utf8)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Contest(
            ours: questions.contestant,
            reference: Succession([
                WrkContestant(try ServerProcess(nginxIn: files), "/file", clients: 64),
                Repeated(signatures, OpenSSLSpeed(.signing, cores: cores)),
            ]))
    }

    /// Transactions that lie apart evenly.
    private static var single: [String] {
        let step = Int64(customers * StoreFiller.purchasesPerCustomer / transactions)
        return (0..<Int64(transactions)).map {
            "/inApps/v1/transactions/\(StoreFiller.firstTransaction + 1 + $0 * step)"
        }
    }
}

/// What a million transactions of an app do to a page of a customer's history.
struct ServerHistoryGrowthRow: BenchmarkRow {
    let name = "server-history-growth"
    let summary =
        "The speed of a page of 20 transactions with 1 000 000 in the database, as a share of that with 1000."
    let reference = "the same speed"

    func prepare() throws -> Contest {
        func questions(_ store: StoreFolder) throws -> WrkContestant {
            try store.addHistories()
            return try ServerQuestions(store, ServerQuestions.histories).contestant
        }
        return Contest(
            ours: Growth(small: try questions(StoreFolder(customers: 200)), large: try questions(GrownStores.large())),
            reference: FixedRate(Rate(operations: 100, seconds: 1)))
    }
}

/// What a developer's server asks, again and again.
private struct ServerQuestions {
    private let server: ServerProcess
    private let token: String
    private let paths: [String]
    private let file: String

    init(_ store: StoreFolder, _ paths: [String]) throws {
        token = "Authorization: Bearer \(try store.serverToken())"
        self.paths = paths
        file = store.path + "/questions.txt"
        try (paths.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        server = try ServerProcess(store)
    }

    /// The histories of customers who have more than a page of them.
    static var histories: [String] {
        (1...Int64(StoreFiller.readers)).map { "/inApps/v2/history/\(StoreFiller.firstPeriod + $0)" }
    }

    /// The answer to the first of them.
    func first() throws -> String { try server.get(paths[0], fields: [token]) }

    var contestant: WrkContestant { WrkContestant(server, "/", clients: 64, fields: [token], paths: file) }
}
