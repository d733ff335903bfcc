import StoreHTTPListener

/// The sockets of both environments, which listen before anything of a store is made or opened.
struct ListeningPlaces: Sendable {
    let production: ListeningSocket
    let sandbox: ListeningSocket
    /// Whether others have the usual ports, so that these are the next ones.
    let areOthers: Bool

    /// How many pairs of ports are tried.
    private static let mostTries = 50

    /// - Throws: a ``ListenerError`` if a port is taken that was asked for, or none of the next ones is free.
    init(_ settings: ServeSettings) throws(ListenerError) {
        // What was asked for does not move, so it comes first.
        let fixed = (
            production: settings.movesProduction ? nil : try Self.socket(at: settings.production),
            sandbox: settings.movesSandbox ? nil : try Self.socket(at: settings.sandbox)
        )
        var tries = 0
        while true {
            let distance = 2 * tries
            do throws(ListenerError) {
                let first = try Self.socket(fixed.production, at: settings.production.moved(by: distance))
                let second = try Self.socket(fixed.sandbox, at: settings.sandbox.moved(by: distance))
                (production, sandbox, areOthers) = (first, second, tries > 0)
                return
            } catch {
                tries += 1
                guard error.code == .addressInUse, tries < Self.mostTries,
                    settings.movesProduction || settings.movesSandbox
                else { throw error }
            }
        }
    }

    private static func socket(
        _ known: ListeningSocket? = nil, at address: ListenAddress
    ) throws(ListenerError) -> ListeningSocket {
        if let known { return known }
        return try ListeningSocket(.tcp(address.host, port: address.port))
    }
}
