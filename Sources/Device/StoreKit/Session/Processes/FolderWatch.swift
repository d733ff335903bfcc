import Foundation

/// Tells when files of a folder were written or closed, by this process or another.
///
/// A process that is killed closes its files too, so that its end is heard of.
final class FolderWatch: Sendable {
    private let wake: WakePipe

    /// - Parameter heard: is called on a thread of the watch's own; several changes may be one call.
    init?(_ folder: String, heard: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        guard let wake = WakePipe(),
            inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) >= 0
        else {
            close(descriptor)
            return nil
        }
        self.wake = wake
        let thread = Thread {
            while Self.wait(descriptor, wake) { heard() }
            close(descriptor)
        }
        thread.name = "storekit-watch"
        thread.start()
    }

    deinit { wake.ring() }

    /// Waits for the next change; false when the watch has ended.
    private static func wait(_ descriptor: Int32, _ wake: WakePipe) -> Bool {
        while true {
            var events = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.reader, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&events, 2, -1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, events[1].revents == 0 else { return false }
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            return true
        }
    }
}
