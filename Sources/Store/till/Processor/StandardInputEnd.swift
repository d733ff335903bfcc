import Foundation

/// Learns that standard input has ended: whoever held its other end is gone, however that came.
struct StandardInputEnd: Sendable {
    private let stream: AsyncStream<Void>

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        let thread = Thread {
            var bytes = [UInt8](repeating: 0, count: 256)
            while true {
                let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, $0.count) }
                if count == 0 || count < 0 && errno != EINTR { break }
            }
            continuation.finish()
        }
        thread.name = "standard input"
        thread.start()
    }

    /// Returns when it has ended.
    func reached() async {
        for await _ in stream {}
    }
}
