import Foundation
import Synchronization

/// Stands between the driver and a server, and cuts connections where it is told to.
package final class FaultProxy: Sendable {
    private struct State {
        var faults: [Fault] = []
        var isClosed = false
        /// Whether connections are let through.
        var isOpen = true
        var struck = 0
        var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var links: [ProxyLink] = []
    }

    private let state = Mutex(State())
    private let listening: Int32
    private let folder: String
    private let target: String

    /// A way to a server that nobody has disturbed yet.
    package init(to cluster: PostgresCluster) throws {
        folder = NSTemporaryDirectory() + "till-proxy-" + String(UUID().uuidString.prefix(8))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        target = cluster.folder + "/.s.PGSQL.5432"
        listening = try UnixSocket.listening(at: folder + "/.s.PGSQL.5432")
        Thread { self.accept() }.start()
    }

    /// Where a database is by this way.
    package func address(of database: String) -> String { "host=\(folder) user=postgres dbname=\(database)" }

    /// Lets these things happen, each once, whenever its moment comes.
    package func plan(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// How many of the planned faults have happened.
    package var struckCount: Int { state.withLock { $0.struck } }

    /// Waits until so many of the planned faults have happened.
    package func untilStruck(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.struck < count { state.waiting.append((count, continuation)) }
                return state.struck >= count
            }
            if isOver { continuation.resume() }
        }
    }

    /// Refuses connections, and breaks those that are open, until it is opened.
    package func shut() {
        let links = state.withLock { state in
            defer { state.links = [] }
            state.isOpen = false
            return state.links
        }
        for link in links { link.cut() }
    }

    package func open() { state.withLock { $0.isOpen = true } }

    package func close() {
        state.withLock { $0.isClosed = true }
        shut()
        shutdown(listening, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listening, nil, nil)
            guard client >= 0, !state.withLock({ $0.isClosed }) else { break }
            guard state.withLock({ $0.isOpen }), let server = try? UnixSocket.connected(to: target) else {
                Glibc.close(client)
                continue
            }
            let link = ProxyLink(client: client, server: server) { self.strike($0) }
            state.withLock { $0.links.append(link) }
            link.start()
        }
        Glibc.close(listening)
    }

    /// The fault that a message of the driver sets off, if any.
    private func strike(_ message: ProxyMessage) -> Fault.Kind? {
        let (kind, waiting) = state.withLock { state -> (Fault.Kind?, [CheckedContinuation<Void, Never>]) in
            guard let index = state.faults.firstIndex(where: { $0.isSetOff(by: message) }) else { return (nil, []) }
            state.struck += 1
            let fault = state.faults.remove(at: index)
            if fault.isLasting { state.isOpen = false }
            let struck = state.struck
            defer { state.waiting.removeAll { $0.count <= struck } }
            return (fault.kind, state.waiting.filter { $0.count <= struck }.map(\.continuation))
        }
        for continuation in waiting { continuation.resume() }
        return kind
    }
}
