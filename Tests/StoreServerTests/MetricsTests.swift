import Foundation
import Testing

@testable import StoreServer

@Suite("Figures for operators (X9)")
struct MetricsTests {
    @Test("The text names, explains and types each family before its figures")
    func text() {
        let families = [
            MetricFamily("till_up", .gauge, help: "Whether it is \\ up\nor not.", 1),
            MetricFamily(
                "till_sales_total", .counter, help: "Sales.",
                [
                    .init(2, labels: [("kind", "a\"b\\c\nd")]),
                    .init(0.5, labels: [("kind", "x"), ("app", "y")], suffix: "_sum"),
                ]),
            MetricFamily("till_none", .counter, help: "Nothing yet.", []),
        ]
        #expect(
            MetricsText(families).description == #"""
                # HELP till_up Whether it is \\ up\nor not.
                # TYPE till_up gauge
                till_up 1
                # HELP till_sales_total Sales.
                # TYPE till_sales_total counter
                till_sales_total{kind="a\"b\\c\nd"} 2
                till_sales_total_sum{kind="x",app="y"} 0.5
                # HELP till_none Nothing yet.
                # TYPE till_none counter

                """#)
    }

    @Test(
        "Numbers are written as the format wants them",
        arguments: [
            (0.0, "0"), (-3, "-3"), (0.25, "0.25"), (1e18, "1e+18"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
            (.nan, "NaN"),
        ])
    func numbers(value: Double, text: String) {
        #expect(MetricsText.text(of: value) == text)
    }

    @Test("A request falls into the bucket of its time, and buckets add up")
    func histogram() throws {
        let metrics = RequestMetrics()
        metrics.record(method: "GET", route: "/a", status: 200, nanoseconds: 1_000_000)
        metrics.record(method: "GET", route: "/a", status: 200, nanoseconds: 1_000_001)
        metrics.record(method: "GET", route: "/a", status: 200, nanoseconds: 60_000_000_000)
        let samples = metrics.family.samples
        let buckets = samples.filter { $0.suffix == "_bucket" }
        #expect(buckets.map(\.value) == [1] + [Double](repeating: 2, count: 11) + [3])
        #expect(buckets.compactMap { $0.labels.last?.value }.prefix(2) == ["0.001", "0.0025"])
        #expect(buckets.last?.labels.last?.value == "+Inf")
        #expect(samples.first { $0.suffix == "_count" }?.value == 3)
        #expect(abs((samples.first { $0.suffix == "_sum" }?.value ?? 0) - 60.002000001) < 1e-9)
    }

    @Test("Figures are kept by method, route and status, in a steady order")
    func keys() {
        let metrics = RequestMetrics()
        for (method, route, status) in [
            ("POST", "/b", 200), ("GET", "/b", 404), ("GET", "/b", 200), ("GET", "/a", 200),
        ] {
            metrics.record(method: method, route: route, status: status, nanoseconds: 1)
        }
        let counts = metrics.family.samples.filter { $0.suffix == "_count" }
        #expect(
            counts.map { $0.labels.map(\.value).joined(separator: " ") } == [
                "GET /a 200", "GET /b 200", "GET /b 404", "POST /b 200",
            ])
    }

    @Test("Whatever a client makes up counts as one")
    func unknownRoutes() {
        let metrics = RequestMetrics()
        for number in 0..<100 { metrics.record(method: "M\(number)", route: nil, status: 404, nanoseconds: 1) }
        let counts = metrics.family.samples.filter { $0.suffix == "_count" }
        #expect(counts.map(\.value) == [100])
        #expect(counts.first?.labels.map(\.value) == ["", "", "404"])
    }
}
