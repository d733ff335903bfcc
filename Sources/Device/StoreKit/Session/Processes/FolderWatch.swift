import Foundation
import StoreFoundation

/// Tells when files of a folder were written, or closed after they were open for writing, by this process or another.
///
/// A process that is killed closes its files too, so that its end is heard of. Where the system has no more room for watches,
/// as on a machine on which many programs watch files, it tells from time to time that something may have changed.
final class FolderWatch: Sendable {
    /// How often it tells that where nothing can be heard, in milliseconds.
    private static let interval: Int32 = 500

    private static let bufferBytes = 16 * 1024

    private let wake = Waker()

    /// - Parameters:
    ///   - own: the name of a file of which it does not tell.
    ///   - hears: whether it is to hear of changes, and not only to tell from time to time.
    ///   - heard: is called on a thread of the watch's own; several changes may be one call.
    init?(_ folder: String, except own: String? = nil, hears: Bool = true, heard: @escaping @Sendable () -> Void) {
        guard wake.descriptor >= 0 else { return nil }
        let descriptor = hears ? Self.descriptor(for: folder) : -1
        OwnThread.start(named: "storekit-watch") { [wake] in
            while Self.wait(descriptor, wake, except: own) { heard() }
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// What is ready to be read after a change; -1 if there is no room for one more.
    private static func descriptor(for folder: String) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return -1 }
        guard inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)) >= 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    deinit { wake.wake() }

    /// Waits for the next change; false when the watch has ended.
    private static func wait(_ descriptor: Int32, _ wake: Waker, except own: String?) -> Bool {
        while true {
            var events = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            // One that is negative is passed over.
            let ready = poll(&events, 2, descriptor >= 0 ? -1 : interval)
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0, events[1].revents == 0 else { return false }
            guard ready > 0 else { return true }
            if changes(descriptor).contains(where: { $0 != own }) { return true }
        }
    }

    /// The names of the files that have changed; an empty one where there were more changes than the system keeps.
    private static func changes(_ descriptor: Int32) -> Set<String> {
        var names: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: bufferBytes)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            buffer.withUnsafeBytes { bytes in
                var start = 0
                while start < count {
                    let head = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    let name = start + MemoryLayout<inotify_event>.size
                    start = name + Int(head.len)
                    names.insert(String(decoding: bytes[name..<start].prefix { $0 != 0 }, as: UTF8.self))
                }
            }
        }
        return names
    }
}
