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

/// Waits until something holds; false after a time in which it should have.
func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
    let holds = try? await onThread {
        for _ in 0..<4000 {
            if condition() { return true }
            usleep(5000)
        }
        return condition()
    }
    return holds ?? false
}

/// A folder that is removed at the end of what it is made for.
func withFolder<Value>(_ use: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await use(folder)
}
