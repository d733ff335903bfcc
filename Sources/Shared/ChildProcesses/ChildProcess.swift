import CLinux
package import Foundation
import Synchronization

/// A child process that inherits only what is named here: three streams and an environment.
///
/// Foundation's `Process` is not for a process that serves: with more than about 1300 open descriptors its `run()` reads
/// behind a buffer, and now and then crashes.
package final class ChildProcess: Sendable {
    /// What one of the child's standard streams is.
    // Closed: nothing else is needed of a stream.
    package enum Stream: Hashable, Sendable {
        /// That of this process.
        case inherited
        /// `/dev/null`.
        case null
        /// A pipe to this process.
        case pipe
    }

    /// There is no such process.
    package struct Failure: Error, Hashable {
        /// The system's error number.
        package let number: Int32
        package var isNoSuchProgram: Bool { number == ENOENT }
        package var reason: String { String(cString: strerror(number)) }
    }

    /// Our ends of the pipes.
    package let input: FileHandle?
    package let output: FileHandle?
    package let errors: FileHandle?

    private let pid: pid_t
    private let hasEnded = Mutex(false)

    /// Starts a program, in a group of its own: Ctrl-C in a terminal is meant for this process alone.
    ///
    /// - Parameter program: a path, or a name that is looked for as a shell does.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String], input: Stream = .null,
        output: Stream = .null, errors: Stream = .inherited
    ) throws(Failure) {
        let streams = [
            try ChildStream(STDIN_FILENO, input), try ChildStream(STDOUT_FILENO, output),
            try ChildStream(STDERR_FILENO, errors),
        ]
        pid = try Self.spawn(
            program, [program] + arguments, environment.map { "\($0.key)=\($0.value)" }, streams)
        (self.input, self.output, self.errors) = (streams[0].ours, streams[1].ours, streams[2].ours)
    }

    private static func spawn(
        _ program: String, _ words: [String], _ environment: [String], _ streams: [ChildStream]
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream in streams { stream.add(to: &actions) }
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What this process does with signals is its own affair.
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let (arguments, variables) = (words.map { strdup($0) }, environment.map { strdup($0) })
        defer { for copy in arguments + variables { free(copy) } }
        var pid: pid_t = 0
        let error = withExtendedLifetime(streams) {
            posix_spawnp(&pid, program, &actions, &attributes, arguments + [nil], variables + [nil])
        }
        guard error == 0 else { throw Failure(number: error) }
        return pid
    }

    /// Returns when it has ended: its status, or the number of the signal that ended it. To be called once.
    package func wait() -> Int32 {
        var information = siginfo_t()
        // Its number stays its own until nobody can kill it any more.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        return hasEnded.withLock { hasEnded in
            hasEnded = true
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : signal
        }
    }

    /// Kills the process, unless its end was collected already.
    package func kill() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { _ = Foundation.kill(pid, SIGKILL) }
        }
    }
}

/// One of the child's standard streams, before there is a child.
private struct ChildStream {
    let ours: FileHandle?
    private let number: Int32
    private let kind: ChildProcess.Stream
    private let theirs: FileHandle?

    init(_ number: Int32, _ kind: ChildProcess.Stream) throws(ChildProcess.Failure) {
        (self.number, self.kind) = (number, kind)
        guard kind == .pipe else {
            (ours, theirs) = (nil, nil)
            return
        }
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw ChildProcess.Failure(number: errno) }
        let (reading, writing) = (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
        (ours, theirs) = number == STDIN_FILENO ? (writing, reading) : (reading, writing)
    }

    func add(to actions: inout posix_spawn_file_actions_t) {
        switch kind {
        case .inherited: break
        case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .pipe:
            if let theirs { posix_spawn_file_actions_adddup2(&actions, theirs.fileDescriptor, number) }
        }
    }
}
