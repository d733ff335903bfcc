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
    func follow(_ process: BuyerProcess, until count: Int, rivals: [BuyerProcess] = []) async throws -> BuyerRun {
        var run = BuyerRun(lines: [], wasKilled: false)
        for await event in process.events {
            switch event {
            case .line(let line):
                run.lines.append(line)
                #expect(!line.hasPrefix("failed"), "\(run.lines.suffix(30))")
                guard line.hasPrefix("after ") || line == "removed" || line == "waiting" else { continue }
                if delivered.count >= count, try await isSettled {
                    for process in [process] + rivals { process.end() }
                }
            case .ended(let status, let errors):
                run.wasKilled = status == nil
                #expect(status == nil || status == 0, "\(errors)")
            }
        }
        try expectToldIsKept(run)
        return run
    }

    /// Buys with a process that nobody kills, or that kills itself at a step.
    func run(buying count: Int, killedAt step: Int? = nil, until delivered: Int) async throws -> BuyerRun {
        try await follow(try start(buying: count, killedAt: step), until: delivered)
    }

    private var sessionFolder: String {
        folder.path + "/data/till/apps/" + profile.bundle.text + "/sandbox-\(profile.store)"
    }

    /// What the processes have written down; nil if none has begun to.
    private func journal() throws -> Journal? {
        let path = sessionFolder + "/journal.sqlite"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try Journal(at: path, report: { Issue.record("\($0)") })
    }

    /// Whether the processes believe that nothing is left to do: no payment is open or unfinished, there is nothing that the
    /// store is to be told, and they have heard of everything that happened there. Whether they are right, ``judge(sold:_:_:)``
    /// says.
    var isSettled: Bool {
        get async throws {
            guard let journal = try journal() else { return false }
            let heard = try journal.value(.cursor).flatMap { EventCursor(text: $0) }?.number ?? 0
            guard try await store.eventCount() == heard else { return false }
            // In the order in which things go on: what is not here any more at one look is at the next, or done.
            return try journal.payments().isEmpty && journal.news(after: nil).waiting.isEmpty
                && journal.finishes().isEmpty
        }
    }

    /// What an app was told of is in the journal: were the process killed at this moment, the next one would know of it too.
    private func expectToldIsKept(_ run: BuyerRun) throws {
        guard !run.told.isEmpty else { return }
        let journal = try #require(try journal())
        for id in run.told {
            let kept = try TransactionID(id).flatMap { try journal.transaction($0) }
            #expect(kept != nil, "told of \(id) before it was written down: \(run.lines.suffix(10))")
        }
    }

    /// What the app has delivered, each as often as it did.
    var delivered: [String] {
        let text = (try? String(contentsOf: folder.appendingPathComponent("deliveries"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Judges what holds whoever was killed: all that was paid was paid once and delivered, nothing else, nothing again after
    /// it was finished, and all is finished.
    ///
    /// - Parameter runs: every process that there was.
    func judge(_ runs: [BuyerRun], _ place: String, others: Int = 0) async throws {
        let counts = try await store.counts()
        let sold = runs.map(\.sold)
        let (least, most) = (sold.map(\.lowerBound).reduce(others, +), sold.map(\.upperBound).reduce(others, +))
        #expect((least...most).contains(counts.sold), "\(place)")
        #expect(counts.unfinished == 0, "\(place)")
        #expect(store.processor.charges == Array(repeating: 1, count: counts.sold), "\(place)")
        let ids = try await store.store.database.read { transaction in
            try transaction.query("SELECT id FROM store_transaction") { try $0.value(0, as: TransactionID.self) }
        }
        #expect(Set(delivered) == Set(ids.map(\.description)), "\(place)")
        // Who was killed before the end of a delivery may have delivered or not; for all others it is once.
        let finished = runs.flatMap(\.finished)
        #expect(Set(finished).count == finished.count, "\(place): finished again: \(finished)")
        for run in runs { #expect(Set(run.delivered).count == run.delivered.count, "\(place): delivered again") }
        let report = try await LedgerCheck(store.store.database, page: 1000).run(comparedWith: nil)
        #expect(report.problems == [], "\(place)")
    }
}
