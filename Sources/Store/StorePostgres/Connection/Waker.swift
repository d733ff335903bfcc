import Glibc

/// Ends the waiting of threads, now and from then on.
final class Waker: Sendable {
    /// Becomes readable when the threads are to wake up, and stays so. Where the system has no descriptors left it is
    /// none, and waiting ends by its time only.
    let descriptor: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    func wake() {
        var byte: UInt8 = 1
        // It is full only if it was woken before.
        _ = write(writing, &byte, 1)
    }

    /// Waits so long; true if it was woken.
    @discardableResult
    func wait(milliseconds: Int) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: milliseconds)) > 0
    }

    var isAwake: Bool { wait(milliseconds: 0) }
}
