import CBenchReference
import Foundation
import StoreDatabase
import StoreModel
import StoreService

/// Sells and sells, at `till serve` as it is deployed, and holds against limits what must not grow with that: the memory of
/// the store and of its processor, the write-ahead log, and the time of a start.
final class PurchaseSoak {
    private static let clients = 16
    private static let customers = StoreFolder.clients
    /// How often it is looked.
    private static let samples = 40
    /// What memory may be in the last quarter, of what they were in the second.
    private static let growth = 1.15
    private static let tolerance = 16 * 1024 * 1024
    /// What SQLite's writer lets it become, and the pages of one commit.
    private static let longestLog = 64 << 20
    private static let longestStart = 1.0
    private static let checkMemory = 128 * 1024 * 1024

    private struct Sample {
        var sold = 0
        var store = 0
        var processor = 0
        var log = 0
        var seconds = 0.0
    }

    private let server: TillServer
    private let count: Int
    private var problems: [String] = []

    init(purchases: Int) throws {
        count = purchases
        server = try TillServer()
        try fill()
    }

    private func fill() throws {
        let folder = server.path + "/databases"
        try FirstThread.wait {
            let databases = try await StoreDatabases.sqlite(in: folder, .current())
            try await StoreFolder.fill(catalogue: databases.catalogue)
            try await databases.sandbox.write { transaction in
                for statement in StoreFiller.withoutPurchases { try transaction.execute(statement, Self.customers) }
            }
            try await StoreFolder.fillTokens(databases.sandbox)
            await databases.close()
        }
    }

    /// Sells, and says how it goes. Returns what was wrong.
    func run() throws -> [String] {
        let clock = ContinuousClock()
        let began = clock.now
        _ = try server.start { process, line in
            let clients = try Clients(line)
            var samples: [Sample] = []
            print("   sold      /s   store MB  processor MB  log MB")
            while (samples.last?.sold ?? 0) < count {
                var sample = Sample(sold: samples.last?.sold ?? 0)
                let (start, goal) = (clock.now, sample.sold + max(1, count / Self.samples))
                let before = sample.sold
                while sample.sold < goal { sample.sold += try clients.buy() }
                sample.seconds = (clock.now - start) / .seconds(1)
                sample.store = try ProcessMemory.resident(of: process)
                sample.processor = try ProcessMemory.resident(of: Self.child(of: process))
                sample.log = Self.size(server.path + "/databases/sandbox.sqlite-wal")
                samples.append(sample)
                let columns = [
                    sample.sold, Int(Double(sample.sold - before) / sample.seconds), sample.store >> 20,
                    sample.processor >> 20, sample.log >> 20,
                ]
                print(
                    zip(columns, [7, 8, 11, 14, 8]).map {
                        "\(String(repeating: " ", count: max(0, $1 - "\($0)".count)))\($0)"
                    }.joined())
                fflush(nil)
            }
            judge(samples, "the memory of the store", \.store)
            judge(samples, "the memory of the processor", \.processor)
            let longest = samples.map(\.log).max() ?? 0
            if longest > Self.longestLog { problems.append("the write-ahead log became \(longest >> 20) MB long") }
        }
        for way in ["after its end", "once more"] {
            let start = try server.start { _, line in
                let clients = try Clients(line)
                while try clients.buy() == 0 {}
            }
            print("started \(way) in \(start) s")
            if start > Self.longestStart {
                problems.append("a start took \(start) s, and may take \(Self.longestStart)")
            }
        }
        try checkLedger()
        print("\(count) purchases in \(Int((clock.now - began) / .seconds(1))) s")
        return problems
    }

    /// Holds the books against the processor's, as their owner does.
    private func checkLedger() throws {
        let (clock, process) = (ContinuousClock(), server.command(["ledger", "check"]))
        let start = clock.now
        try process.run()
        var memory = 0
        while process.isRunning {
            memory = max(memory, (try? ProcessMemory.resident(of: process.processIdentifier)) ?? 0)
            usleep(50_000)
        }
        print("books checked in \((clock.now - start) / .seconds(1)) s with \(memory >> 20) MB")
        if process.terminationStatus != 0 { problems.append("the books are not in order") }
        if memory > Self.checkMemory { problems.append("to check the books took \(memory >> 20) MB") }
    }

    private func judge(_ samples: [Sample], _ name: String, _ value: KeyPath<Sample, Int>) {
        let quarter = max(1, samples.count / 4)
        let early = samples.dropFirst(quarter).prefix(quarter).map { $0[keyPath: value] }.max() ?? 0
        let late = samples.suffix(quarter).map { $0[keyPath: value] }.max() ?? 0
        if Double(late) > Double(early) * Self.growth + Double(Self.tolerance) {
            problems.append("\(name) grew from \(early >> 20) to \(late >> 20) MB")
        }
    }

    private static func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    /// The test processor, which the store has started.
    private static func child(of process: Int32) throws -> Int32 {
        let threads = "/proc/\(process)/task"
        for thread in try FileManager.default.contentsOfDirectory(atPath: threads) {
            let children = try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
            if let child = children?.split(separator: " ").first.flatMap({ Int32($0) }) { return child }
        }
        throw BenchmarkError("the store has no processor")
    }

    private final class Clients {
        private let pointer: OpaquePointer

        /// - Parameter line: what the store says when it is ready.
        init(_ line: String) throws {
            struct Ready: Decodable { let sandbox: URL }
            let port = try JSONDecoder().decode(Ready.self, from: Data(line.utf8)).sandbox.port ?? 0
            guard let pointer = till_purchase_clients_new(Int32(port), Int32(PurchaseSoak.clients)) else {
                throw BenchmarkError("the clients cannot reach the store")
            }
            self.pointer = pointer
        }

        deinit { till_purchase_clients_free(pointer) }

        func buy() throws -> Int {
            let done = till_purchase_clients_run(pointer, 1)
            guard done > 0 else {
                throw BenchmarkError("a purchase failed: \(String(cString: till_purchase_clients_answer(pointer)))")
            }
            return Int(done)
        }
    }
}
