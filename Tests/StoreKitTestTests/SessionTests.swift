import Foundation
import StoreKit
import TestSupport
import Testing

@testable import StoreKitTest

@Suite("Making test sessions", .bounded)
struct SessionTests {
    @Test("X2: A session is made of a file's address, by either name, and of a resource's name")
    func made() async throws {
        let url = try Bench.url("Monkeys")
        let sessions = [
            try SKTestSession(contentsOf: url), try SKTestSession(contentsOfURL: url),
            try SKTestSession(configurationFileNamed: "Monkeys"),
        ]
        for session in sessions {
            let found = try await session.asCurrent { try await Bench.products(["monkeys.credits5", "nothing"]) }
            #expect(found.products.map(\.productIdentifier) == ["monkeys.credits5"])
            #expect(found.invalidProductIdentifiers == ["nothing"])
        }
    }

    @Test("What is no configuration makes no session, and says why")
    func refused() throws {
        let folder = FileManager.default.temporaryDirectory
        let broken = folder.appendingPathComponent("broken-\(UUID().uuidString).storekit")
        try Data(#"{"version":{"major":9}}"#.utf8).write(to: broken)
        defer { try? FileManager.default.removeItem(at: broken) }
        let cases: [(URL, SKTestError.Code)] = [
            (try #require(URL(string: "https://example.com/a.storekit")), .invalidURL),
            (folder.appendingPathComponent("no-such-file.storekit"), .fileNotFound), (broken, .invalidURL),
        ]
        for (url, code) in cases {
            #expect { try SKTestSession(contentsOf: url) } throws: { ($0 as? SKTestError)?.code == code }
        }
        #expect { try SKTestSession(configurationFileNamed: "Nothing") } throws: { error in
            (error as? SKTestError)?.code == .fileNotFound
        }
        #expect { try SKTestSession(contentsOf: broken) } throws: { "\($0.localizedDescription)".contains("version") }
    }

    @Test("The folder of a session goes away with it")
    func folder() async throws {
        var bench: Bench? = try Bench()
        let path = try #require(bench?.session.parts).scene.device.folder.path
        #expect(FileManager.default.fileExists(atPath: path))
        let gone = try FileWatch.observe(path, for: IN_DELETE_SELF) { !FileManager.default.fileExists(atPath: path) }
        bench = nil
        try await gone.wait { $0 }
    }

    @Test("The process leaves no folder behind, and talks to the session that was made last")
    func lastActivated() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            // What was registered first is called last.
            atexit {
                let folder = FileManager.default.temporaryDirectory.path
                let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? ["?"]
                if !all.contains(where: { $0.hasPrefix("storekit-test-\(getpid())-") }) { _exit(7) }
            }
            // What is wrong ends the process without that.
            let observer = TellingObserver()
            SKPaymentQueue.default().add(observer)
            let first = try Bench()
            var second: Bench? = try Bench()
            try second?.session.buyProduct(productIdentifier: "monkeys.jungle")
            try first.session.buyProduct(productIdentifier: "monkeys.credits5")
            try await observer.until("purchased jungle")
            guard !observer.lines.contains("purchased credits5") else { _exit(1) }
            second = nil
            try await observer.until("purchased credits5")
            guard SKPaymentQueue.default().storefront?.countryCode == "USA" else { _exit(2) }
            // Whoever names a session has it alone from then on.
            first.session.asCurrent {}
            guard SKPaymentQueue.default().storefront == nil else { _exit(3) }
            let third = try Bench()
            guard SKPaymentQueue.default().storefront?.countryCode == "USA" else { _exit(4) }
            await third.session.asCurrent { await Task.yield() }
            guard SKPaymentQueue.default().storefront == nil else { _exit(5) }
            exit(0)
        }
    }

    @Test("Errors have the domain, the codes and the texts of Apple's platforms")
    func errors() {
        let error = SKTestError(.noTransactionFound, "There is none.")
        #expect((error as NSError).domain == SKTestErrorDomain)
        #expect((error as NSError).code == 6)
        #expect(error.localizedDescription == "There is none.")
        #expect(SKTestError(.invalidURL).code == .invalidURL)
        let codes: [SKTestError.Code] = [
            .serviceUnavailable, .invalidProductIdentifier, .invalidProductType, .invalidURL, .fileNotFound,
            .noSubscriptionFound, .noTransactionFound, .invalidAction,
        ]
        #expect(codes.map(\.rawValue) == Array(0...7))
        do {
            throw error
        } catch SKTestError.noTransactionFound {
            #expect(Bool(true))
        } catch {
            Issue.record("the code does not match")
        }
    }
}
