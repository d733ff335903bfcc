import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import StoreKit

/// The words on a terminal, as the person sees them.
@Suite("Questions on a terminal")
struct TerminalPromptTests {
    private func ask(
        _ lines: [String?], in environment: StoreEnvironment = .sandbox, needsSignIn: Bool = false,
        acceptsYes: Bool = false, isOwned: Bool = false, quantity: Int = 1, problem: String? = nil,
        language: String = "en"
    ) async throws -> (screen: String, reply: PromptReply) {
        let terminal = ScriptedTerminal(lines)
        let question = PromptQuestion(
            purchase: .init(
                title: "5 Credits", quantity: quantity, unitPrice: "$0.99", total: quantity == 1 ? "$0.99" : "$3.96",
                code: "BDFG-HJKM", acceptsYes: acceptsYes, isOwned: isOwned),
            needsSignIn: needsSignIn, problem: problem, environment: environment,
            store: try StoreAddress(parsing: "https://store.example.com"), language: language)
        let reply = await TerminalPrompt(terminal).ask(question)
        return (terminal.screen, reply)
    }

    private static let head = """
        5 Credits: $0.99
        Approve it elsewhere: till approve BDFG-HJKM    (https://store.example.com)

        """

    @Test("In the sandbox it takes a sign-in; no password is shown")
    func signIn() async throws {
        let full = try await ask(["ada@example.com", "correct horse"], needsSignIn: true)
        #expect(
            full.screen == Self.head + """
                E-mail (leave empty to cancel): ada@example.com
                Password (leave empty if you forgot it): (hidden)

                """)
        #expect(full.reply == .signIn(email: "ada@example.com", password: "correct horse"))
        let forgotten = try await ask(["ada@example.com", ""], needsSignIn: true)
        #expect(forgotten.reply == .passwordForgotten(email: "ada@example.com"))
        for lines in [[""], [nil], ["ada@example.com", nil]] as [[String?]] {
            #expect(try await ask(lines, needsSignIn: true).reply == .cancelled)
        }
    }

    @Test("In the sandbox it takes the yes, and everything else is a no")
    func yes() async throws {
        let four = try await ask(["yes"], acceptsYes: true, quantity: 4, problem: "This is not the password.")
        #expect(
            four.screen == """
                This is not the password.
                4 x 5 Credits at $0.99: $3.96
                Approve it elsewhere: till approve BDFG-HJKM    (https://store.example.com)
                Buy it? [yes/no] yes

                """)
        #expect(four.reply == .yes)
        for line in ["y", "YES"] { #expect(try await ask([line], acceptsYes: true).reply == .yes) }
        for line in ["", "no", "yess", nil] { #expect(try await ask([line], acceptsYes: true).reply == .cancelled) }
    }

    @Test("What the customer owns is asked for as free")
    func owned() async throws {
        let full = try await ask(["y"], acceptsYes: true, isOwned: true)
        #expect(full.screen.hasPrefix("5 Credits: You already own this; get it again for free.\nApprove"))
        #expect(full.screen.hasSuffix("Get it? [yes/no] y\n") && full.reply == .yes)
    }

    @Test("It asks in the language of the device, and takes a yes in that and in English")
    func language() async throws {
        let turkish = try await ask(["Evet"], acceptsYes: true, quantity: 4, language: "tr")
        #expect(turkish.screen.hasPrefix("4 x 5 Credits, tanesi $0.99: $3.96\nBaşka yerde onaylayın: till approve"))
        #expect(turkish.screen.hasSuffix("Satın alınsın mı? [evet/hayır] Evet\n") && turkish.reply == .yes)
        for (line, reply) in [("はい", PromptReply.yes), ("yes", .yes), ("いいえ", .cancelled)] {
            #expect(try await ask([line], acceptsYes: true, language: "ja").reply == reply)
        }
    }

    @Test("Where the device has no secret of the purchase, it takes the password")
    func password() async throws {
        let full = try await ask(["correct horse"])
        #expect(full.screen == Self.head + "Password (leave empty to cancel): (hidden)\n")
        #expect(full.reply == .password("correct horse"))
        for line in ["", nil] { #expect(try await ask([line]).reply == .cancelled) }
    }

    @Test("In production nobody types a yes or a password", arguments: [true, false])
    func production(needsSignIn: Bool) async throws {
        let full = try await ask(["yes"], in: .production, needsSignIn: needsSignIn, acceptsYes: true)
        let head = Self.head.replacing(
            "till approve BDFG-HJKM", with: "till approve BDFG-HJKM --environment production")
        #expect(full.screen == head + "Waiting for the answer; Return cancels. yes\n")
        #expect(full.reply == .cancelled)
    }

    @Test(
        "Where nobody is asked, the line says the command that works",
        arguments: [
            (StoreEnvironment.sandbox, "till approve BDFG-HJKM"),
            (.production, "till approve BDFG-HJKM --environment production"),
        ])
    func silent(environment: StoreEnvironment, command: String) async throws {
        let terminal = ScriptedTerminal([])
        let question = PromptQuestion(
            purchase: .init(
                title: "5 Credits", quantity: 1, unitPrice: "$0.99", total: "$0.99", code: "BDFG-HJKM",
                acceptsYes: false),
            needsSignIn: false, environment: environment, store: try StoreAddress(parsing: "https://store.example.com"))
        #expect(await SilentPrompt { terminal.write($0) }.ask(question) == .elsewhere)
        #expect(terminal.screen == "5 Credits, $0.99, waits for a yes: \(command)")
    }

    @Test("A question that something is written over is shown again, and is answered as before", .bounded)
    func overwritten() async throws {
        let person = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(person) }
        // TIOCSPTLCK and TIOCGPTN, which C declares as sums.
        var (number, lock): (Int32, Int32) = (0, 0)
        #expect(ioctl(person, 0x4004_5431, &lock) == 0 && ioctl(person, 0x8004_5430, &number) == 0)
        let terminal = SystemTerminal(descriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
        async let answer = terminal.read("Buy it? ", isSecret: false)
        // Other tests may let it be shown again at any time.
        let again = "\r\u{1B}[KBuy it? "
        #expect(await shown(person, until: "Buy it? ").hasPrefix("Buy it? "))
        terminal.write("StoreKit: a line\n")
        let line = "\r\u{1B}[KStoreKit: a line\r\nBuy it? "
        #expect(await shown(person, until: line).replacing(again, with: "") == line)
        OpenQuestion.showAgain()
        #expect(await shown(person, until: again).hasSuffix(again))
        #expect(write(person, "yes\n", 4) == 4)
        #expect(await answer == "yes")
        _ = await shown(person, until: "yes\r\n")
        terminal.write("Nothing is asked.\n")
        #expect(await shown(person, until: "asked.\r\n") == "Nothing is asked.\r\n")
    }

    /// What comes on the terminal, up to a text. A thread of its own waits, so that whoever asks has one to run on.
    private func shown(_ person: Int32, until text: String) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var seen = ""
                var byte: UInt8 = 0
                var event = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
                while !seen.hasSuffix(text), poll(&event, 1, 600_000) == 1, read(person, &byte, 1) == 1 {
                    seen.unicodeScalars.append(Unicode.Scalar(byte))
                }
                continuation.resume(returning: seen)
            }
        }
    }

    @Test("X4: A higher price is shown, and in the sandbox answered; anything but a yes or a no leaves it open")
    func price() async throws {
        let answers: [(String?, StoreEnvironment, String, PriceReply)] = [
            ("yes", .sandbox, "en", .agreed), ("N", .sandbox, "en", .refused), ("", .sandbox, "en", .unanswered),
            (nil, .sandbox, "en", .unanswered), ("nein", .sandbox, "de", .refused),
            ("否", .sandbox, "zh-Hans", .refused), ("yes", .production, "en", .unanswered),
        ]
        for (line, environment, language, reply) in answers {
            let terminal = ScriptedTerminal([line])
            let question = PriceQuestion(
                title: "Club", text: "The price rises.", subscription: try TransactionID(number: 2_000_000_000_000_001),
                environment: environment, language: language)
            #expect(await TerminalPrompt(terminal).askPrice(question) == reply)
            let command = "till subscriptions price agree 2000000000000001"
            #expect(terminal.screen.hasPrefix("Club: The price rises.\n"))
            #expect(
                terminal.screen.contains(command + (environment == .sandbox ? "\n" : " --environment production\n")))
        }
    }

    @Test("A notice is told with the place to go to")
    func notice() async throws {
        let terminal = ScriptedTerminal([])
        await TerminalPrompt(terminal).tell(PromptNotice("Complete it at:", address: "https://bank.example.com"))
        await TerminalPrompt(terminal).tell(PromptNotice("Done."))
        #expect(terminal.screen == "Complete it at:\nhttps://bank.example.com\nDone.\n")
    }
}

/// A terminal with a person who types what a test wants, and what stands on it then.
final class ScriptedTerminal: PromptTerminal {
    private struct State {
        var lines: [String?]
        var screen = ""
    }

    private let state: Mutex<State>

    init(_ lines: [String?]) {
        state = Mutex(State(lines: lines))
    }

    var screen: String { state.withLock { $0.screen } }

    func write(_ text: String) { state.withLock { $0.screen += text } }

    func read(_ question: String, isSecret: Bool) async -> String? {
        state.withLock { state in
            let line = state.lines.isEmpty ? nil : state.lines.removeFirst()
            state.screen += question + (isSecret ? "(hidden)" : line ?? "") + "\n"
            return line
        }
    }
}
