import CommandOptions
import Dispatch
import Foundation
import SampleTerminal
import StoreBackendClient
import StoreKit

/// A magazine whose issues come from a server of its own, and which shows how an app sells what it did not know when it was made.
@main
struct Magazine {
    typealias Action = @MainActor @Sendable (ParsedArguments) -> Void

    private static let server = Option<String>.defaulted(
        "server", .text("URL"), to: "http://127.0.0.1:8090", environment: "MAGAZINES_SERVER",
        help: "Where the magazine's own server is.")

    private static let every = Option<Int>.defaulted(
        "every", .integer("SECONDS", in: 1...86_400), to: 30,
        help: "How often the server is asked for new issues while the app runs.")

    private static let eager = Option<Bool>.flag(
        "eager", help: "Take the next command while something is loaded, also in a pipe: pause needs that.")

    private static let program = Program<Action>(
        Command(
            "Magazines",
            "Buy issues of a magazine and subscribe to it, with StoreKit and a server of the magazine's own.",
            discussion: """
                Commands come from standard input, one a line; help shows them. In a pipe the next one begins when the \
                last one has ended, a download included, and the program ends with 0 if all of them succeeded.

                Where StoreKit needs to ask something, it asks on the terminal. In the sandbox nobody is asked if \
                STOREKIT_PROMPT is automatic and STOREKIT_ACCOUNT and STOREKIT_PASSWORD name a tester.

                Issues are in the folder Magazines of $XDG_DATA_HOME, usually ~/.local/share.
                """,
            options: [server, every, eager],
            examples: [
                Example("With a store from make run, in another terminal", "make sample APP=Magazines"),
                Example("In a script", "printf 'join ann correct-horse\\nbuy 1\\nread 1\\n' | Magazines"),
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
        do {
            let folder = AppFolder.named("Magazines")
            let client = try BackendClient(
                address: arguments[server], bundleID: "com.example.magazines", appVersion: "1.0",
                folder: folder.appendingPathComponent("Server"))
            let conversation = Conversation(isEager: arguments[eager], every: .seconds(arguments[every]))
            self.conversation = conversation
            conversation.begin(client, try Rack(in: folder))
        } catch {
            end("The app cannot begin: \((error as? BackendClientError)?.message ?? error.localizedDescription)", 1)
        }
        dispatchMain()
    }

    private static func end(_ text: String, _ code: Int32) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(code)
    }
}
