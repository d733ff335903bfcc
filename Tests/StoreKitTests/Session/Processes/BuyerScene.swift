import Foundation
import StoreDatabase
import StoreHTTPClient
import StoreHTTPListener
import StoreModel
import StoreService
import Testing

@testable import StoreKit

/// A store over a socket, and a folder for the processes of one app.
struct BuyerScene: Sendable {
    /// How a process ended, and by what steps it came there.
    struct Run: Sendable {
        var lines: [String]
        var wasKilled: Bool
        /// How many payments it has begun to write down.
        var payments: Int { lines.count { $0.hasPrefix("journal INSERT INTO payment") } }
        /// Whether the last payment that it has begun to write down may not be written down.
        var isLastUncertain: Bool {
            guard let begun = lines.lastIndex(where: { $0.hasPrefix("journal INSERT INTO payment") }) else {
                return false
            }
            // The statement after the COMMIT says that this was carried out.
            return lines[begun...].count { $0.hasPrefix("journal ") } < 3
        }
    }

    let store: SessionStore
    private let address: String
    private let folder: URL
    private let profile: SessionProfile

    static func with(_ body: (BuyerScene) async throws -> Void) async throws {
        let store = try await SessionStore()
        var configuration = ListenerConfiguration(.tcp(port: 0), threads: 2)
        configuration.limits.farewellTime = .milliseconds(100)
        let listener = try HTTPListener(configuration, serving: store.service)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-buyer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let address = "http://127.0.0.1:\(try #require(listener.endpoint.port))"
            try await body(try await BuyerScene(store, address, folder))
            await listener.stop(within: .milliseconds(300))
        } catch {
            await listener.stop(within: .milliseconds(300))
            throw error
        }
    }

    private init(_ store: SessionStore, _ address: String, _ folder: URL) async throws {
        (self.store, self.address, self.folder) = (store, address, folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        profile = try await store.profile(at: address)
        try profile.text.write(
            to: folder.appendingPathComponent("profile"), atomically: true, encoding: .utf8)
    }

    /// Starts a process that buys so often.
    func start(buying count: Int, killedAt step: Int? = nil) throws -> BuyerProcess {
        var variables = [
            ProfileSearch.variable: folder.path + "/profile", "XDG_DATA_HOME": folder.path + "/data",
            "XDG_CONFIG_HOME": folder.path + "/config", "STOREKIT_ACCOUNT": SessionStore.email,
            "STOREKIT_PASSWORD": SessionStore.password,
            "STORE_BUYER_TIME": String(SessionTime.start.millisecondsSinceEpoch),
        ]
        variables["STORE_BUYER_KILL"] = step.map { String($0) }
        return try BuyerProcess([folder.path + "/deliveries", String(count), SessionStore.credits], variables)
    }

    /// Follows a process to its end. Once everything is settled and so many were delivered, it is to end, and its rivals too.
    func follow(_ process: BuyerProcess, until count: Int, rivals: [BuyerProcess] = []) async throws -> Run {
        var run = Run(lines: [], wasKilled: false)
        for await event in process.events {
            switch event {
            case .line(let line):
                run.lines.append(line)
                #expect(!line.hasPrefix("failed"), "\(run.lines.suffix(30))")
                guard line.hasPrefix("after ") || line == "removed" else { continue }
                if delivered.count >= count, try await isSettled {
                    for process in [process] + rivals { process.end() }
                }
            case .ended(let status, let errors):
                run.wasKilled = status == nil
                #expect(status == nil || status == 0, "\(errors)")
            }
        }
        return run
    }

    /// Buys with a process that nobody kills, or that kills itself at a step.
    func run(buying count: Int, killedAt step: Int? = nil, until delivered: Int) async throws -> Run {
        try await follow(try start(buying: count, killedAt: step), until: delivered)
    }

    /// Whether nothing is left to do: no payment open or unfinished, and nothing that the store was not told.
    var isSettled: Bool {
        get async throws {
            guard try await store.counts().unfinished == 0 else { return false }
            let own = "/sandbox-\(profile.store)/journal.sqlite"
            let path = folder.path + "/data/till/apps/" + profile.bundle.text + own
            guard FileManager.default.fileExists(atPath: path) else { return false }
            let journal = try Journal(at: path, report: { Issue.record("\($0)") })
            return try journal.payments().isEmpty && journal.finishes().isEmpty
        }
    }

    /// What the app has delivered, each as often as it did.
    var delivered: [String] {
        let text = (try? String(contentsOf: folder.appendingPathComponent("deliveries"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Judges what holds whoever was killed: all that was paid was paid once and delivered, nothing else, and all is finished.
    func judge(sold: ClosedRange<Int>, _ place: String) async throws {
        let counts = try await store.counts()
        #expect(sold.contains(counts.sold), "\(place)")
        #expect(counts.unfinished == 0, "\(place)")
        #expect(store.processor.charges == Array(repeating: 1, count: counts.sold), "\(place)")
        let ids = try await store.store.database.read { transaction in
            try transaction.query("SELECT id FROM store_transaction") { try $0.value(0, as: TransactionID.self) }
        }
        #expect(Set(delivered) == Set(ids.map(\.description)), "\(place)")
        let report = try await LedgerCheck(store.store.database, page: 1000).run(comparedWith: nil)
        #expect(report.problems == [], "\(place)")
    }
}
