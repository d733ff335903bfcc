import CommandOptions
import Foundation
import StoreHTTP
import StoreHTTPClient
import StoreServer

/// The way of a command to the store of a data directory: to the process that has it open, or, where none has, to the
/// same service here, while the lock keeps others out.
struct AdminConnection: Sendable {
    /// Whether another process has the store open.
    let isRunning: Bool
    private let transport: any HTTPTransport
    private let end: @Sendable () async -> Void

    /// - Parameter upkeep: what answers here; the store is not opened for it.
    static func open(_ directory: DataDirectory, _ upkeep: UpkeepSettings) async throws -> AdminConnection {
        try await open(directory) { _ in (try upkeep.service(directory), {}) }
    }

    /// - Parameter serve: makes what answers here, and what closes it.
    static func open(
        _ directory: DataDirectory,
        serving serve: (StoreLock) async throws -> (HTTPService, @Sendable () async -> Void)
    ) async throws -> AdminConnection {
        guard FileManager.default.fileExists(atPath: directory.path) else {
            throw CommandFailure(
                .inputMissing, "there is no store in \(directory.path); name its folder with --data")
        }
        guard let lock = try StoreLock(directory) else { return try await running(directory) }
        lock.describe("process \(getpid()), a command of its operator\n")
        let (service, close) = try await serve(lock)
        return AdminConnection(
            isRunning: false, transport: InMemoryTransport(service, clock: SystemClock.nanoseconds1970),
            end: {
                await close()
                withExtendedLifetime(lock) {}
            })
    }

    /// How long the process that has the store open may take to say that it is there.
    private static let greetingTime = Duration.seconds(5)

    private static func running(_ directory: DataDirectory) async throws -> AdminConnection {
        let folder = try SocketFolder(directory)
        try await greet(at: folder.path(of: directory.adminSocketName), directory)
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

    /// Throws if nobody answers: a process that hangs would otherwise be waited for, and another command has no socket.
    private static func greet(at path: String, _ directory: DataDirectory) async throws {
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
                "another process has the store in \(directory.path) open\(holder) and does not answer; wait until it has "
                    + "ended, or end it")
        }
    }

    func close() async { await end() }

    /// Asks for something that is answered in one piece.
    func ask<Answer: Decodable>(_ method: String, _ path: String, as type: Answer.Type) async throws -> Answer {
        let response = try await send(TransportRequest(method, path))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Asks for something that takes long, and hands on each line of the answer.
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

    /// Asks for something with an order, and answers what is said to it.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, _ order: some Encodable, as type: Answer.Type
    ) async throws -> Answer {
        let response = try await send(Self.request(method, path, try JSONEncoder().encode(order)))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Asks for something with bytes in JSON, and answers what is said to it.
    func ask<Answer: Decodable>(
        _ method: String, _ path: String, bytes: [UInt8], as type: Answer.Type
    ) async throws -> Answer {
        let response = try await send(Self.request(method, path, Data(bytes)))
        return try JSONDecoder().decode(type, from: Data(try await response.body.collect()))
    }

    /// Asks for something that is done without a word.
    func tell(_ method: String, _ path: String) async throws {
        _ = try await send(TransportRequest(method, path))
    }

    /// Asks for something with an order that is done without a word.
    func tell(_ method: String, _ path: String, _ order: some Encodable) async throws {
        _ = try await send(Self.request(method, path, try JSONEncoder().encode(order)))
    }

    private static func request(_ method: String, _ path: String, _ body: Data) -> TransportRequest {
        TransportRequest(method, path, fields: ["Content-Type": "application/json"], body: .collected(Array(body)))
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response: TransportResponse
        do {
            response = try await transport.send(request)
        } catch let error as HTTPClientError {
            throw CommandFailure(.unavailable, "the process that has the store open does not answer: \(error)")
        }
        guard (200..<300).contains(response.status.rawValue) else {
            let body = try await response.body.collect()
            let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(body))
            throw CommandFailure(
                Self.exitCode(response.status),
                refusal?.error.message ?? "the store answered \(response.status.rawValue)")
        }
        return response
    }

    private static func exitCode(_ status: HTTPStatus) -> ExitCode {
        switch status {
        case .badRequest, .contentTooLarge: .badData
        case .notFound: .inputMissing
        case .unavailable: .unavailable
        default: .failure
        }
    }

    private struct Refusal: Decodable {
        struct Reason: Decodable { let message: String }
        let error: Reason
    }
}
