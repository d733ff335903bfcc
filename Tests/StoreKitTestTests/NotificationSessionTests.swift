import Foundation
import Synchronization
import TestSupport
import Testing

@testable import StoreKitTest

/// What a test plays the app's server with.
final class HeardNotifications: Sendable {
    private let heard = Mutex<[String]>([])

    /// The signed payloads in the order in which they came.
    var payloads: [String] { heard.withLock { $0 } }
    var types: [String] { payloads.map { (try? Self.part(1, of: $0)["notificationType"] as? String) ?? "?" } }

    func add(_ payload: String) { heard.withLock { $0.append(payload) } }

    /// A part of a JWS: 0 is the header.
    static func part(_ index: Int, of jws: String) throws -> [String: Any] {
        var text = String(jws.split(separator: ".")[index])
        text = text.replacing("-", with: "+").replacing("_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        let data = try #require(Data(base64Encoded: text))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

@Suite("Notifications of a test session", .bounded)
struct NotificationSessionTests {
    private static let club = "monkeys.club"

    @Test("P4: The app's server has been told of everything when a call of the session returns")
    func told() throws {
        let (session, heard) = (try Bench().session, HeardNotifications())
        try session.onNotification { heard.add($0) }
        try session.buyProduct(productIdentifier: Self.club)
        #expect(heard.types == ["SUBSCRIBED"])
        try session.advance(by: .seconds(32 * 86_400))
        #expect(heard.types == ["SUBSCRIBED", "DID_RENEW"])
        try session.refundTransaction(identifier: #require(session.allTransactions().last).identifier)
        #expect(heard.types.last == "REFUND")
        try session.onNotification(nil)
        let count = heard.payloads.count
        try session.buyProduct(productIdentifier: "monkeys.credits5")
        #expect(heard.payloads.count == count)
    }

    @Test("P3: What it is told is signed with a chain of three certificates that ends in those of the session")
    func signed() throws {
        let (session, heard) = (try Bench().session, HeardNotifications())
        try session.onNotification { heard.add($0) }
        try session.buyProduct(productIdentifier: Self.club)
        let header = try HeardNotifications.part(0, of: #require(heard.payloads.first))
        let chain = try #require(header["x5c"] as? [String]).compactMap { Data(base64Encoded: $0) }
        #expect(chain.count == 3)
        let root = try #require(chain.last)
        #expect(session.rootCertificates.contains(root))
        let data = try HeardNotifications.part(1, of: #require(heard.payloads.first))["data"] as? [String: Any]
        #expect(data?["bundleId"] as? String == session.bundleIdentifier)
    }

    @Test("X3: What the server refused comes again by the time of the session, where that is wanted")
    func retried() throws {
        let (session, heard) = (try Bench().session, HeardNotifications())
        struct Down: Error {}
        try session.onNotification(retrying: true) { payload in
            heard.add(payload)
            if heard.payloads.count == 1 { throw Down() }
        }
        try session.buyProduct(productIdentifier: Self.club)
        #expect(heard.types == ["SUBSCRIBED"])
        try session.advance(by: .seconds(3600))
        #expect(heard.types == ["SUBSCRIBED", "SUBSCRIBED"])
        #expect(
            Set(heard.payloads.map { try? HeardNotifications.part(1, of: $0)["notificationUUID"] as? String }).count
                == 1)
        try session.advance(by: .seconds(48 * 3600))
        #expect(heard.payloads.count == 2, "what has arrived does not come again")
    }

    @Test("X12: Notifications come twice where a test wants it")
    func doubled() throws {
        let (session, heard) = (try Bench().session, HeardNotifications())
        try session.onNotification { heard.add($0) }
        try session.add(.notifications("SUBSCRIBED", .doubled))
        try session.buyProduct(productIdentifier: Self.club)
        #expect(heard.types == ["SUBSCRIBED", "SUBSCRIBED"])
    }

    @Test("The server may use the session while it is told something")
    func nested() throws {
        let session = try Bench().session
        let counts = Mutex<[Int]>([])
        try withExtendedLifetime(session) {
            try session.onNotification { [weak session] _ in
                let count = session?.allTransactions().count ?? 0
                counts.withLock { $0.append(count) }
            }
            try session.buyProduct(productIdentifier: Self.club)
        }
        #expect(counts.withLock { $0 } == [1])
    }
}
