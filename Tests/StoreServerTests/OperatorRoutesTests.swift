import Foundation
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import Synchronization
import Testing

@testable import StoreServer

@Suite("What operators ask of a listener (X6, X9)")
struct OperatorRoutesTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "the disk is on fire"
    }

    private func answer(
        _ path: String, checks: [ReadinessCheck] = [], metrics: [MetricFamily] = [], log: Log = .silent
    ) async throws -> (status: Int, type: String?, text: String) {
        let routes = OperatorRoutes(checks: checks, metrics: { metrics }, log: log).routes
        let service = HTTPService(routes, errors: JSONErrorForm(), report: { _, _ in })
        #expect(service.problems == [])
        let transport = InMemoryTransport(service, clock: { 0 })
        let response = try await transport.send(TransportRequest("GET", path))
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        return (response.status.rawValue, response.fields["Content-Type"], text)
    }

    @Test("healthz answers as long as the process does")
    func health() async throws {
        let broken = ReadinessCheck("database") { throw Broken() }
        let answer = try await answer("/healthz", checks: [broken])
        #expect(answer.status == 200 && answer.text == "ok\n")
    }

    @Test("readyz says yes when every check passes")
    func ready() async throws {
        let answer = try await answer("/readyz", checks: [ReadinessCheck("a") {}, ReadinessCheck("b") {}])
        #expect(answer.status == 200 && answer.type == "application/json")
        #expect(
            answer.text == #"{"ready":true,"checks":[{"name":"a","ready":true},{"name":"b","ready":true}]}"#)
    }

    @Test("readyz names the check that fails, and only the log says why")
    func notReady() async throws {
        let written = Mutex<[LogEntry]>([])
        let log = Log(
            time: { Instant(millisecondsSinceEpoch: 0) }, sink: { entry in written.withLock { $0.append(entry) } })
        let checks = [ReadinessCheck("a") { throw Broken() }, ReadinessCheck("b") {}]
        let answer = try await answer("/readyz", checks: checks, log: log)
        #expect(answer.status == 503)
        #expect(
            answer.text == #"{"ready":false,"checks":[{"name":"a","ready":false},{"name":"b","ready":true}]}"#)
        let entry = try #require(written.withLock { $0 }.first)
        #expect(entry.event == "readiness.failed" && entry.level == .warning)
        #expect(entry.fields == [.init("check", "a"), .init("reason", "the disk is on fire")])
    }

    @Test("metrics are of the moment, in the text format")
    func metrics() async throws {
        let answer = try await answer("/metrics", metrics: [MetricFamily("till_up", .gauge, help: "Up.", 1)])
        #expect(answer.status == 200 && answer.type == "text/plain; version=0.0.4; charset=utf-8")
        #expect(answer.text == "# HELP till_up Up.\n# TYPE till_up gauge\ntill_up 1\n")
    }

    @Test("Every route is described")
    func description() {
        let routes = OperatorRoutes(checks: [], metrics: { [] }, log: .silent).routes
        let document = OpenAPIDocument(title: "Till", version: "1", routes: routes)
        #expect(document.problems == [])
        for path in ["/healthz", "/readyz", "/metrics"] { #expect(document.json.text.contains("\"\(path)\"")) }
    }
}

extension Log {
    fileprivate static let silent = Log(time: { Instant(millisecondsSinceEpoch: 0) }, sink: { _ in })
}
