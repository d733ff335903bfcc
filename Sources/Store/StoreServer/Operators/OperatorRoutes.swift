package import StoreHTTP
package import StoreLog

/// What operators and their machines ask of each listener: is it alive, is it ready, how much does it do.
///
/// None of it tells anything of customers, and a failed check shows its name only; the log has the reason.
package struct OperatorRoutes: Sendable {
    private let checks: [ReadinessCheck]
    private let metrics: @Sendable () -> [MetricFamily]
    private let log: Log

    /// - Parameters:
    ///   - checks: what must be in order for `/readyz` to say so.
    ///   - metrics: the figures of the moment.
    package init(checks: [ReadinessCheck], metrics: @escaping @Sendable () -> [MetricFamily], log: Log) {
        self.checks = checks
        self.metrics = metrics
        self.log = log
    }

    package var routes: [Route] { [healthz, readyz, figures] }

    private var healthz: Route {
        .get("/healthz") { _ in .text("ok\n") }
            .documented(
                OperationDocumentation(
                    id: "health", summary: "Whether the process answers at all.", tag: "operators",
                    responses: [.init(.ok, "It does.")]))
    }

    private var readyz: Route {
        let (checks, log) = (checks, log)
        return Route.get("/readyz", suspending: { _ in await Self.readiness(checks, log) })
            .documented(
                OperationDocumentation(
                    id: "readiness", summary: "Whether the store can do business.", tag: "operators",
                    responses: [
                        .init(.ok, "Every check passes.", .json(Self.schema)),
                        .init(.unavailable, "Some check fails.", .json(Self.schema)),
                    ]))
    }

    private var figures: Route {
        let metrics = metrics
        return Route.get("/metrics") { _ in
            HTTPResponse(.ok, Array(MetricsText(metrics()).description.utf8), as: MetricsText.mediaType)
        }
        .documented(
            OperationDocumentation(
                id: "metrics", summary: "Figures in the text format of Prometheus.", tag: "operators",
                responses: [.init(.ok, "The figures of the moment.")]))
    }

    private static let schema = JSONSchema.object([
        "ready": .boolean(), "checks": .array(of: .object(["name": .string(), "ready": .boolean()])),
    ])

    private static func readiness(_ checks: [ReadinessCheck], _ log: Log) async -> HTTPResponse {
        var results: [JSONValue] = []
        var isReady = true
        for check in checks {
            var passes = true
            do {
                try await check.run()
            } catch {
                passes = false
                log.warning(
                    "readiness.failed", "A readiness check fails.", ["check": "\(check.name)", "reason": "\(error)"])
            }
            isReady = isReady && passes
            results.append(.members(["name": .string(check.name), "ready": .bool(passes)]))
        }
        var response = HTTPResponse.json(
            .members(["ready": .bool(isReady), "checks": .array(results)]), status: isReady ? .ok : .unavailable)
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}

/// Something that has to be in order for the store to do business.
package struct ReadinessCheck: Sendable {
    package let name: String
    /// Throws what is wrong.
    let run: @Sendable () async throws -> Void

    package init(_ name: String, run: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.run = run
    }
}
