import Foundation
import TestSupport

/// A proxy of TCP in front of a server that spoils what comes back, by a plan.
final class FaultyProxy: Sendable {
    /// What happens to the answers on one connection.
    enum Fault: Sendable {
        case none
        /// So many bytes come through, then the connection ends.
        case cut(Int)
        /// So many bytes come through, then the connection is reset.
        case reset(Int)
        /// So many bytes come through, then nothing more.
        case stall(Int)
        /// So many bytes come through, then others than there should be.
        case garbage(Int)
        /// So many bytes come through one by one, the rest as usual.
        case drip(Int)
        /// The first bytes come twice.
        case twice(Int)
        /// The length in the header is another by so much.
        case length(Int)
        /// The server's words are replaced by these.
        case instead(String)
        /// The connection is closed before anything is read.
        case refuse
    }

    private let server: ScriptedServer

    init(toPort port: Int, plan: @escaping @Sendable (Int) -> Fault) throws {
        server = try ScriptedServer { connection, number in
            Self.carry(connection, plan(number), port)
        }
    }

    var accepted: Int { server.accepted }

    func url(_ path: String) -> String { server.url(path) }

    func stop() { server.stop() }

    private static func carry(_ connection: ServerConnection, _ fault: Fault, _ port: Int) {
        if case .refuse = fault { return connection.reset() }
        if case .instead(let words) = fault {
            guard connection.readHead() != nil else { return }
            connection.write(words)
            return
        }
        guard let upstream = ServerConnection.opened(toPort: port) else { return }
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // What the client sends goes on unspoilt, until it ends.
            while let bytes = connection.readSome(), upstream.write(bytes) {}
            shutdown(upstream.descriptor, Int32(SHUT_RDWR))
            ended.signal()
        }
        var answer = Answer(connection, fault)
        answer.carry(from: upstream)
        if case .stall = fault { ended.wait() }
        if case .reset = fault { connection.reset() }
        shutdown(upstream.descriptor, Int32(SHUT_RDWR))
        if case .reset = fault {
            // Only closing sends a reset; the other thread ends by the server's end.
            shutdown(connection.descriptor, Int32(SHUT_RD))
        } else {
            shutdown(connection.descriptor, Int32(SHUT_RDWR))
        }
        if case .stall = fault {} else { ended.wait() }
        close(upstream.descriptor)
    }

    /// The way back, with its fault.
    private struct Answer {
        let connection: ServerConnection
        let fault: Fault
        private var passed = 0

        init(_ connection: ServerConnection, _ fault: Fault) {
            self.connection = connection
            self.fault = fault
        }

        mutating func carry(from upstream: ServerConnection) {
            while let bytes = upstream.readSome(16 * 1024) {
                guard pass(bytes) else { return }
                passed += bytes.count
            }
        }

        /// Whether more is to come through.
        private func pass(_ bytes: [UInt8]) -> Bool {
            switch fault {
            case .cut(let limit), .reset(let limit), .stall(let limit):
                let left = max(0, limit - passed)
                return connection.write(Array(bytes.prefix(left))) && bytes.count < left
            case .garbage(let limit):
                let left = max(0, limit - passed)
                return connection.write(Array(bytes.prefix(left)) + bytes.dropFirst(left).map { $0 ^ 0x55 })
            case .drip(let limit):
                for byte in bytes.prefix(max(0, limit - passed)) {
                    guard connection.write([byte]) else { return false }
                }
                return connection.write(Array(bytes.dropFirst(max(0, limit - passed))))
            case .twice(let limit):
                return connection.write((passed == 0 ? Array(bytes.prefix(limit)) : []) + bytes)
            case .length(let difference):
                return connection.write(passed == 0 ? Self.changingLength(bytes, by: difference) : bytes)
            case .none, .instead, .refuse: return connection.write(bytes)
            }
        }

        private static func changingLength(_ bytes: [UInt8], by difference: Int) -> [UInt8] {
            let mark = Array("Content-Length: ".utf8)
            guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return bytes }
            let digits = bytes[(start + mark.count)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            let length = (Int(String(decoding: digits, as: UTF8.self)) ?? 0) + difference
            return Array(bytes[..<digits.startIndex]) + Array(String(max(0, length)).utf8) + bytes[digits.endIndex...]
        }
    }
}

extension FaultyProxy.Fault {
    /// Any of those that end soon.
    static func random(upTo length: Int, using random: inout SplitMix64) -> FaultyProxy.Fault {
        let count = Int.random(in: 0...length, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return .none
        case 1...3: return .cut(count)
        case 4, 5: return .reset(count)
        case 6: return .garbage(count)
        case 7: return .drip(min(count, 2000))
        case 8: return .twice(min(count, 300))
        case 9: return .length(Bool.random(using: &random) ? count : -count)
        case 10: return .instead("HTTP/1.1 503 Later\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\nno")
        default: return .refuse
        }
    }
}
