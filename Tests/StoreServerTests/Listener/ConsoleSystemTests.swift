import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

/// The pages and requests about the store as a program.
@Suite(.bounded) struct ConsoleSystemTests {
    @Test("X6: The page of the system says which check fails, why, and what the answers say of it too")
    func health() async throws {
        let time = BenchTime()
        let system = try StoreSystem.sample(problem: "the disk is on fire", wall: time.reading)
        let bench = try await ListenerBench(system: system)
        let owner = try await ConsoleVisitor.owner(bench)
        let page = try await owner.get("/system")
        #expect(page.status == 200, "\(page.text)")
        #expect(page.text.contains("the disk is on fire") && page.text.contains("1 of 2 checks fail"))
        #expect(page.text.contains("Nothing is due."))
        let answer = try await bench.control("GET", "/system")
        #expect(answer.json["isInOrder"] as? Bool == false)
        let checks = try #require(answer.json["checks"] as? [[String: Any]])
        #expect(checks.map { $0["name"] as? String } == ["disk", "sandbox database"])
        let whole = try await ListenerBench()
        #expect(try await whole.control("GET", "/system").json["isInOrder"] as? Bool == true)
    }

    @Test("X6: Work that was given up is named with its reason, and late work by its age")
    func backlog() async throws {
        let bench = try await ListenerBench()
        let now = bench.time.current
        try await bench.store.database.write { transaction in
            try WorkTable.schedule(
                Work("refund", "77", dueAt: now - .seconds(600), clock: .wall), in: transaction)
            try WorkTable.schedule(
                Work("subscription", "78", dueAt: now + .seconds(600)), in: transaction)
            try transaction.insert(
                into: "dead_work",
                [
                    "clock_id": ClockID.wall, "kind": "charge", "subject": "4711", "due_at": now, "attempt": 9,
                    "died_at": now, "last_error": "the processor laughs",
                ])
        }
        let page = try await ConsoleVisitor.owner(bench).get("/system")
        #expect(page.text.contains("1 piece of work is due, 1 was given up."))
        #expect(page.text.contains("the processor laughs") && page.text.contains("10 min ago"))
        let backlog = try #require(try await bench.control("GET", "/system").json["backlog"] as? [String: Any])
        let work = try #require(backlog["work"] as? [[String: Any]])
        #expect(work.map { $0["due"] as? Int } == [1, 0] && work.map { $0["scheduled"] as? Int } == [1, 1])
    }

    @Test("Settings say where each came from, and no secret")
    func settings() async throws {
        let bench = try await ListenerBench()
        let page = try await ConsoleVisitor.owner(bench).get("/system/settings")
        #expect(page.text.contains("2 of 3 settings were given"))
        for text in ["till.conf:3", "TILL_DATABASE", "(secret)", "127.0.0.1:8080"] { #expect(page.text.contains(text)) }
        let found = try #require(
            try await bench.control("GET", "/system/settings").json["items"] as? [[String: Any]])
        #expect(found.map { $0["source"] as? String } == ["default", "variable", "file"])
        #expect(found[1]["value"] == nil)
    }

