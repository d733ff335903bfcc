import StoreHTTPListener
import StoreModel

/// The sockets of both environments, which listen before anything of a store is made or opened.
struct ListeningPlaces: Sendable {
    let production: ListeningSocket
    let sandbox: ListeningSocket
    /// Where certificates of both are asked about over plain HTTP, if that has a port of its own.
    let onlineChecks: ListeningSocket?
    /// Whether others have the usual ports, so that these are the next ones.
    let areOthers: Bool

    /// How many pairs of ports are tried.
    private static let mostTries = 50

    /// - Throws: a ``ListenerError`` if a port is taken that was asked for, or none of the next ones is free.
    init(_ settings: ServeSettings) throws(ListenerError) {
        onlineChecks = try settings.onlineChecks.listen.map { address throws(ListenerError) in
            try Self.socket(at: address)
        }
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

    /// Where the world reaches an environment.
    func address(of environment: StoreEnvironment, _ settings: ServeSettings) -> String {
        let (url, socket) =
            switch environment {
            case .production: (settings.publicURL, production)
            case .sandbox: (settings.sandboxPublicURL, sandbox)
            }
        return url?.description ?? "\(settings.tls == nil ? "http" : "https")://\(socket.endpoint)"
    }

    /// Where verifiers ask about the certificates of each environment.
    func onlineChecks(_ settings: ServeSettings) -> [StoreEnvironment: String] {
        settings.onlineChecks.addresses(
            { StoreAddress(address(of: $0, settings)) }, port: onlineChecks?.endpoint.port,
            speaksTLS: settings.tls != nil)
    }

    private static func socket(
        _ known: ListeningSocket? = nil, at address: ListenAddress
    ) throws(ListenerError) -> ListeningSocket {
        if let known { return known }
        return try ListeningSocket(.tcp(address.host, port: address.port))
    }
}
