import Foundation

/// Wakes a thread that waits for descriptors.
final class WakePipe: Sendable {
    let reader: Int32
    private let writer: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reader = ends[0]
        writer = ends[1]
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// The reader is ready from now on.
    func ring() {
        var byte: UInt8 = 1
        // A pipe that is full has been rung already.
        _ = write(writer, &byte, 1)
    }
}
