import CLinux
import Foundation
import Synchronization

/// A child process with pipes at its input and output; it shares nothing else with this process but the error output.
///
/// Foundation's `Process` is not for a process that serves: with more than about 1300 open descriptors its `run()` reads
/// behind a buffer, and now and then crashes.
final class SpawnedProgram: Sendable {
    let input: FileHandle
    let output: FileHandle
    private let pid: pid_t
    private let hasEnded = Mutex(false)

    /// The system's error number if there is no such process.
    struct Failure: Error {
        let number: Int32
    }

    init(_ path: String, _ words: [String], environment: [String: String]) throws(Failure) {
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        pid = try Self.spawn(
            path, [path] + words, environment.map { "\($0.key)=\($0.value)" }, childInput, childOutput)
        (self.input, self.output) = (input, output)
    }

    private static func pipe() throws(Failure) -> (read: FileHandle, write: FileHandle) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Failure(number: errno) }
        return (
            FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
            FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        )
    }

    private static func spawn(
        _ path: String, _ words: [String], _ environment: [String], _ input: FileHandle, _ output: FileHandle
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output.fileDescriptor, STDOUT_FILENO)
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ctrl-C in a terminal is meant for this process alone, and what it does with signals is its own affair.
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
        let error = withExtendedLifetime((input, output)) {
            posix_spawn(&pid, path, &actions, &attributes, arguments + [nil], variables + [nil])
        }
        guard error == 0 else { throw Failure(number: error) }
        return pid
    }

    /// Returns when it has ended: its status, or the number of the signal that ended it. To be called once.
    func wait() -> Int32 {
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

    func killIfThere() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { kill(pid, SIGKILL) }
        }
    }
}
