import ChildProcesses
import Foundation
import TestSupport
import Testing

@Suite("Children", .bounded)
struct ChildProcessTests {
    /// Runs a line of the shell; gives what it wrote and how it ended.
    private func run(
        _ line: String, environment: [String: String] = [:], input: String? = nil, errors: ChildProcess.Stream = .null
    ) throws -> (said: String, complained: String, status: Int32) {
        let child = try ChildProcess(
            "/bin/sh", ["-c", line], environment: environment, input: input == nil ? .null : .pipe, output: .pipe,
            errors: errors)
        try input.map { try child.input?.write(contentsOf: Data($0.utf8)) }
        try child.input?.close()
        func text(_ handle: FileHandle?) throws -> String {
            String(decoding: try handle?.readToEnd() ?? Data(), as: UTF8.self)
        }
        return (try text(child.output), try text(child.errors), child.wait())
    }

    @Test("Its streams are pipes, or nothing, and its status is told")
    func streams() throws {
        #expect(try run("cat; echo -n bad >&2; exit 7", input: "good", errors: .pipe) == ("good", "bad", 7))
        #expect(try run("cat; echo bad >&2") == ("", "", 0))
    }

    @Test("It has the environment that is named, and no other")
    func environment() throws {
        #expect(try run("echo -n $A$HOME", environment: ["A": "a b=c"]) == ("a b=c", "", 0))
    }

    @Test("It has none of our descriptors")
    func descriptors() throws {
        let leaking = dup(STDERR_FILENO)
        defer { close(leaking) }
        #expect(fcntl(leaking, F_GETFD) & FD_CLOEXEC == 0)
        // Its three streams, and the folder that is listed.
        #expect(try run("ls /proc/self/fd | wc -l").said.trimmingCharacters(in: .whitespacesAndNewlines) == "4")
    }

    @Test("It takes signals as if it were the first process, in a group of its own")
    func signals() throws {
        let former = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, former) }
        var (blocked, before) = (sigset_t(), sigset_t())
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try run("kill -USR2 $$; echo still here") == ("", "", SIGUSR2))
        #expect(try run("kill -USR1 $$; echo still here") == ("", "", SIGUSR1))
        let group = try run("cut -d ' ' -f 5 /proc/$$/stat; echo $$").said.split(separator: "\n")
        #expect(group.count == 2 && group.first == group.last)
    }

    @Test("It is killed while it lives, and nobody else is afterwards")
    func killed() throws {
        let child = try ChildProcess("sleep", ["600"], environment: [:])
        child.kill()
        #expect(child.wait() == SIGKILL)
        child.kill()
    }

    @Test("A program that is not there is told by its error")
    func missing() {
        let error = #expect(throws: ChildProcess.Failure.self) {
            try ChildProcess("no-such-program-anywhere", [], environment: [:])
        }
        #expect(error?.isNoSuchProgram == true)
        let other = #expect(throws: ChildProcess.Failure.self) { try ChildProcess("/", [], environment: [:]) }
        #expect(other?.isNoSuchProgram == false)
        #expect(other?.reason == "Permission denied")
    }
}
