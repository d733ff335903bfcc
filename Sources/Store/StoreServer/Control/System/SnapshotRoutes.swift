import StoreCatalogue
import StoreHTTP
package import StoreModel
package import StoreService

/// The snapshots of the sandbox by HTTP: they are listed and made. Putting one back needs the store stopped, and is a command.
struct SnapshotRoutes: Sendable {
    private let sales: EnvironmentStore
    private let shelf: SnapshotShelf

    init(_ sales: EnvironmentStore, _ shelf: SnapshotShelf) {
        (self.sales, self.shelf) = (sales, shelf)
    }

    var routes: [Route] {
        let (sales, shelf) = (sales, shelf)
        return [
            .get(
                "/control/v1/system/snapshots",
                suspending: { _ in
                    try sales.requireSandbox(Self.sandboxOnly)
                    return try .json(Page(shelf.list().map(SnapshotReport.init)))
                }
            )
            .described(
                "listSnapshots", "The snapshots of the sandbox, the newest first.", tag: "system",
                answers: [.init(.ok, "All of them.", .of(Page<SnapshotReport>.self))], refusals: [.sandboxOnly]),
            .post(
                "/control/v1/system/snapshots",
                suspending: { request in
                    try sales.requireSandbox(Self.sandboxOnly)
                    let wanted = try request.decode(NewSnapshotRequest.self)
                    let made = try await shelf.save(wanted.name, forRequestAt: sales.clocks.wall())
                    return try .json(SnapshotReport(made), status: .created)
                }
            )
            .described(
                "saveSnapshot",
                "Keep the sandbox as it is now, with its processor's log, while it goes on. It is put back by till snapshot "
                    + "restore, with the store stopped.", tag: "system", body: .of(NewSnapshotRequest.self),
                answers: [.init(.created, "It is kept.", .of(SnapshotReport.self))],
                refusals: [.sandboxOnly, .nameTaken]),
        ]
    }

    private static let sandboxOnly = "production has no snapshots: only the sandbox can go back"
}

/// A snapshot of the sandbox.
package struct SnapshotReport: Codable, Hashable, Sendable {
    package var name: String
    package var madeAt: Instant
    package var bytes: Int
    /// The version of the store that made it.
    package var version: String

    package init(_ entry: SnapshotShelf.Entry) {
        (name, madeAt, bytes, version) = (entry.name, entry.madeAt, entry.bytes, entry.version)
    }
}

/// The snapshot that is wanted.
package struct NewSnapshotRequest: Codable, Hashable, Sendable {
    /// 1 to 64 letters, digits, hyphens, periods and underscores.
    package var name: String
}
