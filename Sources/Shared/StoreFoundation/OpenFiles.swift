import Glibc

/// How many descriptors the system lets this process have: files, connections and what the runtime needs for itself.
///
/// Running out is worse than being refused something: Dispatch ends the process when it cannot make a timer. So whoever
/// takes descriptors for others counts them, and stays below.
package enum OpenFiles {
    /// The most that the process may have now.
    package static var limit: Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit to what the system lets an unprivileged process raise it to, and returns it.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return self.limit }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return self.limit
    }

    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
}
