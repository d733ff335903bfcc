import CommandOptions
import StoreHTTP
import StoreHTTPClient
import StoreModel

/// A store elsewhere, reached over its control interface by whoever shows a token: the paths are those of commands on this
/// machine, which begin with the name of an environment.
struct RemoteStore: HTTPTransport {
    private let transport: ClientTransport
    private let token: String

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        for environment in StoreEnvironment.allCases where request.target.hasPrefix("/\(environment.rawValue)/control/")
        {
            request.target.removeFirst(environment.rawValue.utf8.count + 1)
        }
        request.fields["Authorization"] = "Bearer \(token)"
        return try await transport.send(request)
    }

    /// The connection to the store that `--store` names; nil where it is that of a data directory.
    static func connection(_ arguments: ParsedArguments, _ context: CommandContext) throws -> AdminConnection? {
        guard let address = arguments[ContentStore.address] else { return nil }
        let origin = try ContentStore.origin(of: address)
        let token = try ContentStore.token(arguments, context)
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.proxy = .environment
        configuration.timeouts = ClientTimeouts(idle: .seconds(60), total: nil)
        if let file = arguments[ContentStore.authorities] { configuration.trust = TrustSettings(.file(file)) }
        return connection(origin, token, configuration)
    }

    /// The connection to a store of this machine by a token that was made for it.
    static func connection(_ address: String, token: String) throws -> AdminConnection {
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.timeouts = ClientTimeouts(idle: .seconds(60), total: nil)
        return connection(try ContentStore.origin(of: address), token, configuration)
    }

    private static func connection(
        _ origin: String, _ token: String, _ configuration: HTTPClientConfiguration
    ) -> AdminConnection {
        let client = HTTPClient(configuration)
        return AdminConnection(
            isRunning: true, transport: RemoteStore(transport: ClientTransport(client, origin: origin), token: token),
            end: { await client.shutDown() })
    }
}
