import StoreDatabase
import StoreLog
import StoreModel
package import StoreSigning

/// Keeps the keys with which an environment works as they are in their folder, and void what any server of its database has
/// revoked.
///
/// A revocation is written into the database, which tells every server at once; whoever misses that looks within
/// ``longestPause``. A server whose own certificate is void signs nothing until it has other keys.
package actor KeyWatch {
    /// How long it takes at most until a server looks for revocations.
    package static let longestPause = Duration.seconds(5)

    private let store: EnvironmentStore
    private let server: String?
    private let load: @Sendable () throws -> EnvironmentKeys
    private let take: @Sendable (EnvironmentKeys) throws -> Void
    private var keys: EnvironmentKeys
    private var revoked: Set<String> = []
    private var notedAt: Instant?

    /// - Parameters:
    ///   - keys: those that are in use.
    ///   - server: how this server is called among those of the database; nil where there are no others.
    ///   - load: reads the folder of the keys.
    ///   - take: has the environment work with other keys.
    package init(
        _ store: EnvironmentStore, _ keys: EnvironmentKeys, as server: String?,
        load: @escaping @Sendable () throws -> EnvironmentKeys,
        take: @escaping @Sendable (EnvironmentKeys) throws -> Void
    ) {
        self.store = store
        self.keys = keys
        self.server = server
        self.load = load
        self.take = take
    }

    /// Reads the folder anew, works with what it has, and lets all servers know what is void by it.
    package func refresh() async throws {
        let here = try load()
        let all = try await KeyRevocations.publish(here.revoked, at: store.clocks.wall(), in: store.database)
        // Once more: what came while the database was asked is the newest.
        keys = try load()
        try use(all)
        try await note()
    }

    /// The servers of the database, once all of them know what this one does, or have had the time for it.
    package func others() async throws -> [KeyRevocations.Server] {
        guard server != nil else { return [] }
        return try await KeyRevocations.wait(for: revoked.count, in: store.database, wall: store.clocks.wall)
    }

    /// Whether it knows all revocations of a server.
    package func isKnown(to other: KeyRevocations.Server) -> Bool { other.known >= revoked.count }

    /// Looks for what other servers revoke until the task is cancelled; does nothing where there are none.
    package func run() async {
        guard server != nil else { return }
        let place = store.waiters.place(for: KeyRevocations.subject, on: .keys)
        while !Task.isCancelled {
            do {
                try await place.pause(upTo: Self.longestPause)
                try await look()
            } catch is CancellationError {
                break
            } catch {
                store.log.error(
                    "keys.unknown", "It could not be looked whether keys were revoked.",
                    ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
            }
        }
    }

    /// Says that this server is there no more.
    package func leave() async {
        guard let server else { return }
        // Without it the others wait a while longer.
        _ = try? await store.database.write { try KeyRevocations.forget(server, in: $0) }
    }

    /// Looks once.
    package func look() async throws {
        let all = try await store.database.read { try KeyRevocations.all(in: $0) }
        if all != revoked {
            // Keys that were brought here meanwhile are taken, too.
            if let here = try? load() { keys = here }
            try use(all)
        } else if let notedAt, notedAt + KeyRevocations.heartbeat > store.clocks.wall() {
            return
        }
        try await note()
    }

    private func use(_ all: Set<String>) throws {
        let usable = try keys.revoking(all)
        try take(usable)
        revoked = all
        do {
            try store.signers.requireUsable()
        } catch {
            store.log.error(
                "keys.void", "Nothing is signed here any more, because the certificate was revoked.",
                ["environment": .text(store.environment.rawValue), "reason": "\(error)"])
        }
    }

    private func note() async throws {
        guard let server else { return }
        let now = store.clocks.wall()
        let signs = (try? store.signers.requireUsable()) != nil
        let state = KeyRevocations.Server(name: server, known: revoked.count, signs: signs)
        try await store.database.write { try KeyRevocations.note(state, at: now, in: $0) }
        notedAt = now
    }
}
