import CommandOptions
import Dispatch
import Foundation
import StoreKit

/// An app that shows pages of the store: it finds items by the store's search, shows their pages, and opens links to them where
/// pages cannot be shown in apps.
@main
struct App {
    typealias Action = @MainActor @Sendable (ParsedArguments) -> Void

    private static let system = Option<SystemVersion?>.optional(
        "system",
        ValueFormat(
            "VERSION", rule: "a version such as 5.1", parse: { SystemVersion($0) }),
        help: "Behave as on this version of the system; before 6.0 there are no pages in apps.")

    private static let program = Program<Action>(
        Command(
            "ProductView", "Show pages of the store in an app, with StoreKit.",
            discussion: """
                Commands come from standard input, one a line; help shows them. In a pipe the program ends with 0 if all of \
                them succeeded.

                A page opens in the browser where there is one, and else in the terminal. It is over with Done on the page, \
                or Return in the terminal. In a pipe without a browser it stays, at the address that is said, for up to an hour; \
                with STOREKIT_PROMPT=automatic it is over at once.
                """,
            options: [system],
            examples: [
                Example("With a store from make run, in another terminal", "make sample APP=ProductView"),
                Example(
                    "As before there were pages in apps", "printf 'search ebb\\nview 1\\n' | ProductView --system 5.1"),
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
        case .failure(let error):
            FileHandle.standardError.write(Data("\(error.description)\n".utf8))
            exit(error.exitCode.rawValue)
        }
    }

    @MainActor
    private static func run(_ arguments: ParsedArguments) {
        let conversation = Conversation(on: arguments[system] ?? .current)
        self.conversation = conversation
        conversation.begin()
        dispatchMain()
    }
}

/// The version of a system, as apps compare it.
struct SystemVersion: Hashable, Comparable, Sendable {
    let numbers: [Int]

    /// That of the machine. Linux has pages in apps whichever it is, as they come with StoreKit.
    static let current = SystemVersion(numbers: [Int.max])
    /// The first with pages of the store in apps.
    static let withPages = SystemVersion(numbers: [6, 0])

    init(numbers: [Int]) { self.numbers = numbers }

    init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 ?? -1 >= 0 }) else { return nil }
        self.numbers = numbers.compactMap(\.self)
    }

    static func < (one: SystemVersion, other: SystemVersion) -> Bool {
        one.numbers.lexicographicallyPrecedes(other.numbers)
    }
}
