import CommandOptions
import Dispatch
import Foundation
import SampleTerminal
import StoreKit

/// An app that changes pictures, and sells how: functions that are in it already, and are unlocked.
@main
struct Darkroom {
    typealias Action = @MainActor @Sendable (ParsedArguments) -> Void

    /// The variable with the recovery passphrase.
    private static let passphrase = "PHOTOFILTERS_PASSPHRASE"

    private static let beginAnew = Option<Bool>.flag(
        "begin-anew",
        help: "Set aside what was bought if it cannot be opened, and begin with nothing: restore brings it back.")

    private static let program = Program<Action>(
        Command(
            "PhotoFilters", "Buy filters for pictures, with StoreKit, and use them.",
            discussion: """
                Commands come from standard input, one a line; help shows them. In a pipe the next one begins when the \
                last one has ended, and the program ends with 0 if all of them succeeded.

                Where StoreKit needs to ask something, it asks on the terminal. In the sandbox nobody is asked if \
                STOREKIT_PROMPT is automatic and STOREKIT_ACCOUNT and STOREKIT_PASSWORD name a tester.

                What was bought is in the folder PhotoFilters of $XDG_DATA_HOME, usually ~/.local/share, encrypted, and comes back with \
                a backup of it. Its key is in the Secret Service of the desktop, or in a file beside it. Where the key is missing, the \
                variable \(passphrase) has the passphrase that was set by the command protect.
                """,
            options: [beginAnew],
            examples: [
                Example("With a store from make run, in another terminal", "make sample APP=PhotoFilters"),
                Example("In a script", "printf 'buy 1\\nsepia photo.jpg brown.jpg\\n' | PhotoFilters"),
            ],
            exitCodes: [.failure.when("Something that was asked for failed; the output says what.")],
            action: { run($0) }))

    @MainActor private static var conversation: Conversation?

    @MainActor
    static func main() {
        let environment = ProcessInfo.processInfo.environment
        switch program.parse(CommandLine.arguments.dropFirst(), environment: environment) {
        case .run(let invocation): invocation.action(invocation.arguments)
        case .text(let text): print(text)
        case .failure(let error): end(error.description, error.exitCode.rawValue)
        }
    }

    @MainActor
    private static func run(_ arguments: ParsedArguments) {
        let folder = AppFolder.named("PhotoFilters")
        do {
            let conversation = Conversation()
            self.conversation = conversation
            conversation.begin(try open(folder, beginningAnew: arguments[beginAnew]))
        } catch {
            end(
                "What you bought cannot be opened: \(error.localizedDescription)\n"
                    + "Give the passphrase in \(passphrase), or set it aside by --begin-anew and restore.", 1)
        }
        dispatchMain()
    }

    private static func open(_ folder: URL, beginningAnew: Bool) throws -> Possessions {
        let passphrase = ProcessInfo.processInfo.environment[passphrase]
        do {
            return try Possessions(in: folder, passphrase: passphrase)
        } catch {
            guard beginningAnew, let aside = try Possessions.beginAnew(in: folder) else { throw error }
            FileHandle.standardError.write(Data("What could not be opened is in \(aside.path).\n".utf8))
            return try Possessions(in: folder, passphrase: nil)
        }
    }

    private static func end(_ text: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(code)
    }
}
