import Foundation
import StoreModel
import TestSupport
import Testing

@testable import StoreBackend

@Suite("Contents that are paid for", .bounded)
struct ContentTests {
    private static let now = BackendSample.now
    private static let issue = BackendSample.issue.productID

    @Test(
        "R5.2, R5.3, R5.4: The proof comes along or was recorded before, and the content is given again and again",
        arguments: engines)
    func againAndAgain(dialect: SQLDialect) async throws {
        try await Self.withPages(dialect) { sample in
            let proof = try sample.proof([BackendSample.bought(BackendSample.issue)])
            let first = try await sample.backend.content(
                Self.issue, proof: proof, quantity: 1, for: sample.mary, at: Self.now)
            #expect(try String(contentsOfFile: first.path, encoding: .utf8) == "page 1")
            // printf 'page 1' | sha256sum
            #expect(first.digest == "0621a1c111cfd4554a172d9ecd490a9a8d6e4e66e0f444491b716fb1d00ab1b9")
            #expect((first.version, first.bytes, first.fileName) == ("1.0", 6, "pages.txt"))
            let days = Self.now + .seconds(30 * 86_400)
            #expect(try await sample.backend.content(Self.issue, for: sample.mary, at: days) == first)
            #expect(
                try await sample.backend.content(Self.issue, proof: proof, for: sample.mary, at: days) == first)
            #expect(
                try await sample.backend.contentFile(Self.issue, version: "1", for: sample.mary, at: days) == first)
            let granted = try await sample.backend.audit(of: sample.mary).filter { $0.action == .contentGranted }
            #expect(granted.map(\.detail) == ["issue-1 1.0", "issue-1 1.0", "issue-1 1.0"])
        }
    }

    @Test("R5.9: What does not pay is refused with its reason")
    func refusals() async throws {
        try await Self.withPages { sample in
            let refunded = BackendSample.bought(BackendSample.issue).refunded(after: 1)
            let ended = BackendSample.bought(BackendSample.monthly, 2, expires: Self.now)
            let credits = BackendSample.bought(BackendSample.credits, 3)
            func content(
                _ text: String, with bought: VerifiedTransaction..., quantity: Int? = nil, appVersion: String? = nil
            ) async -> BackendError.Code? {
                await code {
                    _ = try await sample.backend.content(
                        ProductID(parsing: text), proof: bought.isEmpty ? nil : try sample.proof(bought),
                        quantity: quantity, for: sample.mary, appVersion: appVersion, at: Self.now)
                }
            }
            #expect(await content("nowhere") == .unknownProduct)
            #expect(await content("issue-1") == .notPaid)
            #expect(await content("issue-1", with: credits) == .notPaid)
            #expect(await content("issue-1", with: ended) == .expired)
            #expect(await content("issue-1", with: refunded) == .revoked)
            #expect(await content("credits") == .unknownContent)
            let bought = BackendSample.bought(BackendSample.issue, 4)
            #expect(await content("issue-1", with: bought, quantity: 2) == .wrongQuantity)
            #expect(await content("issue-1", quantity: 2) == .wrongQuantity)
            #expect(await content("issue-1", quantity: 1) == nil)
            #expect(await content("issue-1", appVersion: "0.9") == .unknownContent)
            #expect(await content("issue-1", appVersion: "old") == .invalidValue)
        }
    }

    @Test("What is listed and paid for and not on the server yet is for later, and given once it is there")
    func notYetAdded() async throws {
        try await BackendSample.with { sample in
            try await sample.record(BackendSample.bought(BackendSample.issue))
            func content() async -> BackendError.Code? {
                await code { _ = try await sample.backend.content(Self.issue, for: sample.mary, at: Self.now) }
            }
            #expect(await content() == .contentUnavailable)
            try await sample.backend.addContent(
                try sample.file("page 1"), as: "issue-1", version: "1.0", at: Self.now)
            #expect(await content() == nil)
        }
    }

    @Test("A subscription gives the issues that it includes while it runs, and those that are bought stay")
    func included() async throws {
        try await Self.withPages { sample in
            let end = Self.now + .seconds(60)
            try await sample.record(BackendSample.bought(BackendSample.monthly, expires: end))
            func content(at instant: Instant) async -> BackendError.Code? {
                await code { _ = try await sample.backend.content(Self.issue, for: sample.mary, at: instant) }
            }
            #expect(await content(at: Self.now) == nil)
            #expect(await content(at: end) == .expired)
            var resubscribed = BackendSample.bought(BackendSample.monthly, 2, expires: end + .seconds(60))
            resubscribed.purchaseDate = end
            try await sample.record(resubscribed)
            #expect(await content(at: end) == nil)
            try await sample.record(BackendSample.bought(BackendSample.issue, 3))
            #expect(await content(at: end + .seconds(600)) == nil)
        }
    }

    @Test("P12: A download does not go on after a refund")
    func refundedMeanwhile() async throws {
        try await Self.withPages { sample in
            let bought = BackendSample.bought(BackendSample.issue)
            try await sample.record(bought)
            func file() async -> BackendError.Code? {
                await code {
                    _ = try await sample.backend.contentFile(Self.issue, version: "1.0", for: sample.mary, at: Self.now)
                }
            }
            #expect(await file() == nil)
            try await sample.record(bought.refunded(after: 1))
            #expect(await file() == .revoked)
        }
    }

    @Test("Versions go by number, each is added once, and an app gets the newest that is for it")
    func versions() async throws {
        try await Self.withPages { sample in
            let add = { (text: String, version: String, first: String?) in
                _ = try await sample.backend.addContent(
                    try sample.file(text), as: "issue-1", version: version, minimumAppVersion: first, at: Self.now)
            }
            try await add("nine", "1.9", nil)
            try await add("ten", "1.10", "3.0")
            try await sample.record(BackendSample.bought(BackendSample.issue))
            for (appVersion, version) in [("1.0", "1.9"), ("3.0", "1.10"), (nil, "1.10")] as [(String?, String)] {
                let file = try await sample.backend.content(
                    Self.issue, for: sample.mary, appVersion: appVersion, at: Self.now)
                #expect(file.version == version)
            }
            #expect(await code { try await add("ten", "1.10.0", nil) } == .invalidValue)
            #expect(await code { try await add("ten", "ten", nil) } == .invalidValue)
            #expect(try await sample.backend.contents().map(\.version) == ["1.10", "1.9", "1.0"])
            try await sample.backend.removeContent("issue-1", version: "1.10", at: Self.now)
            let left = try await sample.backend.content(Self.issue, for: sample.mary, at: Self.now)
            #expect(left.version == "1.9")
            let gone = await code {
                try await sample.backend.removeContent("issue-1", version: "1.10", at: Self.now)
            }
            #expect(gone == .unknownContent)
        }
    }

    @Test("The library keeps a file whole or not at all, and what a crash left goes with the next one")
    func library() async throws {
        var settings = BackendSettings(bundleIDs: [BackendSample.app])
        settings.limits.contentBytes = 6
        try await Self.withPages(settings: settings) { sample in
            let crashed = sample.folder + "/draft-of-a-crash"
            try Data("pag".utf8).write(to: URL(filePath: crashed))
            let long = await code {
                _ = try await sample.backend.addContent(
                    try sample.file("page 12"), as: "issue-2", version: "1.0", at: Self.now)
            }
            #expect(long == .invalidValue)
            #expect(!FileManager.default.fileExists(atPath: crashed))
            let missing = await code {
                _ = try await sample.backend.addContent(
                    sample.folder + "/nowhere", as: "issue-2", version: "1.0", at: Self.now)
            }
            #expect(missing == .contentUnavailable)
            let folder = await code {
                _ = try await sample.backend.addContent(sample.folder, as: "issue-2", version: "1.0", at: Self.now)
            }
            #expect(folder == .invalidValue)
            let drafts = try FileManager.default.contentsOfDirectory(atPath: sample.folder)
                .filter { $0.hasPrefix("draft") }
            #expect(drafts.isEmpty)
            let other = try await sample.backend.addContent(
                try sample.file("page 2"), as: "issue-2", version: "1.0", at: Self.now)
            try await sample.backend.removeContent("issue-2", version: "1.0", at: Self.now)
            #expect(FileManager.default.fileExists(atPath: other.path), "a download of it may run")
            #expect(try await sample.backend.removeUnusedFiles() == 1)
            #expect(!FileManager.default.fileExists(atPath: other.path))
            let kept = try #require(try await sample.backend.contents().first)
            #expect(FileManager.default.fileExists(atPath: kept.path))
        }
    }

    /// A backend that has the issue.
    private static func withPages(
        _ dialect: SQLDialect = .sqlite, settings: BackendSettings = BackendSettings(bundleIDs: [BackendSample.app]),
        _ body: (BackendSample) async throws -> Void
    ) async throws {
        try await BackendSample.with(dialect, settings: settings) { sample in
            try await sample.backend.addContent(
                try sample.file("page 1"), as: "issue-1", version: "1.0", minimumAppVersion: "1.0", at: now)
            try await body(sample)
        }
    }
}
