import CommandOptions
import Foundation
import StoreHTTP
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// `till listen`
enum ListenCommand {
    static let app = Option<BundleID?>.optional(
        "app", CatalogueOptions.bundleFormat, help: "Only what the server of this app is told; else of all apps.")
    static let forward = Option<String?>.optional(
        "forward-to", .text("URL"),
        help: "Post to this address what the store would post, such as http://localhost:3000/till.")
    private static let name = Option<String?>.optional(
        "name", .text("NAME"),
        help: "Take the place of the listener of this name, which ends, and go on with what it has not answered.")
    private static let verbose = Option<Bool>.flag("verbose", help: "Show what each notification says, decoded.")
    private static let root = Option<String?>.optional(
        "root", .file(), help: "Trust this root, in PEM or DER, instead of those that the store names.")

    static let command = Command<TillProgram.Action>(
        "listen", "Hear on this machine what the servers of apps are told, and forward it to a server here.",
        discussion: """
            It asks the store by itself, so it works behind routers and firewalls, for a store elsewhere too. An app's own \
            address gets the same beside it. Each notification is verified, printed in a line, and posted on with the \
            body and the fields that the store would send. It ends with Ctrl-C; one that is killed has ended after \
            \(NotificationListeners.lease.components.seconds) seconds. What happens while nobody listens is not told later.
            """,
        options: RunningStore.options + [
            SaleOptions.environment, app, forward, name, root, verbose, StandardOptions.json,
        ],
        examples: [
            Example("To a server on this machine", "till listen --forward-to http://localhost:3000/till"),
            Example("What an app's server is told, in full", "till listen --app com.example.app --verbose"),
            Example(
                "Of a store elsewhere",
                "TILL_TOKEN=$TOKEN till listen --store https://store.example.com --forward-to http://localhost:3000/"),
        ],
        exitCodes: RunningStore.exitCodes + [
            .usage.when("The address to forward to is none."),
            .failure.when("The store lets nobody else listen, or another listener has the name now."),
        ],
        seeAlso: ["till trigger", "till notifications list"], action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let target = try arguments[forward].map(ForwardTarget.init)
        // First of all, so that a signal while it begins ends the listener too.
        let requests = ProcessSignals.requests()
        try await RunningStore.with(arguments, context) { store in
            let session = ListenSession(
                store, path: SaleOptions.path(arguments),
                wanted: ListenerRequest(bundleId: arguments[app], name: arguments[name]),
                root: try arguments[root].map(ReceiptCommand.certificate), target: target,
                output: ListenOutput(context, isJSON: arguments[StandardOptions.json], isVerbose: arguments[verbose]))
            let listening = Task { try await session.run() }
            let ending = Task {
                for await request in requests {
                    if case .stop = request { return listening.cancel() }
                }
            }
            let result = await listening.result
            ending.cancel()
            await session.end()
            await target?.close()
            if case .failure(let error) = result, !listening.isCancelled { throw error }
        }
    }
}

/// A receiver that listens: it asks the store again and again, and says what became of each notification.
actor ListenSession {
    private let store: AdminConnection
    private let path: String
    private var wanted: ListenerRequest
    private let root: Certificate?
    private let target: ForwardTarget?
    private let output: ListenOutput
    private var listener: NotificationListenerID?

    /// How long a question waits. The lease of a listener is longer, so that an answer on its way ends nothing.
    private static let wait = 20
    /// How long it waits before it asks a store again that did not answer.
    private static let pause = Duration.seconds(1)

    init(
        _ store: AdminConnection, path: String, wanted: ListenerRequest, root: Certificate?, target: ForwardTarget?,
        output: ListenOutput
    ) {
        (self.store, self.path, self.wanted, self.root) = (store, path + "/notification-listeners", wanted, root)
        (self.target, self.output) = (target, output)
    }

    /// Listens until the task is cancelled, or the store refuses.
    func run() async throws {
        var verifier = try await begin()
        var isAway = false
        while !Task.isCancelled {
            do {
                guard let listener else { return }
                let asked = SystemClock.nanoseconds()
                let heard = try await store.ask(
                    "GET", "\(path)/\(listener)/notifications?wait=\(Self.wait)", as: HeardNotifications.self)
                if isAway { output.note("The store answers again.") }
                isAway = false
                for one in heard.items { try await take(one, listener, verifier) }
                // A store that is being stopped lets nobody wait.
                if heard.items.isEmpty, SystemClock.nanoseconds() - asked < 1_000_000_000 {
                    try await Task.sleep(for: Self.pause)
                }
            } catch let failure as CommandFailure where failure.exitCode == .inputMissing {
                verifier = try await begin()
                output.note(
                    "The store had not heard of this listener for a while; it began anew. What happened meanwhile is not "
                        + "told; till notifications list has it.")
            } catch let failure as CommandFailure where failure.exitCode == .unavailable && !Task.isCancelled {
                if !isAway { output.note("The store does not answer; it is asked again.") }
                isAway = true
                try await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Begins to listen; gives what verifies. It is refused where another took its name.
    private func begin() async throws -> JWSVerifier {
        wanted.formerListenerId = listener
        let begun = try await store.ask("POST", path, wanted, as: ListenerReport.self)
        listener = begun.listenerId
        let roots =
            try root.map { [$0] }
            ?? begun.roots.map { text in
                guard let bytes = Base64.decode(text) else {
                    throw CommandFailure(.failure, "the store names a root that is no certificate")
                }
                return try Certificate(derRepresentation: bytes)
            }
        output.ready(begun, app: wanted.bundleId, target: target)
        return try JWSVerifier(roots: roots)
    }

    /// Verifies, forwards, prints and answers one notification.
    private func take(
        _ heard: HeardNotificationReport, _ listener: NotificationListenerID, _ verifier: JWSVerifier
    ) async throws {
        let decoded = DecodedNotification(body: Array(heard.body.utf8), verifier: verifier)
        let forwarded = try await target?.post(heard)
        try Task.checkCancellation()
        output.print(heard, decoded, forwarded)
        let outcome = forwarded?.outcome ?? NotificationOutcome(.success)
        let answer = HeardAnswerRequest(
            notificationUUID: heard.notificationUUID, result: outcome.result, status: outcome.status,
            detail: outcome.detail, milliseconds: forwarded?.milliseconds ?? 0)
        try await store.send("POST", "\(path)/\(listener)/answers", answer)
    }

    /// Ends the listener, if the store can be told; else its lease does.
    func end() async {
        guard let listener else { return }
        try? await store.send("DELETE", "\(path)/\(listener)")
        output.note("Ended.")
    }
}
