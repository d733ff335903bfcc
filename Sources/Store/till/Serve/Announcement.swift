import Foundation

/// What a started store says on standard output.
struct Announcement: Sendable {
    let production: String
    let sandbox: String
    let dataDirectory: String
    let database: String
    let process: Int32
    /// Whether the store has the products of the demo, so that something can be tried at once.
    let isDemo: Bool
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
          Sandbox     \(sandbox)
          Data        \(dataDirectory) (\(database))

        Stop it with Ctrl-C. Is all well? \(till) doctor \(data)\(isDemo ? demo : "")
        """
    }

    /// This program, as whoever reads the lines can call it.
    private var till: String { Self.quoted(program) }
    private var data: String { "--data \(Self.quoted(dataDirectory))" }

    /// What to try next, to be copied as it is.
    private var demo: String {
        """


        It sells the products of a demo to \(DemoTester.email) (password: \(DemoTester.password)). In another terminal:

        Buy       \(till) buy \(DemoTester.product) --app \(DemoTester.bundle) \\
                    --customer \(DemoTester.email) \(data)
        See it    \(till) transactions show last \(data)
        Verify    curl -s \(sandbox)/verifyReceipt -d \
        "{\\"receipt-data\\":\\"$(\(till) transactions receipt last \(data))\\"}"
        Refund    \(till) transactions refund last \(data)
        """
    }

    /// As a shell reads it as one word.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || "/._-+:@".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
