import Foundation

/// A file or folder that the system tells changes of.
package enum FileWatch {
    /// The system refused to watch it.
    struct NotWatched: Error {}

    /// Becomes true once a condition holds. It is looked at now, and again at each of the events (`IN_CLOSE_WRITE`…) of a
    /// path that is there.
    package static func observe(
        _ path: String, for events: Int32, until isMet: @escaping @Sendable () -> Bool
    ) throws -> Observed<Bool> {
        let watch = inotify_init1(Int32(IN_CLOEXEC))
        guard watch >= 0, inotify_add_watch(watch, path, UInt32(events)) >= 0 else { throw NotWatched() }
        let observed = Observed(false)
        Thread.detachNewThread {
            var told = [UInt8](repeating: 0, count: 4096)
            while !isMet(), read(watch, &told, told.count) > 0 {}
            close(watch)
            observed.update { $0 = true }
        }
        return observed
    }
}
