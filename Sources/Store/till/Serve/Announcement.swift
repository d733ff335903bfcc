import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreService
import Synchronization

/// What a started store prints on standard output.
struct Announcement: Sendable {
    let production: String
    let sandbox: String
    let dataDirectory: String
    let database: String
    let process: Int32
    /// Whether the store has the products of the demo, so it can be tried at once.
    let isDemo: Bool
    /// The address that opens the console once; nil where nobody is shown one.
    let console: String?
    /// Whether the store is gone when it ends.
    let isPassing: Bool
    /// Whether it has others than the usual ports, which are taken.
    var hasOtherPorts = false
    /// Whether it sells the products of a file to a tester of its own.
    var hasTester = false
    /// The app of that file, if it has one alone.
    var app: BundleID?
    /// The name that this program was started by.
    var program = CommandLine.arguments.first ?? "till"

    /// The line that scripts wait for; its members and their order do not change.
    var json: String {
        #"{"event":"ready","production":"\#(production)","sandbox":"\#(sandbox)","pid":\#(process)}"#
    }

    /// A few lines for the person who started it.
    var banner: String {
        """
        Till \(TillProgram.version) is ready.

          Production  \(production)
          Sandbox     \(sandbox)\(hasOtherPorts ? portsLine : "")
          Data        \(dataDirectory) (\(database)\(isPassing ? ", gone when it ends" : ""))\(consoleLine)

        Stop it with Ctrl-C. Is all well? \(till) doctor \(data)\(isDemo ? demo + server : hasTester ? tester + server : "")

        """
    }

    /// Who can buy what a file sells.
    private var tester: String {
        """


        Its tester is \(DemoTester.email) (password: \(DemoTester.password)). What an app needs:

        Profile   \(till) provision \(app?.description ?? "BUNDLE") --sandbox \(data) > App.tillprofile
        """
    }

    private var portsLine: String {
        let usual = [ServeOptions.listen, ServeOptions.sandboxListen].compactMap(\.defaultText)
        return "\n              (others than usual: \(usual.joined(separator: " or ")) is taken)"
    }

    private var consoleLine: String {
        console.map {
            "\n  Console     \($0)\n              (opens once, within the hour; another: \(till) console \(data))"
        } ?? ""
    }

    /// The command with which the reader can call this program.
    private var till: String { Self.quoted(program) }
    private var data: String { "--data \(Self.quoted(dataDirectory))" }

    /// By which commands find the store; nothing for the place where they look anyway.
    static func option(forData path: String) -> String { path == DataOptions.usual ? "" : "--data \(quoted(path))" }

    /// What to try next, ready to be copied.
    private var demo: String {
        """


        It sells the products of a demo to \(DemoTester.email) (password: \(DemoTester.password)). In another terminal:

        Buy       \(till) buy \(DemoTester.product) \\
                    --customer \(DemoTester.email) \(data)
        See it    \(till) transactions show last \(data)
        Verify    curl -s \(sandbox)/verifyReceipt -d \
        "{\\"receipt-data\\":\\"$(\(till) transactions receipt last \(data))\\"}" \\
                    | grep -o '"status":[0-9]*'
        Refund    \(till) transactions refund last \(data)
        """
    }

    /// What a developer who has a server tries next.
    private var server: String {
        """


        A server of yours asks with a key, and is told what happens:

        Key       \(till) api-key create Backend --output backend.p8 \(data)
        Listen    \(till) listen --forward-to URL \(data)
        Trigger   \(till) trigger subscribed \(data)
        """
    }

    /// Quoted as one word of a shell.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || "/._-+:@".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// The public addresses of the environments, known once they listen.
final class PublishedAddresses: Sendable {
    private let addresses = Mutex<[StoreEnvironment: StoreAddress]>([:])

    subscript(environment: StoreEnvironment) -> StoreAddress? {
        get { addresses.withLock { $0[environment] } }
        set { addresses.withLock { $0[environment] = newValue } }
    }
}

/// The tester of the demo, whose password is public.
enum DemoTester {
    static let email = "tester@example.com"
    static let password = "monkeycredits"
    static let bundle = DemoCatalogue.bundleID
    static let product = "\(bundle).credits5"

    /// Makes the account in the sandbox, unless its address was ever used.
    static func enter(_ store: EnvironmentStore) async throws {
        let accounts = Accounts(store)
        guard try await !accounts.isKnown(email) else { return }
        _ = try await accounts.create(
            .init(email: email, password: password, firstName: "Demo", lastName: "Tester"), store.cause(.owner))
    }
}
