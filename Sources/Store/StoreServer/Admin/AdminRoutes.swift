import Foundation
import StoreDatabase
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
                        let bytes = try await upkeep.backup.make(
                            at: order.destination, withKeys: order.withKeys, at: now(), progress: progress)
                        return .done(bytes: bytes)
                    }
                }),
        ]
    }

    /// Answers with a line for each step of something long, and one for its end.
    private static func stream(
        _ body: @escaping @Sendable (@escaping @Sendable (UpkeepProgress) throws -> Void) async throws -> AdminNews
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
