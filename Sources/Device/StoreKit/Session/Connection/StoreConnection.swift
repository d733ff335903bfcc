import StoreHTTP
package import StoreHTTPClient
package import StoreModel

/// Carries the requests of `/device/v1` to a store and brings its answers.
///
/// There is one for a store that is reached over a network and one for a store in the same process. Neither repeats
/// anything by itself, and both say of every failure what the store may have done.
package protocol StoreConnection: Sendable {
    func send(_ request: StoreRequest) async throws(ConnectionError) -> StoreAnswer

    /// Brings the archive of hosted content to a file, and goes on with what is there of it. To end it and keep what is there,
    /// cancel the task.
    func fetch(_ order: ContentOrder) async throws(DownloadError)
}

/// A request to a store.
package struct StoreRequest: Hashable, Sendable {
    package var method: String
    /// What follows `/device/v1`.
    package var path: String
    package var token: String?
    /// The key of a purchase, which makes repeated requests one.
    package var key: String?
    /// In JSON.
    package var body: [UInt8]?
    /// How long the store may let the request wait for news.
    package var wait: Duration
    /// Whether a repeated request changes nothing: it may be sent over a connection that turns out to be closed, and then
    /// once more over another.
    package var isRepeatable: Bool

    package init(
        _ method: String, _ path: String, token: String? = nil, key: String? = nil, body: [UInt8]? = nil,
        wait: Duration = .zero, isRepeatable: Bool = false
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.key = key
        self.body = body
        self.wait = wait
        self.isRepeatable = isRepeatable
    }
}

/// The answer of a store.
package struct StoreAnswer: Hashable, Sendable {
    package var status: Int
    /// The names in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    package init(status: Int, fields: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

extension StoreRequest {
    var target: String { "/device/v1" + path }

    var fields: HTTPFields {
        var fields = HTTPFields()
        fields["Accept"] = "application/json"
        if body != nil { fields["Content-Type"] = "application/json" }
        if let token { fields["Authorization"] = "Bearer \(token)" }
        if let key { fields["Idempotency-Key"] = key }
        return fields
    }
}

extension StoreAnswer {
    /// The fields of an answer that are looked at; the last of a name counts.
    static func fields(_ fields: HTTPFields) -> [String: String] {
        Dictionary(fields.all.map { ($0.name.lowercased(), $0.value) }) { $1 }
    }
}

/// A store that is reached over a network.
package final class NetworkConnection: StoreConnection {
    let client: HTTPClient
    let origin: String

    /// - Parameter trust: the certificates that TLS believes.
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

/// How much, and for how long.
enum ConnectionLimits {
    /// The most bytes of an answer: a page of 200 transactions of 8 kB, and as much again.
    static let answerBytes = 4 * 1024 * 1024
    /// How long a store may take to answer at once.
    static let answer = Duration.seconds(20)
    /// How long it may take to be reached.
    static let connect = Duration.seconds(4)
    /// How long a request waits for news.
    static let news = 25
    /// How often, and after what time each, it is asked whether another process has ended its registration.
    static let registrationInquiries = 1500
    static let registrationInquiry = Duration.milliseconds(20)
}
