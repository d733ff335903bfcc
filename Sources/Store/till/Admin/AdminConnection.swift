import CommandOptions
import Foundation
import StoreCatalogue
import StoreHTTP
import StoreHTTPClient
import StoreModel
import StoreServer

/// The connection of a command to the store of a data directory: to the process that has it open, or, if none has, to
/// the same service in this process, under the lock.
struct AdminConnection: Sendable {
    /// Whether another process has the store open.
    let isRunning: Bool
    let transport: any HTTPTransport
    private let end: @Sendable () async -> Void

    /// - Parameter end: closes the connection.
    init(isRunning: Bool, transport: any HTTPTransport, end: @escaping @Sendable () async -> Void) {
        self.isRunning = isRunning
        self.transport = transport
        self.end = end
    }

    /// - Parameter upkeep: makes the service in this process; it does not open the store.
    static func open(_ directory: DataDirectory, _ upkeep: UpkeepSettings) async throws -> AdminConnection {
        try await open(directory) { _ in (try upkeep.service(directory), {}) }
    }

    /// - Parameter serve: makes the service in this process, and the function that closes it.
    static func open(
        _ directory: DataDirectory,
        serving serve: (StoreLock) async throws -> (HTTPService, @Sendable () async -> Void)
    ) async throws -> AdminConnection {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw CommandFailure(
                .inputMissing,
                "there is no store in \(directory.path); name its folder with --data, or begin one: till dev --data "
                    + "\(directory.path)")
        }
        guard let lock = try StoreLock(directory) else { return try await running(directory) }
        lock.describe("process \(getpid()), \(StoreLock.command)\n")
        let (service, close) = try await serve(lock)
        return AdminConnection(
            isRunning: false, transport: InMemoryTransport(service, clock: SystemClock.nanoseconds1970),
            end: {
                await close()
                withExtendedLifetime(lock) {}
            })
    }

    /// The connection to the process that has the store open; nil if none has.
    static func ofRunning(_ directory: DataDirectory) async throws -> AdminConnection? {
        guard FileManager.default.fileExists(atPath: directory.path), try StoreLock(directory) == nil else {
            return nil
        }
        return try await running(directory)
    }

    /// How long the process that has the store open may take to respond.
    private static let greetingTime = Duration.seconds(5)

    private static func running(_ directory: DataDirectory) async throws -> AdminConnection {
        let folder = try SocketFolder(directory)
        try await checkResponse(at: folder.path(of: directory.adminSocketName), directory)
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        // A database is examined and copied for as long as it takes; the process at the other end is on this machine.
        configuration.timeouts = ClientTimeouts(idle: .seconds(24 * 60 * 60), total: nil)
        let client = HTTPClient(configuration)
        let path = folder.path(of: directory.adminSocketName)
        return AdminConnection(
            isRunning: true, transport: ClientTransport(client, origin: "http://till", socketPath: path),
            end: {
                await client.shutDown()
                withExtendedLifetime(folder) {}
            })
    }

    /// Throws if there is no response: the process may hang, or be another command without a socket.
    private static func checkResponse(at path: String, _ directory: DataDirectory) async throws {
        var configuration = HTTPClientConfiguration(addresses: .everywhere)
        configuration.timeouts = ClientTimeouts(connect: greetingTime, idle: greetingTime, total: greetingTime)
        let client = HTTPClient(configuration)
        do {
            try await client.send(ClientRequest(.get, "http://till/admin/v1/status", socketPath: path))
            await client.shutDown()
        } catch {
            await client.shutDown()
            let holder = StoreLock.description(directory).map { " (\($0))" } ?? ""
            throw CommandFailure(
                .unavailable,
                "another process has the store in \(directory.path) open\(holder) and does not answer; if it is just "
                    + "starting, try again, else wait until it has ended, or end it")
        }
    }

    func close() async { await end() }

    /// The same connection for commands that close theirs, while somebody else keeps it open.
    var lent: AdminConnection { AdminConnection(isRunning: isRunning, transport: transport, end: {}) }

    /// Sends a request and returns the whole response.
    func ask<Answer: Decodable>(_ method: String, _ path: String, as type: Answer.Type) async throws -> Answer {
        let response = try await send(TransportRequest(method, path))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Sends a request and returns the bytes of the whole response.
    func bytes(_ method: String, _ path: String) async throws -> [UInt8] {
        try await send(TransportRequest(method, path)).body.collect()
    }

    /// Sends a request that takes long, and passes on each line of the response.
    func follow(_ path: String, _ order: some Encodable, _ news: (AdminNews) throws -> Void) async throws {
        let body = try JSONEncoder().encode(order)
        let response = try await send(
            .post(path, String(decoding: body, as: UTF8.self), as: "application/json"))
        var rest: [UInt8] = []
        for try await piece in response.body {
            rest += piece
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                try news(AdminNews(line: rest[..<end]))
                rest.removeSubrange(...end)
            }
        }
    }

    /// Sends a value in JSON and decodes the response.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, _ order: some Encodable, as type: Answer.Type
    ) async throws -> Answer {
        let response = try await send(Self.request(method, path, try JSONEncoder().encode(order)))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Sends bytes, of JSON if nothing else is said, and decodes the response.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, bytes: [UInt8], of mediaType: String = "application/json",
        as type: Answer.Type
    ) async throws -> Answer {
        let response = try await send(
            TransportRequest(method, path, fields: ["Content-Type": mediaType], body: .collected(bytes)))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Sends a file while it is read, and decodes the response.
    ///
    /// - Parameter progress: told how many bytes were handed over.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, sending file: OpenFile, as type: Answer.Type,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Answer {
        let body = BodyStream()
        let reading = Task {
            do {
                var sent = 0
                while sent < file.length {
                    guard let piece = file.read(at: sent, count: min(Self.pieceBytes, file.length - sent)),
                        !piece.isEmpty
                    else { throw CommandFailure(.inputMissing, "the file cannot be read to its end") }
                    try await body.write(piece)
                    sent += piece.count
                    progress(Int64(sent))
                }
                body.finish()
            } catch {
                body.fail(error)
            }
        }
        defer { reading.cancel() }
        let fields: HTTPFields = [
            "Content-Type": "application/octet-stream", "Content-Length": "\(file.length)",
        ]
        let response = try await send(TransportRequest(method, path, fields: fields, body: .streaming(body)))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    private static let pieceBytes = 1 << 16

    /// Sends a request whose response is empty.
    func send(_ method: String, _ path: String) async throws {
        _ = try await send(TransportRequest(method, path))
    }

    /// Sends a value in JSON in a request whose response is empty.
    func send(
        _ method: String, _ path: String, _ order: some Encodable, fields: HTTPFields = HTTPFields()
    ) async throws {
        var request = Self.request(method, path, try JSONEncoder().encode(order))
        for field in fields.all { request.fields.add(field.name, field.value) }
        _ = try await send(request)
    }

    private static func request(_ method: String, _ path: String, _ body: Data) -> TransportRequest {
        TransportRequest(method, path, fields: ["Content-Type": "application/json"], body: .collected(Array(body)))
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await transport.send(request)
        } catch let error as HTTPClientError {
            throw CommandFailure(.unavailable, "the store does not answer: \(error)")
        }
        guard (200..<300).contains(response.status.rawValue) else {
            let body = try await response.body.collect()
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body))
            if let error = refusal?.error, error.code == RefusalCode.confirmationMissing.rawValue {
                throw CommandFailure(.usage, "\(error.message) If it is meant, say --yes.", refusal: error.code)
            }
            throw CommandFailure(
                Self.exitCode(response.status),
                refusal.map { FieldName.spelled(in: $0.error.message, about: $0.error.parameter) }
                    ?? "the store answered \(response.status.rawValue)", refusal: refusal?.error.code)
        }
        return response
    }

    private static func exitCode(_ status: HTTPStatus) -> ExitCode {
        switch status {
        case .badRequest, .contentTooLarge: .badData
        case .unauthorized: .noPermission
        case .notFound: .inputMissing
        case .unavailable: .unavailable
        default: .failure
        }
    }

    private struct Refusal: Decodable {
        struct Reason: Decodable {
            let code: String?
            let message: String
            let parameter: String?
        }
        let error: Reason
    }
}

extension AdminConnection {
    /// Everything of a list, a page at a time.
    func all<Item: Codable & Hashable & Sendable>(
        _ path: String, query: [String] = [], of type: Item.Type = Item.self
    ) async throws -> [Item] {
        var (found, after): ([Item], [String]) = ([], [])
        while true {
            let words = (query + ["limit=1000"] + after).joined(separator: "&")
            let page = try await ask("GET", "\(path)?\(words)", as: Page<Item>.self)
            found += page.items
            guard let next = page.next else { return found }
            after = ["after=\(next)"]
        }
    }
}
