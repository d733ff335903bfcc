import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreServer

/// The store that content is brought to: that of a data directory, or one elsewhere, into which an operator's or member's
/// token lets one in.
///
/// It may end and come back between two requests; ``StoreFailure/isTransient`` says that it is worth asking again.
actor ContentStore {
    static let address = Option<String?>.optional(
        "store", .text("URL"), environment: "TILL_STORE",
        help: "The address of a store elsewhere, such as https://store.example.com; else the store of --data.")
    static let tokenFile = Option<String?>.optional(
        "token-file", .file(), help: "A file with the token for that store; else the token is in TILL_TOKEN.")
    static let authorities = Option<String?>.optional(
        "ca-file", .file(), help: "Trust the certificates in this file, and no others, for that store.")

    /// What says which store elsewhere is meant.
    static let elsewhere: [any OptionDeclaration] = [address, tokenFile, authorities]
    static let options: [any OptionDeclaration] = AdminConnection.options + elsewhere

    static let exitCodes: [ExitCode] = [
        CatalogueOptions.missing, .unavailable.when("The store does not answer."),
        .noPermission.when("The token is missing or not accepted, or may not do this."),
    ]

    private enum Place {
        case directory(DataDirectory)
        case address(HTTPClient)
    }

    /// Where the control interface begins.
    nonisolated let base: String
    private let place: Place
    private let fields: HTTPFields
    private var connection: AdminConnection?
    private let remote: ClientTransport?

    private init(_ directory: DataDirectory, _ connection: AdminConnection) {
        base = CatalogueOptions.path
        place = .directory(directory)
        fields = HTTPFields()
        self.connection = connection
        remote = nil
    }

    private init(_ client: HTTPClient, origin: String, token: String) {
        base = "/control/v1"
        place = .address(client)
        fields = ["Authorization": "Bearer \(token)"]
        remote = ClientTransport(client, origin: origin)
    }

    /// Runs a closure with the store that the arguments name, and closes it in any case.
    static func with<Result: Sendable>(
        _ arguments: ParsedArguments, _ context: CommandContext, _ body: (ContentStore) async throws -> Result
    ) async throws -> Result {
        let store = try await open(arguments, context)
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw (error as? StoreFailure)?.failure ?? error
        }
    }

    private static func open(_ arguments: ParsedArguments, _ context: CommandContext) async throws -> ContentStore {
        guard let address = arguments[address] else {
            let connection = try await AdminConnection.openStore(arguments, context)
            return ContentStore(try DataDirectory.ofStore(arguments), connection)
        }
        let origin = try origin(of: address)
        let token = try token(arguments, context)
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.proxy = .environment
        // A part of a package may take long on a slow line.
        configuration.timeouts = ClientTimeouts(idle: .seconds(60), total: nil)
        if let file = arguments[authorities] { configuration.trust = TrustSettings(.file(file)) }
        return ContentStore(HTTPClient(configuration), origin: origin, token: token)
    }

    /// Scheme, host and port. A token is sent in the clear to this machine only.
    static func origin(of address: String) throws -> String {
        guard let url = URLComponents(string: address), let scheme = url.scheme?.lowercased(), let host = url.host,
            !host.isEmpty, url.user == nil, url.query == nil, ["", "/"].contains(url.path)
        else {
            throw CommandFailure(.usage, "--store is the address of a store, such as https://store.example.com")
        }
        let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
        guard scheme == "https" || scheme == "http" && isHere else {
            throw CommandFailure(.usage, "--store has to begin with https://, or the token could be read on its way")
        }
        return "\(scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }

    /// The token for the store elsewhere.
    static func token(_ arguments: ParsedArguments, _ context: CommandContext) throws -> String {
        var text = context.environment["TILL_TOKEN"] ?? ""
        if let file = arguments[tokenFile] {
            text = String(decoding: try InputFile.read(file, limit: 4096), as: UTF8.self)
        } else if text.isEmpty, let ask = context.ask {
            text = try ask("Token for the store: ")
        }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !token.isEmpty, token.utf8.count <= 4096, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure(
                .noPermission,
                "a store elsewhere wants a token: set TILL_TOKEN or --token-file; an operator makes one with "
                    + "till control-token create NAME")
        }
        return token
    }

    func close() async {
        await connection?.close()
        if case .address(let client) = place { await client.shutDown() }
    }

    // MARK: Requests

    /// Sends a request and decodes the response.
    func ask<Answer: Decodable & Sendable>(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, fields: HTTPFields = HTTPFields(),
        as type: Answer.Type
    ) async throws -> Answer {
        let bytes = try await send(method, path, body, fields: fields)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw StoreFailure(.failure, "the store answered in a way that this version of till does not understand")
        }
    }

    /// Sends a request and returns the bytes of the response.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, fields more: HTTPFields = HTTPFields()
    ) async throws -> [UInt8] {
        var request = TransportRequest(method, base + path, fields: fields)
        for field in more.all { request.fields.add(field.name, field.value) }
        if let body {
            request.body = .collected(body)
            if request.fields["Content-Type"] == nil { request.fields["Content-Type"] = "application/json" }
        }
        let (status, bytes) = try await answer(to: request)
        guard (200..<300).contains(status.rawValue) else { throw StoreFailure(status, bytes) }
        return bytes
    }

    private func answer(to request: TransportRequest) async throws -> (HTTPStatus, [UInt8]) {
        do {
            let response = try await transport().send(request)
            return (response.status, try await response.body.collect())
        } catch let error as HTTPClientError {
            await connection?.close()
            connection = nil
            let isFinal: Set<HTTPClientError.Code> = [
                .untrusted, .settings, .requestMalformed, .addressRefused, .cancelled,
            ]
            throw StoreFailure(
                .unavailable, "the store does not answer: \(error)", isTransient: !isFinal.contains(error.code))
        }
    }

    /// How requests reach the store now. Once its process has ended, a command waits for another rather than to open the
    /// store itself, which would keep that process out.
    private func transport() async throws -> any HTTPTransport {
        if let remote { return remote }
        if let connection { return connection.transport }
        guard case .directory(let directory) = place else {
            throw StoreFailure(.unavailable, "the store does not answer")
        }
        do {
            guard let found = try await AdminConnection.ofRunning(directory) else {
                throw StoreFailure(
                    .unavailable, "the store in \(directory.path) does not run any more", isTransient: true)
            }
            connection = found
            return found.transport
        } catch let failure as CommandFailure {
            throw StoreFailure(failure.exitCode, failure.message, isTransient: failure.exitCode == .unavailable)
        }
    }
}

