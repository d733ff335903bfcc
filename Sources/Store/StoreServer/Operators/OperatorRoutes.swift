package import StoreHTTP
package import StoreLog
package import StoreService

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
        let results = await ReadinessCheck.results(of: checks)
        for result in results {
            guard let problem = result.problem else { continue }
            log.warning(
                "readiness.failed", "A readiness check fails.", ["check": "\(result.name)", "reason": "\(problem)"])
        }
        let isReady = results.allSatisfy { $0.problem == nil }
        let told = results.map {
            JSONValue.members(["name": .string($0.name), "ready": .bool($0.problem == nil)])
        }
        var response = HTTPResponse.json(
            .members(["ready": .bool(isReady), "checks": .array(told)]), status: isReady ? .ok : .unavailable)
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
