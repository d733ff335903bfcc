import Foundation

/// A connection to a server on this machine.
final class LoopbackSocket {
    let descriptor: Int32

    init?(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, Self.call(connect, descriptor, port: port) == 0 else { return nil }
    }

    /// Closes without a word, so that the port can be used again at once.
    deinit {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        close(descriptor)
    }

    func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// Waits for something to read and throws it away; false at the end.
    func receive() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return recv(descriptor, &buffer, buffer.count, 0) > 0
    }

    static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = call(bind, descriptor, port: 0) == 0
        let isTold = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.baseAddress.map { getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self), &length) } == 0
        }
        guard isBound, isTold else { throw BenchmarkError("there is no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits until somebody listens; false if nobody does.
    static func awaitListener(at port: Int) -> Bool {
        for _ in 0..<500 {
            if LoopbackSocket(port: port) != nil { return true }
            usleep(10_000)
        }
        return false
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, port: Int
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            bytes.baseAddress.map {
                function(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            } ?? -1
        }
    }
}