/// Why a store did not do what it was asked.
struct StoreFailure: Error {
    let failure: CommandFailure
    let status: HTTPStatus?
    /// Whether asking again may help.
    let isTransient: Bool

    init(_ code: ExitCode, _ message: String, isTransient: Bool = false) {
        failure = CommandFailure(code, message)
        status = nil
        self.isTransient = isTransient
    }

    /// For a response that is a refusal.
    init(_ status: HTTPStatus, _ body: [UInt8]) {
        struct Refusal: Decodable {
            struct Reason: Decodable { let message: String }
            let error: Reason
        }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body))
        let message =
            refusal.map { "\(PrintableText($0.error.message, limit: 1000))" } ?? "the store answered \(status.rawValue)"
        failure = CommandFailure(Self.exitCode(status.rawValue), message)
        self.status = status
        isTransient = [408, 425, 429, 500, 502, 503, 504].contains(status.rawValue)
    }

    private static func exitCode(_ status: Int) -> ExitCode {
        switch status {
        case 400, 413: .badData
        case 401, 403: .noPermission
        case 404: .inputMissing
        case 408, 425, 429, 500, 502, 503, 504: .unavailable
        default: .failure
        }
    }
}

extension ContentStore {
    /// Everything of a list, a page at a time.
    func all<Item: Codable & Hashable & Sendable>(_ path: String, of type: Item.Type = Item.self) async throws -> [Item]
    {
        var (found, after): ([Item], String) = ([], "")
        while true {
            let page = try await ask("GET", "\(path)?limit=1000\(after)", as: Page<Item>.self)
            found += page.items
            guard let next = page.next else { return found }
            after = "&after=\(next)"
        }
    }

    nonisolated static func path(_ bundle: BundleID, _ product: ProductID) -> String {
        "/apps/\(bundle)/products/\(product)/content"
    }
}
