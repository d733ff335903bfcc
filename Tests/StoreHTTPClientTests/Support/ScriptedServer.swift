import Foundation
import Synchronization

/// A server on loopback that does with each connection exactly what a test says, however wrong.
final class ScriptedServer: Sendable {
    /// What to do with a connection, on a thread of its own; the number counts connections from 0.
    typealias Script = @Sendable (ServerConnection, _ number: Int) -> Void

    private struct State {
        var isStopped = false
        var connections: [Int32: Int] = [:]
    }

    let port: Int
    private let descriptor: Int32
    private let state = Mutex(State())

    init(_ script: @escaping Script) throws {
        (descriptor, port) = try Self.listen()
        Thread.detachNewThread { [self] in serve(script) }
    }

    private let numbers = Collected<Int>()

    /// How many connections there were.
    var accepted: Int { numbers.all.count }

    /// Waits until there were so many connections.
    func wait(forConnections count: Int) async { await numbers.wait(for: count) }

    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Closes everything; whoever reads or writes finds out at once.
    func stop() {
        state.withLock {
            guard !$0.isStopped else { return }
            $0.isStopped = true
            shutdown(descriptor, Int32(SHUT_RDWR))
            for connection in $0.connections.keys { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ script: @escaping Script) {
        while true {
            let accepted = accept(descriptor, nil, nil)
            guard accepted >= 0 else { break }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            let number: Int? = state.withLock { state in
                guard !state.isStopped else { return nil }
                state.connections[accepted] = numbers.all.count
                return numbers.all.count
            }
            guard let number else {
                close(accepted)
                break
            }
            numbers.append(number)
            Thread.detachNewThread { [self] in
                script(ServerConnection(descriptor: accepted), number)
                state.withLock {
                    $0.connections[accepted] = nil
                    close(accepted)
                }
            }
        }
        close(descriptor)
    }

    private struct NoPort: Error {}

    private static func listen() throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && Foundation.listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw NoPort() }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
