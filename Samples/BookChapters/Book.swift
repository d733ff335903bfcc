import CommandOptions
import Dispatch
import Foundation
import SampleTerminal
import StoreKit

/// A book whose chapters are bought one by one, and which shows how an app loads content that the store hosts.
@main
struct Book {
    typealias Action = @MainActor @Sendable (ParsedArguments) -> Void

    private static let eager = Option<Bool>.flag(
        "eager",
        help: "Take the next command while something is loaded, also in a pipe: pause, resume and cancel need that.")

    private static let program = Program<Action>(
        Command(
            "BookChapters", "Buy the chapters of a book and load them, with StoreKit.",
            discussion: """
                Commands come from standard input, one a line; help shows them. In a pipe the next one begins when the \
                last one has ended, a download included, and the program ends with 0 if all of them succeeded.

                Where StoreKit needs to ask something, it asks on the terminal. In the sandbox nobody is asked if \
                STOREKIT_PROMPT is automatic and STOREKIT_ACCOUNT and STOREKIT_PASSWORD name a tester.

                Chapters are in the folder BookChapters/Documents of $XDG_DATA_HOME, usually ~/.local/share: a folder for each \
                product and version, and the current version of each as a link. What is owned is beside it, encrypted; its key is in the \
                Secret Service of the desktop, or in a file.
                """,
            options: [eager],
            examples: [
                Example("With a store from make run, in another terminal", "make sample APP=BookChapters"),
                Example("In a script", "printf 'buy 1\\nread 1\\n' | BookChapters"),
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
        let folder = AppFolder.named("BookChapters")
        do {
            let conversation = Conversation(isEager: arguments[eager])
            self.conversation = conversation
            conversation.begin(try Shelf(in: folder))
        } catch {
            end("The chapters in \(folder.path) cannot be opened: \(error.localizedDescription)", 1)
        }
        dispatchMain()
    }

    private static func end(_ text: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(code)
    }
}