    @Test("X11: Certificates are replaced from the page, and what the old ones signed goes on verifying")
    func rotation() async throws {
        let (time, keys) = (BenchTime(), try SampleKeys.copy())
        let before = try keys.keyring(.sandbox).current(.jws, .leaf)
        let bench = try await ListenerBench(system: .sample(keys: keys, wall: time.reading))
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.send("/system/keys/rotation", ["purpose": "jws"]).status == 303)
        let keyring = try keys.keyring(.sandbox)
        let after = try keyring.current(.jws, .leaf)
        #expect(after.number == before.number + 1)
        #expect(try keyring.current(.receipt, .leaf) == SampleKeys.folder().keyring(.sandbox).current(.receipt, .leaf))
        #expect(keyring.entries.allSatisfy { $0.revokedAt == nil })
        let answer = try await bench.control("POST", "/system/keys/rotation", [:])
        let made = try #require(answer.json["items"] as? [[String: Any]])
        #expect(made.count == 2, "\(answer.text)")
        let refused = try await bench.control("POST", "/system/keys/rotation", ["purpose": "all"])
        #expect(refused.code == "value_invalid")
    }

    @Test("Nobody but the store's own operators sees the system, and the sandbox's none of its backups")
    func rights() async throws {
        let bench = try await ListenerBench()
        let paths = ["/system", "/system/settings", "/system/backups"]
        for role in [OperatorTokens.Role.developer, .reviewer, .support, .finance] {
            let isMember = [.developer, .finance].contains(role)
            let visitor = try await ConsoleVisitor.visitor(bench, role, member: isMember)
            for path in paths { #expect(try await visitor.get(path).status == 403, "\(role) \(path)") }
        }
        let tester = try await ConsoleVisitor.visitor(bench, .operator)
        #expect(try await tester.get("/system").status == 200)
        for path in paths.dropFirst() { #expect(try await tester.get(path).status == 403, "\(path)") }
        #expect(try await tester.send("/system/backups").status == 403)
    }

    @Test("X10: A backup is made and looked into from the pages while nobody waits; damage is found by its file")
    func backups() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/till-shelf-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["", "/databases", "/keys"] {
            try FileManager.default.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
        }
        let databases = try await StoreDatabases.sqlite(in: folder + "/databases", .current())
        await databases.close()
        let time = BenchTime()
        let system = try StoreSystem.sample(in: folder, wall: time.reading)
        let bench = try await ListenerBench(system: system)
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await owner.get("/system/backups").text.contains("There is no backup"))
        #expect(try await owner.send("/system/backups", ["keys": "on"]).status == 303)
        await system.backups.settle()
        let name = try #require(await system.backups.list().first?.name)
        #expect(name == "2027-01-15T08-00-00Z")
        #expect(try await owner.send("/system/backups/\(name)/verification").status == 303)
        await system.backups.settle()
        let page = try await owner.get("/system/backups/\(name)")
        #expect(page.text.contains("files are as they were made, and the databases open"), "\(page.text)")
        #expect(page.text.contains("0 apps"))
        try FileManager.default.createDirectory(
            atPath: folder + "/backups/2026-01-01T00-00-00Z.partial", withIntermediateDirectories: true)
        #expect(try await owner.get("/system/backups").text.contains("can be removed"), "what was killed is named")
        let path = "\(folder)/backups/\(name)/databases/sandbox.sqlite"
        try FileHandle(forWritingTo: URL(fileURLWithPath: path)).write(contentsOf: Data("damage".utf8))
        #expect(try await bench.control("POST", "/system/backups/\(name)/verification").status == 202)
        await system.backups.settle()
        let damaged = try await bench.control("GET", "/system/backups/\(name)")
        let look = try #require(damaged.json["look"] as? [String: Any])
        #expect(look["isInOrder"] as? Bool == false && damaged.text.contains("databases/sandbox.sqlite"))
        for other in ["..", "2027", "%2e%2e%2fdatabases", ".hidden"] {
            let answer = try await bench.control("GET", "/system/backups/\(other)")
            #expect([400, 404].contains(answer.status), "\(other): \(answer.text)")
        }
    }

    @Test("A backup that cannot be made says why, and the next one may be made")
    func failed() async throws {
        let time = BenchTime()
        let system = try StoreSystem.sample(wall: time.reading)
        let bench = try await ListenerBench(system: system)
        let owner = try await ConsoleVisitor.owner(bench)
        for _ in 0..<2 {
            #expect(try await owner.send("/system/backups").status == 303)
            await system.backups.settle()
            let shelf = try await bench.control("GET", "/system/backups")
            let failure = try #require(shelf.json["failure"] as? [String: Any])
            #expect((failure["reason"] as? String)?.contains("/nonexistent") == true)
        }
        #expect(try await owner.get("/system/backups").text.contains("was not made"))
    }
}
