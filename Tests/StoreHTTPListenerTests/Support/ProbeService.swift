import StoreHTTP
import Synchronization
import TestSupport

/// A service with something of everything that a transport has to carry.
enum ProbeService {
    static func make(_ routes: [Route] = []) -> HTTPService {
        HTTPService(standard + routes, errors: JSONErrorForm()) { _, _ in }
    }

    private static let large = [UInt8](repeating: 7, count: 8_000_000)

    private static let standard: [Route] = [
        .get("/") { _ in .text("root") },
        .get("/later") { _ in
            await Task.yield()
            return .text("later")
        },
        .post("/length", body: .collected(limit: 1_000_000)) { .text("\($0.body.bytes.count)") },
        .post(
            "/stream", body: .streamed(limit: 1 << 30),
            suspending: { request in
                guard case .streaming(let body) = request.body else { return .text("none") }
                var count = 0
                for try await piece in body { count += piece.count }
                return .text("\(count)")
            }),
        .get("/large") { _ in HTTPResponse(.ok, large, as: "application/octet-stream") },
    ]
}

/// A handler that waits until it is let go, as a long poll does.
final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    /// How many handlers wait now.
    let waiting = Observed(0)

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() } else { waiting.update { $0 += 1 } }
        }
    }

    func open() {
        let resumed = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        waiting.update { $0 -= resumed.count }
        for continuation in resumed { continuation.resume() }
    }

    var route: Route {
        .get("/poll") { [self] _ in
            await wait()
            return .text("news")
        }
    }
}
