import Foundation
import StoreCatalogue
import StoreDatabase
import StoreLog
import StoreModel
import StoreService
import TestProcessor

/// A store on disk that sends notifications to one receiver on this machine.
final class NotifyingStore: Contestant {
    /// How many signatures are in one.
    static let signatures = 2
    /// How many are sent in a measurement, however long that takes.
    private static let count = 4000
    private static let perCommit = 250
    private static let sampled = 256

    /// Bodies as the receiver gets them, in a file with a line for each.
    let bodies: String
    private let folder: StoreFolder
    private let databases: StoreDatabases
    private let store: EnvironmentStore
    private let client = NotificationClient(reachingPrivateAddresses: true)
    private let receiver: ServerProcess

    init(sendingTo receiver: ServerProcess) throws {
        let folder = try StoreFolder(customers: Self.count)
        (self.folder, self.receiver) = (folder, receiver)
        let url = "http://127.0.0.1:\(receiver.port)\(NotificationRow.path)"
        let samples: [String]
        (databases, store, samples) = try FirstThread.wait {
            let databases = try await StoreFolder.databases(in: folder.path, nil)
            let store = try Self.store(in: folder, databases)
            let bundle = try BundleID(parsing: StoreFolder.bundle)
            _ = try await NotificationSettings(store).set(.init(url: url), app: bundle, store.cause(.owner))
            let forms = NotificationForms(store) { _ in [] }
            var samples: [String] = []
            for one in try await Self.write(1...Int64(Self.sampled), in: store) {
                samples.append(String(decoding: try await forms.body(of: one) ?? [], as: UTF8.self))
            }
            return (databases, store, samples)
        }
        bodies = folder.path + "/notifications.txt"
        try samples.joined(separator: "\n").write(toFile: bodies, atomically: true, encoding: .utf8)
    }

    private static func store(in folder: StoreFolder, _ databases: StoreDatabases) throws -> EnvironmentStore {
        var policy = StorePolicy.byTheCalendar
        policy.allowsPrivateNotifications = true
        return EnvironmentStore(
            .sandbox, of: databases,
            processor: try TestProcessorClient(
                socketPath: ProcessorProgram.socket(in: folder.path), secret: "secret"),
            signers: try EnvironmentSigners(folder.keys),
            clocks: StoreClocks(commerce: BenchClock.now, wall: BenchClock.now), passwords: PasswordGate(),
            policy: policy,
            log: Log(least: .warning, time: BenchClock.now) { StandardError.print(LogFormat.text.line(of: $0)) })
    }

    /// What sends the notifications of a store.
    static func sender(of store: EnvironmentStore, _ client: NotificationClient) -> NotificationSender {
        let forms = NotificationForms(store) { _ in [] }
        return NotificationSender(
            store, name: UUID().uuidString, body: { try await forms.body(of: $0) }, post: { try await client.post($0) })
    }

    /// Lets the receiver be told once more of so many purchases, each of which is a stream of its own.
    private static func write(
        _ numbers: ClosedRange<Int64>, in store: EnvironmentStore
    ) async throws -> [StoredNotification] {
        var written: [StoredNotification] = []
        for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: perCommit) {
            let part = first...min(first + Int64(perCommit) - 1, numbers.upperBound)
            written += try await store.database.write { transaction in
                try part.compactMap { number in
                    let id = try TransactionID(number: StoreFiller.firstTransaction + number)
                    guard let found = try Transactions.find(id, in: transaction) else { return nil }
                    let change = try store.cause(.store).change(of: found.customerID, in: transaction)
                    return try Notifications.append(.oneTimeCharge, about: NotificationSubject(found), change) {
                        var content = NotificationContent(bundleId: found.bundleID)
                        content.transaction = found.payload(
                            in: .sandbox, appTransaction: nil, signedAt: change.commerce)
                        return content
                    }
                }
            }
        }
        return written
    }

    func run(seconds: Double) throws -> Rate {
        let (store, client) = (store, client)
        return try FirstThread.wait {
            let count = try await Self.write(1...Int64(Self.count), in: store).count
            let waiting = try await Self.waiting(in: store)
            guard count == Self.count else { throw BenchmarkError("\(count) notifications were written") }
            let clock = ContinuousClock()
            let start = clock.now
            let work = Task { await Self.sender(of: store, client).run() }
            while try await Self.waiting(in: store) > 0 { try await Task.sleep(for: .milliseconds(5)) }
            let elapsed = (clock.now - start) / .seconds(1)
            work.cancel()
            await work.value
            let failed = try await store.database.read {
                try $0.value("SELECT count(*) FROM notification WHERE state <> 'delivered'", as: Int.self)
            }
            guard failed == 0 else { throw BenchmarkError("\(failed) notifications did not arrive") }
            return Rate(operations: waiting, seconds: elapsed)
        }
    }

    private static func waiting(in store: EnvironmentStore) async throws -> Int {
        try await store.database.read {
            try $0.value("SELECT count(*) FROM notification WHERE state IN ('waiting', 'due')", as: Int.self)
        }
    }
}
