import Foundation
import Synchronization

/// A proxy of HTTP/1.1 in front of a store that breaks the line while content comes, by a plan, and counts what it lets through.
final class CuttingProxy: Sendable {
    /// How many bytes of a body come through before the line breaks; nil for all.
    ///
    /// - Parameters:
    ///   - number: counts the answers with content from 0.
    ///   - start: where in the content the answer begins.
    typealias Plan = @Sendable (_ number: Int, _ start: Int) -> Int?

    private struct State {
        var sockets: Set<Int32> = []
        var isStopped = false
        var answers = 0
        var bytes = 0
        var damages: [Int: [UInt8]] = [:]
    }

    let port: Int
    private let listening: Int32
    private let upstream: Int
    private let plan: Plan
    private let state = Mutex(State())

    init(toPort upstream: Int, plan: @escaping Plan) throws {
        self.upstream = upstream
        self.plan = plan
        listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = listening
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, length) == 0 && listen(listening, 64) == 0
                    && getsockname(listening, $0, &length) == 0
            }
        }
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in serve() }
    }

    /// How many answers had content, and how many bytes of it came through.
    var answers: Int { state.withLock { $0.answers } }
    var bytes: Int { state.withLock { $0.bytes } }

    /// Replaces the byte of the content at an offset, so often.
    func damage(at offset: Int, times: Int) {
        state.withLock { $0.damages[offset] = [UInt8](repeating: 0x55, count: times) }
    }

    /// Closes everything.
    func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            shutdown(listening, Int32(SHUT_RDWR))
            for one in state.sockets { shutdown(one, Int32(SHUT_RDWR)) }
        }
    }

    private func serve() {
        while true {
            let accepted = accept(listening, nil, nil)
            guard accepted >= 0 else { break }
            _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
            guard enter(accepted) else { continue }
            Thread.detachNewThread { [self] in
                if let server = connect() {
                    while carry(accepted, server) {}
                    leave(server)
                }
                leave(accepted)
            }
        }
        close(listening)
    }

    private func enter(_ descriptor: Int32) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isStopped { state.sockets.insert(descriptor) }
            return !state.isStopped
        }
        if !isOpen { close(descriptor) }
        return isOpen
    }

    private func leave(_ descriptor: Int32) {
        state.withLock { state in
            state.sockets.remove(descriptor)
            close(descriptor)
        }
    }

    /// Carries one request and its answer; whether the connection may have more.
    private func carry(_ client: Int32, _ server: Int32) -> Bool {
        guard let head = readHead(client) else { return false }
        let text = String(decoding: head, as: UTF8.self)
        guard write(head, server), let body = read(Self.number("content-length", in: text) ?? 0, client),
            write(body, server), let answer = readHead(server)
        else { return false }
        let answered = String(decoding: answer, as: UTF8.self)
        let length = Self.number("content-length", in: answered) ?? 0
        let isContent = text.hasPrefix("GET /content/") && answered.hasPrefix("HTTP/1.1 2")
        guard write(answer, client) else { return false }
        if isContent { return pass(length, from: server, to: client, startingAt: Self.start(of: answered)) }
        guard let rest = read(length, server) else { return false }
        return write(rest, client)
    }

    /// Lets as much of a body through as the plan says.
    private func pass(_ length: Int, from server: Int32, to client: Int32, startingAt start: Int) -> Bool {
        let number = state.withLock { state in
            state.answers += 1
            return state.answers - 1
        }
        var left = min(length, plan(number, start) ?? length)
        var offset = start
        let isWhole = left == length
        while left > 0 {
            guard var piece = read(min(left, 16 * 1024), server) else { return false }
            spoil(&piece, at: offset)
            guard write(piece, client) else { return false }
            state.withLock { $0.bytes += piece.count }
            left -= piece.count
            offset += piece.count
        }
        return isWhole
    }

    private func spoil(_ piece: inout [UInt8], at start: Int) {
        state.withLock { state in
            for offset in state.damages.keys where (start..<(start + piece.count)).contains(offset) {
                guard let mask = state.damages[offset]?.popLast() else { continue }
                piece[offset - start] ^= mask
            }
        }
    }

    // MARK: Sockets

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }

    private func connect() -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(upstream)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return enter(descriptor) ? descriptor : nil
    }

    private func readHead(_ descriptor: Int32) -> [UInt8]? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 64 * 1024, let byte = read(1, descriptor) else { return nil }
            head += byte
        }
        return head
    }

    /// Exactly so many bytes; nil at the end.
    private func read(_ count: Int, _ descriptor: Int32) -> [UInt8]? {
        if count == 0 { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let received = recv(descriptor, &bytes, count, Int32(MSG_WAITALL))
        return received == count ? bytes : nil
    }

    private func write(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var position = 0
        while position < bytes.count {
            let sent = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress?.advanced(by: position), bytes.count - position, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            position += sent
        }
        return true
    }

    private static func field(_ name: String, in head: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name + ":") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    private static func number(_ name: String, in head: String) -> Int? { field(name, in: head).flatMap { Int($0) } }

    private static func start(of answer: String) -> Int {
        field("content-range", in: answer).flatMap { Int($0.drop { $0 != " " }.dropFirst().prefix { $0 != "-" }) } ?? 0
    }
}
