import Foundation
import StoreHTTP
import Synchronization

@testable import StoreHTTPListener

/// A client that sends what it is told, byte for byte. Its calls block, so it is used on threads of its own.
final class RawClient: Sendable {
    struct Failure: Error {}

    let descriptor: Int32
    private let ended = Atomic(false)

    /// Whether the last call that received found the end of the connection.
    var wasEnded: Bool { ended.load(ordering: .relaxed) }

    /// `source` is the address it comes from; the whole network 127.0.0.0/8 is this machine.
    init(_ endpoint: ListenerEndpoint, from source: UInt32 = 0x7F00_0001, receiveBuffer: Int32? = nil) throws {
        switch endpoint.kind {
        case .tcp(_, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            if var size = receiveBuffer {
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
            }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = in_addr_t(source).bigEndian
            guard Self.call(Foundation.bind, descriptor, &own) == 0 else { throw Failure() }
            try connect(&address)
        case .unix(let path, _):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            try connect(&address)
        }
        // A test that waits for a server that says nothing must fail, not hang.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private func connect<Address>(_ address: inout Address) throws {
        guard Self.call(Foundation.connect, descriptor, &address) == 0 else { throw Failure() }
    }

    private static func call<Address>(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ address: inout Address
    ) -> Int32? {
        withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                function(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// Sends bytes; false if the server takes no more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// The next bytes; empty at the end, however that came.
    func receive(_ count: Int = 65536) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            let received = recv(descriptor, buffer.baseAddress, count, 0)
            ended.store(received == 0 || received < 0 && errno != EAGAIN, ordering: .relaxed)
            initialized = max(0, received)
        }
    }

    /// All until the server closes.
    func receiveAll() -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = receive()
            if some.isEmpty { return all }
            all += some
        }
    }

    var receivedText: String { String(decoding: receiveAll(), as: UTF8.self) }
}

/// Runs something that blocks on a thread of its own.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
