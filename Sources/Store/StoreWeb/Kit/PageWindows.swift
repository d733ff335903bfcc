import Synchronization

/// The windows in which pages are shown that somebody waits for, by the secrets in their addresses. A page that is loaded again is a
/// new window before the former one is closed.
final class PageWindows: Sendable {
    /// How long after the closing of the last window nothing is to be opened.
    private static let patience = Duration.seconds(3)
    /// The most pages of which windows are known; beyond that all are forgotten.
    private static let most = 10_000

    private struct Content {
        var last = 0
        var open: [String: Set<Int>] = [:]
    }

    private let content = Mutex(Content())
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ wait: @escaping @Sendable (Duration) async throws -> Void) { self.wait = wait }

    /// The number of a window that is opened.
    func open(_ token: String) -> Int {
        content.withLock { content in
            if content.open.count >= Self.most { content.open.removeAll() }
            content.last += 1
            content.open[token, default: []].insert(content.last)
            return content.last
        }
    }

    /// Does something after a while if no window shows the page then.
    func close(_ token: String, _ window: Int, _ body: @escaping @Sendable () async -> Void) {
        let isKnown = content.withLock { $0.open[token]?.remove(window) != nil }
        guard isKnown else { return }
        Task {
            try? await wait(Self.patience)
            let isGone = content.withLock { content in
                guard content.open[token]?.isEmpty ?? true else { return false }
                content.open[token] = nil
                return true
            }
            if isGone { await body() }
        }
    }
}
