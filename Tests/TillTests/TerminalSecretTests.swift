import Foundation
import TestSupport
import Testing

/// A real program that asks on a real terminal.
@Suite("A hidden question on a terminal", .bounded) struct TerminalSecretTests {
    private struct NoTerminal: Error {}

    private func shows(_ terminal: FileHandle) throws -> Bool {
        var settings = termios()
        guard tcgetattr(terminal.fileDescriptor, &settings) == 0 else { throw NoTerminal() }
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// A new terminal: the end of the person and the end of the program.
    private func makeTerminal() throws -> (person: FileHandle, program: FileHandle) {
        let person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard person >= 0, ioctl(person, Self.setLock, &locked) == 0, ioctl(person, Self.getNumber, &number) == 0 else {
            throw NoTerminal()
        }
        let program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard program >= 0 else { throw NoTerminal() }
        return (
            FileHandle(fileDescriptor: person, closeOnDealloc: true),
            FileHandle(fileDescriptor: program, closeOnDealloc: true)
        )
    }

    /// `TIOCSPTLCK` and `TIOCGPTN`, which Swift does not see: `posix_openpt` and its kin are hidden from it too.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Starts the question and comes back when it is asked.
    private func ask(on terminal: FileHandle, _ transcript: Transcript) throws -> Process {
        let process = Process()
        // The threads that run tests block signals, and a child inherits that; env takes it back.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "--default-signal", TillProcess.executable.path,
            "keys", "init", "--environment", "sandbox", "--ask-passphrase", "--data", transcript.data,
        ]
        process.standardInput = terminal
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        var asked = Data()
        while asked.last != UInt8(ascii: " ") || asked.count < 10 {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { break }
            asked += more
        }
        #expect(String(decoding: asked, as: UTF8.self) == "New passphrase for the private keys: ")
        return process
    }

    @Test("leaves a terminal that shows what is typed when a signal ends it", arguments: [SIGINT, SIGTERM])
    func leavesTerminalShows(ending: Int32) throws {
        let transcript = try Transcript()
        let terminal = try makeTerminal()
        #expect(try shows(terminal.program))
        let process = try ask(on: terminal.program, transcript)
        #expect(try !shows(terminal.program))
        kill(process.processIdentifier, ending)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == ending)
        #expect(try shows(terminal.program))
        #expect(try transcript.files().isEmpty)
    }

    @Test("leaves a terminal that shows what is typed when nothing comes") func leavesTerminalShowsWhat() throws {
        let transcript = try Transcript()
        let terminal = try makeTerminal()
        let process = try ask(on: terminal.program, transcript)
        try terminal.person.write(contentsOf: [4])  // the end of input, as ^D gives it
        process.waitUntilExit()
        #expect(process.terminationStatus == 74)
        #expect(try shows(terminal.program))
    }
}
