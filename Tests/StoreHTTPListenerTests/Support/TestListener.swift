import Foundation
import StoreHTTP
import StoreHTTPListener
import Testing

/// A listener on a free port of the loopback, stopped at the end of what it is made for.
func withListener<Value>(
    _ service: HTTPService = ProbeService.make(), on endpoint: ListenerEndpoint = .tcp(port: 0), tls: TLSFiles? = nil,
    threads: Int = 2, adjust: (inout ListenerLimits) -> Void = { _ in }, use: (HTTPListener) async throws -> Value
) async throws -> Value {
    var configuration = ListenerConfiguration(endpoint, tls: tls, threads: threads)
    configuration.limits.farewellTime = .milliseconds(100)
    adjust(&configuration.limits)
    let listener = try HTTPListener(configuration, serving: service)
    do {
        let value = try await use(listener)
        await listener.stop(within: .seconds(5))
        return value
    } catch {
        await listener.stop(within: .seconds(5))
        throw error
    }
}

/// Waits until the counters of a listener, which tell nobody of their changes, meet a condition.
func eventually(_ condition: () -> Bool) async throws {
    while !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

/// A folder that is removed at the end of what it is made for.
func withFolder<Value>(_ use: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await use(folder)
}
