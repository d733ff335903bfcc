package import StoreHTTP
package import StoreModel
package import StoreService

/// What `till keys` asks of a store whose keys have changed.
package struct KeyRoutes: Sendable {
    private let watches: [StoreEnvironment: KeyWatch]

    package init(_ watches: [StoreEnvironment: KeyWatch]) {
        self.watches = watches
    }

    package var routes: [Route] {
        [
            .post(
                "/admin/v1/keys", body: BodyPolicy.none,
                suspending: { _ in
                    for watch in watches.values { try await watch.refresh() }
                    var servers: [KeyServerReport] = []
                    for (environment, watch) in watches.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                        for server in try await watch.others() {
                            servers.append(
                                KeyServerReport(
                                    environment: environment, name: server.name,
                                    hasTaken: await watch.isKnown(to: server), signs: server.signs))
                        }
                    }
                    return try .json(KeyReport(servers: servers))
                })
        ]
    }
}

/// How the servers of a store stand to its keys, once they had the time to take them.
package struct KeyReport: Codable, Sendable {
    /// Those that share the databases, this one among them; none where a store has one server.
    package let servers: [KeyServerReport]

    package init(servers: [KeyServerReport]) { self.servers = servers }
}

package struct KeyServerReport: Codable, Hashable, Sendable {
    package let environment: StoreEnvironment
    package let name: String
    /// Whether it knows everything that was revoked.
    package let hasTaken: Bool
    /// Whether it has keys that are not revoked.
    package let signs: Bool

    package init(environment: StoreEnvironment, name: String, hasTaken: Bool, signs: Bool) {
        self.environment = environment
        self.name = name
        self.hasTaken = hasTaken
        self.signs = signs
    }
}
