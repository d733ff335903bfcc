import Foundation
package import StoreHTTP
package import StoreModel
package import StoreService

/// What the commands of the operator ask of a store: over the socket in its data directory of the process that has it open,
/// or in memory where none has. Who may open that socket owns the store, so nobody is asked who they are.
package struct AdminRoutes: Sendable {
    private let status: AdminStatus
    private let upkeep: StoreUpkeep
    private let now: @Sendable () -> Instant

    /// - Parameter now: tells the time at which backups are made.
    package init(status: AdminStatus, upkeep: StoreUpkeep, now: @escaping @Sendable () -> Instant) {
        self.status = status
        self.upkeep = upkeep
        self.now = now
    }

    package var routes: [Route] {
        let (status, upkeep, now) = (status, upkeep, now)
        return [
            .get("/admin/v1/status") { _ in try .json(status) },
            .post("/admin/v1/database/check", suspending: { _ in try .json(await upkeep.examine()) }),
            .post(
                "/admin/v1/database/backup",
                suspending: { request in
                    let order = try request.decode(BackupRequest.self)
                    guard order.destination.hasPrefix("/") else {
                        throw APIError(
                            .badRequest, code: "destination_relative", "The destination of a backup is a full path.",
                            parameter: "destination")
                    }
                    return Self.stream { progress in
                        let bytes = try await upkeep.backUp(
                            to: order.destination, withKeys: order.withKeys, at: now(), progress: progress)
                        return .done(bytes: bytes)
                    }
                }),
        ]
    }

    /// Answers with a line for each step of something long, and one for its end.
    private static func stream(
        _ body: @escaping @Sendable (@escaping @Sendable (BackupProgress) throws -> Void) async throws -> AdminNews
    ) -> HTTPResponse {
        let stream = BodyStream()
        Task {
            do {
                let end = try await body { progress in
                    // Nobody waits for the result any more: a backup that nobody hears of is not made.
                    if stream.isReaderGone { throw CancellationError() }
                    _ = stream.write(AdminNews.progress(progress).line, drained: {})
                }
                try await stream.write(end.line)
                stream.finish()
            } catch {
                try? await stream.write(AdminNews.failed(error).line)
                stream.finish()
            }
        }
        return HTTPResponse(
            .ok, fields: ["Content-Type": "application/x-ndjson"], body: .stream(length: nil, stream))
    }
}

/// A line of an answer that takes long: how far it is, or how it ended.
package struct AdminNews: Codable, Hashable, Sendable {
    package var progress: BackupProgress?
    /// How many bytes the backup has, once it is made.
    package var bytes: Int?
    /// Why it was not made, as a code and a sentence.
    package var code: String?
    package var message: String?

    static func progress(_ progress: BackupProgress) -> AdminNews { AdminNews(progress: progress) }

    static func done(bytes: Int) -> AdminNews { AdminNews(bytes: bytes) }

    static func failed(_ error: any Error) -> AdminNews {
        AdminNews(code: StoreUpkeep.code(of: error), message: "\(error)")
    }

    /// The line with its end.
    var line: [UInt8] { ((try? JSONEncoder().encode(self)).map(Array.init) ?? []) + [UInt8(ascii: "\n")] }

    /// Reads a line.
    package init(line: some Sequence<UInt8>) throws {
        self = try JSONDecoder().decode(AdminNews.self, from: Data(line))
    }

    init(progress: BackupProgress? = nil, bytes: Int? = nil, code: String? = nil, message: String? = nil) {
        self.progress = progress
        self.bytes = bytes
        self.code = code
        self.message = message
    }
}

/// What a running store says of itself to the commands of its operator.
package struct AdminStatus: Codable, Hashable, Sendable {
    package let version: String
    package let process: Int32
    package let production: String?
    package let sandbox: String?
    package let database: String
    /// Where verifiers ask about certificates of an environment, by its name; none where nobody answers over plain HTTP.
    package let onlineChecks: [String: String]?

    package init(
        version: String, process: Int32, production: String?, sandbox: String?, database: String,
        onlineChecks: [String: String]? = nil
    ) {
        self.version = version
        self.process = process
        self.production = production
        self.sandbox = sandbox
        self.database = database
        self.onlineChecks = onlineChecks
    }
}

/// What a backup is asked for with.
package struct BackupRequest: Codable, Hashable, Sendable {
    /// The full path of a folder that is not there yet.
    package let destination: String
    package let withKeys: Bool

    package init(destination: String, withKeys: Bool) {
        self.destination = destination
        self.withKeys = withKeys
    }
}
