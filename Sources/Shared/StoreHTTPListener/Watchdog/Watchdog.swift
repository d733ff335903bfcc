import CMicroHTTPD
import Foundation
import StoreFoundation
import StoreHTTP
import Synchronization

/// The thread that counts time for a listener, ends what takes too long, and starts and stops daemons.
final class Watchdog: Sendable {
    enum Command: Sendable {
        case reload(TLSFiles, CheckedContinuation<ListenerError?, Never>)
        case stop(Duration, CheckedContinuation<Bool, Never>?)
    }

    private let core: ListenerCore
    private let socket: ListeningSocket
    private let threads: Int
    private let commands = Mutex<(waiting: [Command], isOver: Bool)>(([], false))
    /// An eventfd that wakes the thread for a command.
    private let alarm: Int32
    private let timer: Int32
    private let overflow: @Sendable (Int) -> Void

    init(
        _ core: ListenerCore, _ socket: ListeningSocket, threads: Int, overflow: @escaping @Sendable (Int) -> Void
    ) throws(ListenerError) {
        self.overflow = overflow
        self.core = core
        self.socket = socket
        self.threads = threads
        alarm = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
        guard alarm >= 0, timer >= 0 else {
            throw ListenerError(.system, "There is no descriptor left for the clock of the listener.")
        }
        let (seconds, attoseconds) = core.limits.tick.components
        var interval = itimerspec()
        interval.it_interval = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        interval.it_value = interval.it_interval
        timerfd_settime(timer, 0, &interval, nil)
    }

    deinit {
        if alarm >= 0 { close(alarm) }
        if timer >= 0 { close(timer) }
    }

    func start(_ daemon: ServingDaemon) {
        OwnThread.start(named: "till-http-watch") { self.run(daemon) }
    }

    /// Sends a command to the thread; false if the thread has ended.
    func post(_ command: Command) -> Bool {
        let isTaken = commands.withLock { commands in
            guard !commands.isOver else { return false }
            commands.waiting.append(command)
            return true
        }
        eventfd_write(alarm, 1)
        return isTaken
    }

    // MARK: The thread

    private func run(_ daemon: ServingDaemon) {
        var daemons = DaemonGroup(current: daemon)
        var refused = (count: 0, nextReport: 0)
        while !daemons.isEmpty {
            wait()
            for command in commands.withLock({ commands in
                defer { commands.waiting = [] }
                return commands.waiting
            }) {
                execute(command, &daemons)
            }
            daemons.watch(now: core.now)
            let count = core.counters.connectionsRefused.load(ordering: .relaxed)
            if count > refused.count, core.now >= refused.nextReport {
                overflow(count - refused.count)
                refused = (count, core.now + core.limits.ticks(Self.betweenReports))
            }
        }
        let late = commands.withLock { commands in
            commands.isOver = true
            return commands.waiting
        }
        for command in late { execute(command, &daemons) }
        for stopped in daemons.awaitingEnd { stopped.resume(returning: daemons.wasComplete) }
    }

    private static let betweenReports = Duration.seconds(60)

    private func wait() {
        var waiting = [
            pollfd(fd: timer, events: Int16(POLLIN), revents: 0), pollfd(fd: alarm, events: Int16(POLLIN), revents: 0),
        ]
        poll(&waiting, 2, -1)
        var count: UInt64 = 0
        if read(timer, &count, 8) == 8 { core.advance(by: core.limits.counted(count)) }
        _ = read(alarm, &count, 8)
    }

    private func execute(_ command: Command, _ daemons: inout DaemonGroup) {
        switch command {
        case .reload(let files, let done):
            guard let old = daemons.current else {
                return done.resume(returning: ListenerError(.stopped, "The listener has been stopped."))
            }
            do throws(ListenerError) {
                // The new daemon accepts before the old one stops to, so no client is refused.
                let new = try ServingDaemon.start(core, on: socket, tls: files, threads: threads)
                old.retire(adoptingFrom: nil)
                daemons.replaceCurrent(by: new)
                done.resume(returning: nil)
            } catch {
                done.resume(returning: error)
            }
        case .stop(let time, let done):
            if let done { daemons.awaitingEnd.append(done) }
            daemons.current?.retire(adoptingFrom: socket)
            socket.close()
            daemons.close(by: core.now + core.limits.ticks(time))
        }
    }
}

/// The daemons of a listener: the one that accepts, and those that finish their connections.
struct DaemonGroup {
    private(set) var current: ServingDaemon?
    private var leaving: [ServingDaemon] = []
    /// The tick at which the remaining connections are cut off.
    private var deadline: Int?
    /// The callers that wait for the last daemon to end.
    var awaitingEnd: [CheckedContinuation<Bool, Never>] = []
    /// Whether every connection ended by itself.
    private(set) var wasComplete = true

    init(current: ServingDaemon) {
        self.current = current
    }

    var isEmpty: Bool { current == nil && leaving.isEmpty }

    mutating func replaceCurrent(by daemon: ServingDaemon) {
        if let current { leaving.append(current) }
        current = daemon
    }

    /// Stops accepting; everything ends by a tick.
    mutating func close(by tick: Int) {
        if let current { leaving.append(current) }
        current = nil
        deadline = min(deadline ?? tick, tick)
    }

    /// Checks the connections of all daemons and stops daemons without connections.
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
