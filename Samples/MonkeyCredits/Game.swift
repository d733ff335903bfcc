import CommandOptions
import Dispatch
import Foundation
import SampleTerminal
import StoreKit

/// A game without a game: it sells credits for a monkey, and shows how an app sells.
@main
struct Game {
    typealias Action = @MainActor @Sendable (ParsedArguments) -> Void

    private static let leaveUnfinished = Option<Bool>.flag(
        "leave-unfinished", help: "Deliver, but finish nothing: see what comes again at the next start.")

    private static let storeKit2 = Option<Bool>.flag(
        "storekit2", help: "Talk to the store by StoreKit 2. It is the same game with the same wallet.")

    private static let program = Program<Action>(
        Command(
            "MonkeyCredits", "Buy credits for a monkey, with StoreKit.",
            discussion: """
                Commands come from standard input, one a line; help shows them. In a pipe the next one begins when the \
                last one has ended, and the program ends with 0 if all of them succeeded.

                Where StoreKit needs to ask something, it asks on the terminal. In the sandbox nobody is asked if \
                STOREKIT_PROMPT is automatic and STOREKIT_ACCOUNT and STOREKIT_PASSWORD name a tester.

                What was bought is in the folder MonkeyCredits of $XDG_DATA_HOME, usually ~/.local/share, encrypted. Its key is in \
                the Secret Service of the desktop, or in a file beside it.
                """,
            options: [storeKit2, leaveUnfinished],
            examples: [
                Example("With a store from make run, in another terminal", "make sample APP=MonkeyCredits"),
                Example("The same by StoreKit 2", "make sample APP=MonkeyCredits ARGS=--storekit2"),
                Example("In a script", "printf 'buy 1\\ncredits\\n' | MonkeyCredits"),
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
        let folder = AppFolder.named("MonkeyCredits")
        do {
            let (wallet, leaves) = (try Wallet(in: folder), arguments[leaveUnfinished])
            let shop: any Shop =
                arguments[storeKit2]
                ? ModernShop(wallet, leavesUnfinished: leaves) : OriginalShop(wallet, leavesUnfinished: leaves)
            let conversation = Conversation(shop, in: CurrentSession.texts)
            self.conversation = conversation
            conversation.begin()
        } catch {
            end("The wallet in \(folder.path) cannot be opened: \(error.localizedDescription)", 1)
        }
        dispatchMain()
    }

    private static func end(_ text: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(code)
    }
}
