import Foundation
import StoreDatabase
import StoreKitTest
import StoreSQLite
import StoreService

/// Sessions of StoreKitTest, made of a configuration with one product.
final class TestSessions: Sendable {
    static let product = "com.example.monkey.coins"

    private let folder: TemporaryFolder
    private var file: URL { URL(fileURLWithPath: folder.path + "/Products.storekit") }

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.configuration.utf8).write(to: file)
    }

    func make() throws -> SKTestSession {
        let session = try SKTestSession(contentsOf: file)
        session.disableDialogs = true
        return session
    }

    private static let configuration = """
        {
          "identifier": "5C1A77E0", "nonRenewingSubscriptions": [], "subscriptionGroups": [],
          "products": [{
            "displayPrice": "0.99", "familyShareable": false, "internalID": "1", "productID": "\(product)",
            "referenceName": "Coins", "type": "Consumable",
            "localizations": [{ "description": "Five coins.", "displayName": "Coins", "locale": "en_US" }]
          }],
          "settings": { "_disableDialogs": true, "_locale": "en_US", "_storefront": "USA" },
          "version": { "major": 4, "minor": 0 }
        }
        """
}

/// The databases of a store in memory, with nothing but SQLite: opened, the statements of all migrations carried out, closed.
enum MemoryMigrations {
    static func contestant() throws -> any Contestant {
        let scripts = try StoreSchemas.current().all.map { schema in
            schema.migrations.flatMap { migration in migration.statements.map { $0.text(for: .sqlite) } }
        }
        return WallContestant { clock in
            try clock.measure {
                // All three are there at once, as in a session.
                let connections = try scripts.map { statements in
                    let connection = try SQLiteConnection(.memory)
                    for statement in statements { try connection.run(statement) }
                    return connection
                }
                withExtendedLifetime(connections) {}
            }
        }
    }
}

/// Many sessions at once in a process of their own, which stays.
///
/// `till-bench test-sessions COUNT` prints how many there are, stays until its input ends, and is not meant for people.
enum TestSessionProgram {
    static let word = "test-sessions"

    static func run(_ arguments: some Sequence<String>) -> Never {
        do {
            guard let count = Array(arguments).first.flatMap({ Int($0) }) else {
                throw BenchmarkError("the number of sessions is missing")
            }
            let sessions = try TestSessions()
            let all = try (0..<count).map { _ in try sessions.make() }
            print(all.count)
            fflush(nil)
            while readLine() != nil {}
            withExtendedLifetime(all) {}
        } catch {
            StandardError.print("till-bench \(word): \(error)")
            exit(1)
        }
        exit(0)
    }
}

/// The memory of a process with so many sessions, which is printed.
final class TestSessionMemory: Contestant {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    /// The time of the rate is the memory in gigabytes.
    func run(seconds: Double) throws -> Rate {
        let process = try ServerProcess(testSessions: count)
        let bytes = try process.memory()
        StandardError.print("\(count) sessions of StoreKitTest: \(bytes / 1_000_000) MB")
        return Rate(operations: 1, seconds: Double(bytes) / 1e9)
    }
}
