/// The daemons of a listener: the one that accepts, and those that finish what they have.
struct House {
    private(set) var current: ServingDaemon?
    private var leaving: [ServingDaemon] = []
    /// The tick at which what is left is cut off.
    private var deadline: Int?
    /// Those who wait for the last daemon to end.
    var awaitingEnd: [CheckedContinuation<Bool, Never>] = []
    /// Whether nothing had to be cut off.
    private(set) var wasComplete = true

    init(current: ServingDaemon) {
        self.current = current
    }

    var isEmpty: Bool { current == nil && leaving.isEmpty }

    mutating func replaceCurrent(by daemon: ServingDaemon) {
        if let current { leaving.append(current) }
        current = daemon
    }

    /// Nothing is accepted any more; everything ends by a tick.
    mutating func close(by tick: Int) {
        if let current { leaving.append(current) }
        current = nil
        deadline = min(deadline ?? tick, tick)
    }

    /// Looks after the connections of all daemons and ends those that have none left.
    mutating func watch(now: Int) {
        current?.watch()
        for daemon in leaving { daemon.watch() }
        let isOver = deadline.map { now >= $0 } ?? false
        leaving.removeAll { daemon in
            guard daemon.isEmpty || isOver else { return false }
            if !daemon.isEmpty { wasComplete = false }
            daemon.stop()
            return true
        }
    }
}
