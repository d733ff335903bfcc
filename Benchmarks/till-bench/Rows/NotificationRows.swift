import Foundation
import StoreDatabase
import StoreHTTPListener

/// Notifications to a receiver that takes them at once, against what has to be done for each.
struct NotificationRow: BenchmarkRow {
    let name = "notifications"
    let summary =
        "4000 notifications of purchases wait and are sent to one receiver on this machine, each signed and noted durably."
    let reference = "wrk to the same receiver, then openssl speed, sign, then C: SQLite"

    static let path = "/notifications"
    /// How many the store sends to a receiver at once.
    private static let clients = 32
    /// The claim of one, the note of the attempt, and how it stands then.
    private static let writes = 3

    func prepare() throws -> Contest {
        let receiver = try ServerProcess(nginxIn: ServerFiles())
        let store = try NotifyingStore(sendingTo: receiver)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        return Contest(
            ours: store,
            reference: Succession([
                WrkContestant(receiver, Self.path, clients: Self.clients, bodies: store.bodies),
                Repeated(NotifyingStore.signatures, OpenSSLSpeed(.signing, cores: cores)),
                Repeated(Self.writes, try TurnsReference(in: TemporaryFolder())),
            ]))
    }
}

/// What a store takes that tries to reach a thousand receivers of which none ever answers.
struct DeadReceiversRow: BenchmarkRow {
    /// What it may take, in bytes.
    private static let limit = 100_000_000
    static let count = 1000

    let name = "notifications-dead"
    let summary =
        "A store that tries to reach 1000 receivers which never answer: how many fit into a gigabyte of memory."
    let reference = "the limit of 100 MB"

    func prepare() throws -> Contest {
        Contest(
            ours: try DeadReceivers(), reference: FixedRate(Rate(operations: 1, seconds: Double(Self.limit) / 1e9)))
    }
}

/// A thousand receivers at one address, where connections are taken and nothing is said.
private final class DeadReceivers: Contestant {
    private static let address = "127.0.0.1"
    /// Until each was tried: none answers within ten seconds, and hundreds are tried at once.
    private static let patience: UInt32 = 20

    private let socket: ListeningSocket

    init() throws {
        socket = try ListeningSocket(.tcp(Self.address, port: 0))
    }

    /// One measurement, however long it takes. The time of the rate is the memory in gigabytes.
    func run(seconds: Double) throws -> Rate {
        let store = try StoreFolder(customers: 1)
        let url = "http://\(socket.endpoint)\(NotificationRow.path)"
        try store.open { databases in
            try await databases.sandbox.write { transaction in
                try transaction.execute(StoreFiller.receivers, DeadReceiversRow.count, url)
                try transaction.execute(StoreFiller.notifications, DeadReceiversRow.count)
            }
        }
        let server = try ServerProcess(store)
        sleep(Self.patience)
        let tried = try store.open { databases in
            try await databases.sandbox.read {
                try $0.value("SELECT count(*) FROM notification_attempt", as: Int.self)
            }
        }
        guard tried > 0 else { throw BenchmarkError("nobody was tried to be reached") }
        return Rate(operations: 1, seconds: Double(try server.memory()) / 1e9)
    }
}
