import Foundation
import StoreHTTP
import StoreHTTPListener
import Synchronization

/// A service that executes every request it is given, whatever its path, tells in the answer what it understood, and
/// counts: nothing that a listener takes for a request goes unnoticed.
final class Recorder: Sendable {
    private let executed = Atomic(0)
    private let listener = Mutex<HTTPListener?>(nil)

    /// Whose open connections and requests `/probe/statistics` tells.
    func watch(_ listener: HTTPListener) { self.listener.withLock { $0 = listener } }

    var service: HTTPService {
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "M-SEARCH", "REPORT", "QUERY"]
        let routes = methods.flatMap { method in
            ["/", "/{path…}"].map { pattern in
                Route(
                    HTTPMethod(rawValue: method), RoutePattern(pattern), body: .collected(limit: 1 << 20),
                    handler: .immediate(record))
            }
        }
        return HTTPService(routes + special, errors: JSONErrorForm()) { _, _ in }
    }

    private var special: [Route] {
        [
            .get("/probe/statistics") { [self] _ in .json(statistics) },
            .get("/probe/large") { [self] _ in
                executed.add(1, ordering: .relaxed)
                return HTTPResponse(.ok, [UInt8](repeating: 7, count: 8_000_000), as: "application/octet-stream")
            },
            .get("/probe/endless") { [self] _ in
                executed.add(1, ordering: .relaxed)
                return HTTPResponse(body: .stream(length: nil, Self.endless()))
            },
            .get("/probe/wait") { [self] _ in
                executed.add(1, ordering: .relaxed)
                try await Task.sleep(for: .seconds(3))
                return HTTPResponse(.noContent)
            },
            .post("/probe/stream", body: .streamed(limit: 1 << 30)) { [self] request in
                executed.add(1, ordering: .relaxed)
                guard case .streaming(let body) = request.body else { return HTTPResponse(.noContent) }
                var count = 0
                for try await piece in body { count += piece.count }
                return .text("\(count)")
            },
        ]
    }

    private var statistics: JSONValue {
        let listener = listener.withLock { $0?.statistics }
        return .members([
            "executed": .integer(executed.load(ordering: .relaxed)),
            "connections": .integer(listener?.connections ?? 0), "suspended": .integer(listener?.suspended ?? 0),
            "requests": .integer(listener?.requests ?? 0), "refusals": .integer(listener?.refusals ?? 0),
            "timeouts": .integer(listener?.timeouts ?? 0),
        ])
    }

    private func record(_ request: HTTPRequest) -> HTTPResponse {
        executed.add(1, ordering: .relaxed)
        return .json(
            .members([
                "method": .string(request.method.rawValue), "target": .string(request.target.raw),
                "authority": request.target.authority.map(JSONValue.string),
                "fields": .array(
                    request.fields.all.map { .array([.string($0.name), .string($0.value)]) }),
                "body": .string(Data(request.body.bytes).base64EncodedString()),
            ]))
    }

    /// Made as it is read, until nobody reads.
    private static func endless() -> BodyStream {
        let stream = BodyStream(limit: 64 * 1024)
        Task {
            let piece = [UInt8](repeating: 7, count: 16 * 1024)
            while (try? await stream.write(piece)) != nil {}
        }
        return stream
    }
}
