import CLinux
import Foundation

/// Wakes the threads that wait for it, now and from then on.
package final class Waker: Sendable {
    /// Becomes readable when the threads are to wake up, and stays so. Where the system has no descriptors left it is -1,
    /// and waiting ends by its time only.
    package let descriptor: Int32
    private let writing: Int32

    package init() {
        var ends: [Int32] = [-1, -1]
        if pipe2(&ends, O_CLOEXEC | O_NONBLOCK) != 0 { ends = [-1, -1] }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        close(writing)
    }

    package func wake() {
        var byte: UInt8 = 1
        // It is full only if it was woken before.
        _ = write(writing, &byte, 1)
    }

    /// Waits so long; true if it was woken.
    @discardableResult
    package func wait(milliseconds: Int) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: milliseconds)) > 0
    }

    package var isAwake: Bool { wait(milliseconds: 0) }
}
