import StoreModel
import TestSupport
import Testing

@testable import till

/// What `till content` shows, and where it sends a token.
@Suite("till content", .bounded)
struct ContentCommandTests {
    private func context(_ lines: Observed<String>, isTerminal: Bool) -> CommandContext {
        CommandContext(
            arguments: [], environment: [:], now: .latest, write: { _ in },
            warn: { bytes in lines.update { $0 += String(decoding: bytes, as: UTF8.self) } }, outputIsTerminal: false,
            errorIsTerminal: isTerminal)
    }

    @Test("R6.3: A bar says how much is done, how fast, and how long it will take")
    func bar() {
        let line = TransferBar.bar("pushing", 450_000_000, 1_800_000_000, rate: 10_000_000)
        #expect(line == "pushing [######..................] 25 %, 450.0 MB of 1.8 GB, 10.0 MB/s, 2:15 left")
        #expect(
            TransferBar.bar("pushing", 0, 0, rate: 0) == "pushing [........................] 0 %, 0 bytes of 0 bytes")
    }

    @Test("R6.3: Without a terminal there is a line for each tenth, and none for what is over in a moment")
    func plain() {
        let (lines, time) = (Observed(""), Observed<Int64>(0))
        let bar = TransferBar("pushing", context(lines, isTerminal: false), since: { time.value })
        bar.show(50, of: 100)
        #expect(lines.value == "")
        time.update { $0 = 2_000_000_000 }
        for done in Int64(51)...75 { bar.show(done, of: 100) }
        bar.end()
        #expect(lines.value == "pushing: 51 % of 100 bytes\npushing: 60 % of 100 bytes\npushing: 70 % of 100 bytes\n")
    }

    @Test("On a terminal the bar is taken away when something is said, and at the end")
    func terminal() {
        let (lines, time) = (Observed(""), Observed<Int64>(0))
        let bar = TransferBar("pushing", context(lines, isTerminal: true), since: { time.value })
        time.update { $0 = 2_000_000_000 }
        bar.show(50, of: 100)
        #expect(lines.value.hasPrefix("\r\u{1B}[Kpushing [############"))
        bar.say("trying again")
        #expect(lines.value.hasSuffix("\r\u{1B}[Ktrying again\n"))
    }

    @Test(
        "Bytes are written with the unit that people would choose",
        arguments: [
            (0, "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (2_000_000_000, "2.0 GB"), (5_000_000_000_000_000, "5000.0 TB"),
        ] as [(Int64, String)])
    func bytes(_ bytes: Int64, _ text: String) {
        #expect("\(ByteText(bytes))" == text)
    }

    @Test("A token goes over TLS, or to this machine")
    func origins() throws {
        #expect(try ContentStore.origin(of: "https://store.example.com/") == "https://store.example.com")
        #expect(try ContentStore.origin(of: "https://store.example.com:8443") == "https://store.example.com:8443")
        #expect(try ContentStore.origin(of: "http://127.0.0.1:8080") == "http://127.0.0.1:8080")
        for address in [
            "http://store.example.com", "ftp://store.example.com", "https://user@store.example.com",
            "store.example.com",
            "https://store.example.com/path", "https://store.example.com?x=1", "https://",
            "http://localhost.example.com",
        ] {
            #expect(throws: CommandFailure.self, "\(address)") { try ContentStore.origin(of: address) }
        }
    }

    @Test("The package of a folder lies beside it")
    func places() {
        #expect(ContentCommand.packagePath(of: "chapter1") == "chapter1.pkg")
        #expect(ContentCommand.packagePath(of: "book/chapter1/") == "book/chapter1.pkg")
        #expect(ContentCommand.packagePath(of: ".") == "content.pkg")
    }
}
