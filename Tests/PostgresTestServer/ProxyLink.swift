import Foundation
import Synchronization

/// One connection through a ``FaultProxy``: two sockets, and a thread for each direction.
final class ProxyLink: Sendable {
    private let client: Int32
    private let server: Int32
    private let strike: @Sendable (ProxyMessage) -> Fault.Kind?
    /// Whether the next bytes of the server are to get lost, with the connection.
    private let losesAnswer = Mutex(false)
    private let running = Mutex(2)

    init(client: Int32, server: Int32, strike: @escaping @Sendable (ProxyMessage) -> Fault.Kind?) {
        (self.client, self.server, self.strike) = (client, server, strike)
    }

    func start() {
        Thread { self.forward() }.start()
        Thread { self.bringBack() }.start()
    }

    /// Breaks both ends.
    func cut() {
        running.withLock { count in
            guard count > 0 else { return }
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    private func forward() {
        defer { ended() }
        var (received, isFirst): ([UInt8], Bool) = ([], true)
        while let bytes = UnixSocket.read(client) {
            received += bytes
            while let message = ProxyMessage(from: &received, isFirst: isFirst) {
                isFirst = false
                switch strike(message) {
                case nil:
                    guard UnixSocket.write(message.bytes, to: server) else { return cut() }
                case .beforeSending: return cut()
                case .afterSending:
                    // The server gets it whole, and finds nobody there when it answers.
                    losesAnswer.withLock { $0 = true }
                    shutdown(client, Int32(SHUT_RDWR))
                    _ = UnixSocket.write(message.bytes, to: server)
                    return
                case .beforeAnswer:
                    losesAnswer.withLock { $0 = true }
                    _ = UnixSocket.write(message.bytes, to: server)
                case .silence:
                    while UnixSocket.read(client) != nil {}
                    return
                }
            }
        }
        if !losesAnswer.withLock({ $0 }) { cut() }
    }

    private func bringBack() {
        defer { ended() }
        while let bytes = UnixSocket.read(server) {
            guard !losesAnswer.withLock({ $0 }), UnixSocket.write(bytes, to: client) else { break }
        }
        cut()
    }

    private func ended() {
        running.withLock { count in
            count -= 1
            guard count == 0 else { return }
            close(client)
            close(server)
        }
    }
}
