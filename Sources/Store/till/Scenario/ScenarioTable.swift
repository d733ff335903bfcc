import CommandOptions
import Foundation
import StoreModel
import StoreScenario
import Synchronization

/// The commands of `till` as lines of a scenario: the same table, in this process, over one store.
struct ScenarioTable: ScenarioCommands {
    private let store: AdminConnection

    init(_ store: AdminConnection) {
        self.store = store
    }

    /// The commands that a scenario has: those that work on a store that is there already.
    static let allowed: Set<String> = [
        "apps", "approvals", "approve", "audit", "buy", "catalogue", "clock", "codes", "devices", "family", "faults",
        "finance", "find", "groups", "inspect", "items", "ledger", "notifications", "offer-keys", "offers", "overview",
        "prices", "products", "purchases", "ratings", "refunds", "requests", "review", "subscriptions", "testers",
        "transactions", "trigger", "version", "versions", "why",
    ]

    /// What says which store is meant: the run does, for all lines alike.
    private static let places: [any OptionDeclaration] = [
        DataOptions.data, DatabaseOptions.database, BlobOptions.blobs, SettingsOptions.file, ContentStore.address,
        ContentStore.tokenFile, ContentStore.authorities, KeysOptions.passphraseFile,
    ]

    func complaint(about words: [String]) -> ScenarioComplaint? {
        do throws(Complaint) {
            _ = try Self.invocation(words)
            return nil
        } catch {
            return error.complaint
        }
    }

    func answer(to words: [String]) async -> ScenarioAnswer {
        let invocation: Invocation<TillProgram.Action>
        do throws(Complaint) {
            invocation = try Self.invocation(words)
        } catch {
            return .failure(code: "usage", message: error.complaint.message)
        }
        let (output, warnings) = (CollectedBytes(), CollectedBytes())
        var context = CommandContext(
            arguments: Array(words.dropFirst()), environment: [:], now: SystemClock.now(), write: output.add,
            warn: warnings.add, outputIsTerminal: false)
        context.store = store
        do {
            try await invocation.action(invocation.arguments, context)
            return .output(output.bytes)
        } catch {
            let failure = CommandFailure(error)
            return .failure(
                code: failure.refusal ?? Self.code(of: failure.exitCode), message: failure.message,
                output: output.bytes)
        }
    }

    // MARK: Words

    private struct Complaint: Error {
        let complaint: ScenarioComplaint

        init(_ word: String?, _ message: String) { complaint = ScenarioComplaint(word: word, message) }
    }

    /// The command that some words are, with `--json` where it has that.
    private static func invocation(_ words: [String]) throws(Complaint) -> Invocation<TillProgram.Action> {
        let found = try parsed(words)
        guard let name = found.path.dropFirst().first, allowed.contains(name) else {
            throw Complaint(
                words.dropFirst().first, "a scenario has no such command; it works on one store that is there already")
        }
        for option in places where found.arguments.setting(option).source == .commandLine {
            throw Complaint(option.longForm, "the run says which store is meant, for all lines alike")
        }
        // By its text: commands declare it in more than one way.
        guard found.arguments.setting(SaleOptions.environment).text != StoreEnvironment.production.rawValue else {
            throw Complaint(SaleOptions.environment.longForm, "a scenario never touches production")
        }
        guard found.arguments.declares(StandardOptions.json), !found.arguments[StandardOptions.json] else {
            return found
        }
        let end = words.firstIndex(of: "--") ?? words.endIndex
        var words = words
        words.insert(StandardOptions.json.longForm, at: end)
        return try parsed(words)
    }

    private static func parsed(_ words: [String]) throws(Complaint) -> Invocation<TillProgram.Action> {
        switch TillProgram.program.parse(words.dropFirst()) {
        case .run(let invocation): return invocation
        case .text: throw Complaint(nil, "this prints help, and does nothing")
        case .failure(let error):
            let sentence = [error.message, error.advice].compactMap { $0 }.joined(separator: " ")
            // A value is named by what it stands for; where it stands is found by what was typed.
            let isTyped = words.contains { $0 == error.subject || $0.hasPrefix("\(error.subject)=") }
            let value = words.first { sentence.contains("\"\(PrintableText($0))\"") }
            throw Complaint(isTyped ? error.subject : value, sentence)
        }
    }

    /// What a failure is called that is no refusal of the store.
    private static func code(of exit: ExitCode) -> String {
        switch exit {
        case .usage: "usage"
        case .badData: "bad_data"
        case .inputMissing: "input_missing"
        case .unavailable: "unavailable"
        case .tryAgain: "try_again"
        case .noPermission: "no_permission"
        case .inputOutput: "input_output"
        case .cannotCreate: "cannot_create"
        case .configuration: "configuration"
        default: "failure"
        }
    }
}

/// What a command printed.
private final class CollectedBytes: Sendable {
    private let content = Mutex<[UInt8]>([])

    var bytes: [UInt8] { content.withLock { $0 } }

    @Sendable func add(_ bytes: [UInt8]) { content.withLock { $0 += bytes } }
}
