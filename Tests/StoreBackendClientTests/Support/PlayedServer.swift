import Foundation
import StoreBackendClient
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import StoreModel
import StoreSigning
import TestSupport

/// A server whose answers a test plays, for what the real one does not do on demand.
struct PlayedServer: Sendable {
    typealias Answer = @Sendable (HTTPRequest) throws -> HTTPResponse

    private struct Stage: Sendable {
        var answers: [String: Answer] = [:]
        var asked: [HTTPRequest] = []
    }

    private let stage: Observed<Stage>
    let listener: HTTPListener
    let folder: URL

    var address: String { "http://127.0.0.1:\(listener.endpoint.port ?? 0)" }

    /// Runs a test with a server and a client.
    static func with(_ body: (PlayedServer, BackendClient) async throws -> Void) async throws {
        let stage = Observed(Stage())
        let service = HTTPService(
            [Route(.any, "/{path…}", body: .collected(limit: 1 << 20), handler: .immediate { try play($0, stage) })],
            errors: JSONErrorForm(), report: { _, _ in })
        var configuration = ListenerConfiguration(.tcp(port: 0), threads: 1)
        configuration.limits.farewellTime = .milliseconds(100)
        let listener = try HTTPListener(configuration, serving: service)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-client-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = PlayedServer(stage: stage, listener: listener, folder: folder)
        do {
            let client = try server.client()
            try await body(server, client)
            await client.close()
        } catch {
            await listener.stop(within: .milliseconds(300))
            throw error
        }
        await listener.stop(within: .milliseconds(300))
    }

    private static func play(_ request: HTTPRequest, _ stage: Observed<Stage>) throws -> HTTPResponse {
        let key = key(request.method, request.target.segments)
        let answer = stage.update { stage in
            stage.asked.append(request)
            return stage.answers[key]
        }
        guard let answer else { throw APIError(.notFound, code: "path_unknown", "There is nothing at this path.") }
        return try answer(request)
    }

    private static func key(_ method: HTTPMethod, _ segments: [String]) -> String {
        "\(method.rawValue) /\(segments.joined(separator: "/"))"
    }

    /// A client of the server, as one more start of the app has it.
    func client(appVersion: String? = "1.0", encoding: ProofEncoding = .raw) throws -> BackendClient {
        try BackendClient(
            address: address, bundleID: Played.bundle, appVersion: appVersion, folder: folder, encoding: encoding,
            policy: .none, downloadPolicy: RetryPolicy(attempts: 3, wait: { _ in }))
    }

    /// What the server answers from now on, by method and path: `GET /v1/balances`.
    func play(_ key: String, _ answer: @escaping Answer) { stage.update { $0.answers[key] = answer } }

    /// What the server was asked, without a name for all or by method and path.
    func asked(_ key: String) -> [HTTPRequest] {
        stage.value.asked.filter { Self.key($0.method, $0.target.segments) == key }
    }

    /// Has somebody sign in.
    func signIn(_ client: BackendClient, as name: String = "ann") async throws {
        play("POST /v1/sessions") { _ in
            try .json(
                SignedInAnswer(userId: "id of \(name)", name: name, token: "secret", expires: .latest), status: .created
            )
        }
        try await client.signIn(name: name, password: "long enough")
    }

    /// Offers content at its usual place.
    func offer(_ bytes: [UInt8], version: String = "1", answer: Answer? = nil) throws {
        let digest = Hexadecimal.encode(try DigestAlgorithm.sha256.digest(bytes))
        let path = "/v1/content/\(Played.issue)/versions/\(version)"
        play("POST /v1/content/\(Played.issue)") { _ in
            let offered = ContentAnswer(
                productId: try ProductID(parsing: Played.issue), name: "issue.txt", version: version,
                bytes: Int64(bytes.count), sha256: digest, path: path)
            var response = try HTTPResponse.json(offered, status: .seeOther)
            response.fields["Location"] = path
            return response
        }
        play("GET " + path) { request in
            if let answer { return try answer(request) }
            var response = HTTPResponse(.ok, bytes, as: "application/octet-stream")
            response.fields["ETag"] = "\"\(digest)\""
            response.fields["Accept-Ranges"] = "bytes"
            return response.narrowed(to: request) { "boundary" }
        }
    }
}

/// What the tests of the client speak of.
enum Played {
    static let bundle = "com.example.magazines"
    static let issue = "com.example.magazines.issue1"
    static let receipt = Data([0x7B, 0x00, 0xFF, 0x0A, 0x31])
}

/// The error that something ends with.
func failure(_ body: () async throws -> Void) async throws -> BackendClientError.Code? {
    do {
        try await body()
        return nil
    } catch let error as BackendClientError {
        return error.code
    }
}
