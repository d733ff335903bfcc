import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreKit

/// Processes that buy content and download it over a line that breaks, killed for good, `kill -9`, at any step, and started again.
@Suite("A process that is killed while content comes", .serialized, .bounded)
struct KilledDownloadTests {
    private static let package = try? HostedPackage(
        SessionStore.jungle, length: RandomizedRun.isSoak ? 8 << 20 : 2 << 20)

    @Test("R6.7: the content is there whole, once, and hardly any of it came twice")
    func killed() async throws {
        let package = try #require(Self.package)
        var random = RandomizedRun.generator(named: "kills of a download")
        let steps = try await Self.run(package, kills: [], "nobody").first?.count ?? 0
        #expect(steps > 100)
        for round in 0..<(RandomizedRun.isSoak ? 100 : 3) {
            // Each launch is killed at a later step of its own, the last one not at all.
            let kills = (0..<2).map { _ in Int.random(in: 1...steps, using: &random) }
            let place = "round \(round), kills at \(kills), TILL_SEED=\(RandomizedRun.seed)"
            _ = try await Self.run(package, kills: kills, place)
        }
    }

    /// Runs a buyer until its content is delivered, again after every kill, and judges what is left. Returns the lines of each run.
    private static func run(_ package: HostedPackage, kills: [Int], _ place: String) async throws -> [[String]] {
        var runs: [[String]] = []
        let plan: CuttingProxy.Plan = { _, start in (64 << 10) - start % (64 << 10) }
        try await DownloadScene.with(package, plan: plan) { scene in
            let buyer = try Buyer(scene)
            for kill in kills + [nil] {
                // What was bought already is not bought again.
                let isBought = try await scene.store.counts().sold > 0 || runs.joined().contains("added")
                runs.append(try await buyer.run(buying: isBought ? 0 : 1, killedAt: kill))
                if try await buyer.isOver { break }
            }
            #expect(try package.isKept(in: buyer.library), "\(place): \(runs.map { $0.suffix(5) })")
            #expect(Set(buyer.delivered).count == 1, "\(place)")
            #expect(scene.store.processor.charges == [1], "\(place)")
            #expect(scene.proxy.bytes * 10 <= package.archive.count * 11, "\(place): \(scene.proxy.bytes)")
            #expect(!runs.joined().contains { $0.hasPrefix("failed") }, "\(place)")
        }
        return runs
    }
}

/// The processes of one app on one device.
private struct Buyer {
    private let scene: DownloadScene
    private var folder: String { scene.bench.folder.path }

    init(_ scene: DownloadScene) throws {
        self.scene = scene
        try scene.bench.profile.text.write(toFile: folder + "/profile", atomically: true, encoding: .utf8)
    }

    var library: ContentLibrary {
        get throws { try ContentLibrary(at: URL(fileURLWithPath: folder + "/deliveries.content")) }
    }

    var delivered: [String] {
        let text = (try? String(contentsOfFile: folder + "/deliveries", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Whether the content was delivered, and the store knows that it was finished.
    var isOver: Bool {
        get async throws {
            let counts = try await scene.store.counts()
            return !delivered.isEmpty && counts.sold == 1 && counts.unfinished == 0
        }
    }

    func run(buying count: Int, killedAt step: Int?) async throws -> [String] {
        var variables = [
            ProfileSearch.variable: folder + "/profile", "XDG_DATA_HOME": folder + "/xdg",
            "XDG_CONFIG_HOME": folder + "/config", "STOREKIT_ACCOUNT": SessionStore.email,
            "STOREKIT_PASSWORD": SessionStore.password,
            "STORE_BUYER_TIME": String(SessionTime.start.millisecondsSinceEpoch),
        ]
        variables["STORE_BUYER_KILL"] = step.map { String($0) }
        let process = try BuyerProcess([folder + "/deliveries", String(count), SessionStore.jungle], variables)
        var lines: [String] = []
        for await event in process.events {
            switch event {
            case .line(let line):
                lines.append(line)
                guard line.hasPrefix("after ") || line == "removed" || line == "waiting" else { continue }
                if try await isOver { process.end() }
            case .ended(let status, let errors): #expect(status == nil || status == 0, "\(errors)")
            }
        }
        return lines
    }
}

extension HostedPackage {
    /// Whether a library has exactly these files as the current version.
    fileprivate func isKept(in library: ContentLibrary) throws -> Bool {
        guard library.currentVersion(of: product) == version, let folder = library.folder(of: product) else {
            return false
        }
        return try files.allSatisfy { path, bytes in
            try Data(contentsOf: folder.appendingPathComponent(path)) == Data(bytes)
        }
    }
}
