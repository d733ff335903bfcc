import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreSigning

/// The developer's own server as the client asks it.
struct ServerConnection: Sendable {
    let client: HTTPClient
    /// Without a slash at its end.
    let address: String
    let policy: RetryPolicy

    /// Throws for an address to which secrets would go in the open.
    init(address: String, certificates: String?, policy: RetryPolicy) throws {
        let url: ClientURL
        do {
            url = try ClientURL(address)
        } catch {
            throw BackendClientError.invalid("The address of the server cannot be used: \(error.message)")
        }
        let isHere = url.host == "localhost" || url.address?.kind == .loopback
        guard url.isSecure || isHere else {
            throw BackendClientError.invalid(
                "Receipts and passwords are not sent in the open: the address of the server begins with https, unless it is on "
                    + "this machine.")
        }
        guard !address.contains("?"), !address.contains("#") else {
            throw BackendClientError.invalid("The address of the server has no query.")
        }
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        if let certificates { configuration.trust = TrustSettings(.file(certificates)) }
        client = HTTPClient(configuration)
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.policy = policy
    }

    /// A path from its parts, each of which is encoded.
    static func path(_ parts: String...) -> String { parts.map { "/" + PercentEncoding.encode($0) }.joined() }

    /// A query of what is not nil.
    static func query(_ items: KeyValuePairs<String, String?>) -> String {
        let pairs = items.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }

    /// A request; what carries a token is never redirected.
    func request(_ method: HTTPMethod, _ target: String, token: String? = nil) -> ClientRequest {
        var request = ClientRequest(method, address + target)
        if let token { request.fields["Authorization"] = "Bearer \(token)" }
        return request
    }

    /// Sends a request and returns the response if its status is one of these; throws what the server says otherwise.
    func send(_ request: ClientRequest, expecting statuses: Set<Int> = [200]) async throws -> ClientResponse {
        let response: ClientResponse
        do {
            response = try await client.send(request, limit: ClientLimit.answerBytes, retrying: policy)
        } catch let error as HTTPClientError {
            throw BackendClientError(error)
        }
        guard statuses.contains(response.status.rawValue) else { throw Self.error(in: response) }
        return response
    }

    func send<Answer: Decodable>(
        _ request: ClientRequest, expecting statuses: Set<Int> = [200], as type: Answer.Type
    ) async throws -> Answer {
        try Self.decode(type, try await send(request, expecting: statuses).body)
    }

    static func decode<Answer: Decodable>(_ type: Answer.Type, _ body: [UInt8]) throws -> Answer {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch {
            throw BackendClientError.notAServer
        }
    }

    /// What the server says of a refusal.
    private static func error(in response: ClientResponse) -> BackendClientError {
        struct Refusal: Decodable {
            struct Reason: Decodable {
                let code: String
                let message: String
            }

            let error: Reason
        }
        let status = response.status.rawValue
        let wait = response.fields["Retry-After"].flatMap(Int.init)
        guard let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(response.body)) else {
            // A gateway before the server answers in a form of its own.
            guard status >= 500 else {
                return BackendClientError(.malformedAnswer, "The server answers \(status).", status: status)
            }
            return BackendClientError(
                .unreachable, "The server answers \(status); try again later.", status: status, retryAfter: wait)
        }
        return BackendClientError(
            .init(rawValue: refusal.error.code), refusal.error.message, status: status, retryAfter: wait)
    }
}

extension ClientRequest {
    mutating func setBody(_ value: some Encodable) throws {
        fields["Content-Type"] = "application/json"
        body = .bytes(Array(try JSONEncoder().encode(value)))
    }

    /// Carries a proof of payment, which may be sent twice: the server records it once.
    mutating func setProof(_ proof: Data, _ encoding: ProofEncoding) throws {
        switch encoding {
        case .raw:
            fields["Content-Type"] = "application/octet-stream"
            body = .bytes(Array(proof))
        case .base64: try setBody(ProofRequest(proof: Base64.encode(proof)))
        }
        isRepeatableByItself = true
    }
}

/// How proofs of payment are sent.
// Closed: these are all the ways that the server takes.
public enum ProofEncoding: String, CaseIterable, Hashable, Sendable {
    /// As StoreKit gave them.
    case raw
    /// In Base64, in JSON: for what stands before the server and lets only text pass.
    case base64
}

/// What the client takes at most.
enum ClientLimit {
    /// An answer that is not content.
    static let answerBytes = 8 << 20
    /// A file of content.
    static let contentBytes: Int64 = 1 << 40
    /// A proof of payment.
    static let proofBytes = 4 << 20
    /// How often in a row a request fails before it is given up.
    static let attempts = 3
    /// How often in a row a download may bring no byte before it is given up.
    static let downloadAttempts = 8
    /// How long the server may send nothing of a download.
    static let silence = Duration.seconds(20)
    /// A record that the client keeps on the disk.
    static let recordBytes = 16 << 20
}
