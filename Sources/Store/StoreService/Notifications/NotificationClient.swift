import StoreHTTP
package import StoreHTTPClient
package import StoreModel
import StoreRules

/// Makes one attempt: how the sender reaches a developer's server, and what stands for that in tests.
package typealias NotificationPost = @Sendable (NotificationRequest) async throws -> NotificationOutcome

/// What is sent to a developer's server in one attempt.
package struct NotificationRequest: Hashable, Sendable {
    package let app: AppID
    package let customer: CustomerID?
    package let id: NotificationID
    package let url: String
    package let body: [UInt8]

    package init(app: AppID, customer: CustomerID?, id: NotificationID, url: String, body: [UInt8]) {
        (self.app, self.customer, self.id, self.url, self.body) = (app, customer, id, url, body)
    }
}

/// Sends notifications by HTTP and HTTPS, and says in the words of the App Store what came of it.
///
/// Addresses are checked when a connection is made, after names were resolved. Redirections are never followed.
package final class NotificationClient: Sendable {
    private let client: HTTPClient
    private let isPrivate: Bool

    /// - Parameters:
    ///   - isPrivate: whether it may reach private networks and this machine.
    ///   - trust: whom it believes on TLS.
    package init(reachingPrivateAddresses isPrivate: Bool, trust: TrustSettings = TrustSettings()) {
        self.isPrivate = isPrivate
        var configuration = HTTPClientConfiguration(addresses: Self.addresses(isSecure: true, isPrivate: isPrivate))
        let total = NotificationLimits.timeout
        configuration.timeouts = ClientTimeouts(connect: total, idle: total, total: total)
        configuration.limits.connections = NotificationLimits.attempts.all
        configuration.limits.connectionsPerHost = NotificationLimits.attempts.all
        configuration.limits.queuedRequests = NotificationLimits.attempts.all * 2
        configuration.limits.transferBytes = 16 * 1024
        configuration.trust = trust
        client = HTTPClient(configuration)
    }

    package func shutDown() async { await client.shutDown() }

    /// Which addresses are reached: in the open only those of the own machine and network.
    static func addresses(isSecure: Bool, isPrivate: Bool) -> AddressGuard {
        let own: Set<AddressKind> = isPrivate ? [.loopback, .private, .shared] : []
        return AddressGuard(allowing: isSecure ? own.union([.public]) : own)
    }

    /// Makes an attempt. Throws only if none was made.
    package func post(_ request: NotificationRequest) async throws -> NotificationOutcome {
        let url: ClientURL
        do {
            url = try ClientURL(request.url)
        } catch {
            return NotificationOutcome(.other, detail: error.message)
        }
        var sent = ClientRequest(
            .post, url.text, fields: ["Content-Type": "application/json"], body: .bytes(request.body))
        sent.addresses = Self.addresses(isSecure: url.isSecure, isPrivate: isPrivate)
        sent.acceptsCompression = false
        // Receivers know a notification again, so a connection that was kept may be tried.
        sent.isRepeatableByItself = true
        do {
            return Self.outcome(
                of: try await client.send(sent, limit: NotificationLimits.answerBytes), from: url)
        } catch let error as HTTPClientError {
            guard let outcome = Self.outcome(of: error) else { throw CancellationError() }
            return outcome
        }
    }

    // MARK: In the words of the App Store

    /// The statuses that say that a notification has arrived.
    private static let success = 200...206

    static func outcome(of response: ClientResponse, from url: ClientURL) -> NotificationOutcome {
        let text = String(decoding: response.body.prefix(NotificationLimits.excerptBytes * 4), as: UTF8.self)
        return NotificationOutcome(
            result(response.status.rawValue, response.fields, from: url), status: response.status.rawValue, detail: text
        )
    }

    private static func result(_ status: Int, _ fields: HTTPFields, from url: ClientURL) -> SendAttemptResult {
        if success.contains(status) { return isReadable(fields.mediaType) ? .success : .unsupportedCharset }
        if (300...399).contains(status), let location = fields["Location"],
            let next = try? url.following(location), next.text == url.text
        {
            return .circularRedirect
        }
        return .unsuccessfulResponseCode
    }

    /// The sets of characters that an answer may be in.
    private static let characters: Set = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "latin1"]

    /// Whether the answer is in characters that are read. The text itself does not matter.
    private static func isReadable(_ mediaType: MediaType?) -> Bool {
        mediaType?.parameter("charset").map { characters.contains($0.lowercased()) } ?? true
    }

    /// Nil if no attempt was made, because of this program.
    static func outcome(of error: HTTPClientError) -> NotificationOutcome? {
        let status = error.status?.rawValue
        let result: SendAttemptResult
        switch error.code {
        case .cancelled, .shutDown, .queueFull: return nil
        // What follows was not read; the status says enough.
        case .responseTooLarge where status != nil:
            result = status.map { success.contains($0) } == true ? .success : .unsuccessfulResponseCode
        case .timedOut: result = .timedOut
        case .untrusted, .secureConnectionFailed: result = .tlsIssue
        case .nameUnknown, .unreachable, .addressRefused: result = .socketIssue
        case .connectionLost: result = error.hasBegun ? .prematureClose : .noResponse
        case .responseMalformed, .responseTooLarge: result = .invalidResponse
        default: result = .other
        }
        return NotificationOutcome(
            result, status: status, detail: result == .success ? nil : error.message)
    }
}
