import StoreHTTP
package import StoreHTTPClient
package import StoreModel

/// A store that is reached over a network.
package final class NetworkConnection: StoreConnection {
    private let client: HTTPClient
    private let origin: String

    /// - Parameter trust: whom to believe on TLS.
    package init(_ address: StoreAddress, trust: TrustSettings = TrustSettings()) {
        origin = address.description
        // The address is that of the profile, which is believed.
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.product = "StoreKit"
        configuration.trust = trust
        configuration.timeouts.connect = ConnectionLimits.connect
        configuration.limits.collectedBodyBytes = ConnectionLimits.answerBytes
        client = HTTPClient(configuration)
    }

    package func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer {
        var sent = ClientRequest(
            HTTPMethod(rawValue: request.method), origin + request.target, fields: request.fields,
            body: request.body.map { .bytes($0) } ?? .empty)
        sent.isRepeatableByItself = request.isRepeatable
        let longest = ConnectionLimits.answer + request.wait
        sent.timeouts = ClientTimeouts(connect: ConnectionLimits.connect, idle: longest, total: longest)
        do {
            let response = try await client.send(sent)
            return StoreAnswer(
                status: response.status.rawValue, fields: StoreAnswer.fields(response.fields), body: response.body)
        } catch let error as HTTPClientError {
            throw ConnectionError(error)
        } catch {
            throw ConnectionError(.unreachable(mayHaveHappened: true), code: "failed", "The request failed.")
        }
    }
}

extension ConnectionError {
    init(_ error: HTTPClientError) {
        let kind: Kind =
            error.code == .cancelled
            ? .cancelled : .unreachable(mayHaveHappened: error.outcome != .notSent)
        self.init(kind, code: error.code.rawValue, error.message)
    }
}
