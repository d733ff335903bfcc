import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import Testing

@testable import StoreServer

/// A server of a developer that asks a ``ListenerBench`` with a key of its team.
struct ServerAPIBench: Sendable {
    let bench: ListenerBench
    let keyID: String
    let issuer: String
    let privateKey: PrivateKey

    /// - Parameter environments: what the key opens; that of the bench without it.
    init(_ bench: ListenerBench, environments: [String]? = nil, team: String? = nil) async throws {
        var wanted: [String: Any] = ["name": "backend"]
        wanted["environments"] = environments
        wanted["teamId"] = team
        let made = try await bench.control("POST", "/api-keys", wanted)
        #expect(made.status == 201, "\(made.text)")
        self.bench = bench
        keyID = try #require(made.json["keyId"] as? String)
        issuer = try #require(made.json["issuerId"] as? String)
        privateKey = try PrivateKey(pemRepresentation: #require(made.json["privateKey"] as? String))
    }

    /// What a token says; each part can be another one.
    struct Said {
        var keyID: String?
        var issuer: String?
        var issuedAt: Duration? = .zero
        var expiresAt: Duration = .seconds(300)
        var audience = BearerToken.audience
        var bundle: String? = ListenerBench.bundle
        var privateKey: PrivateKey?
    }

    /// A token, as clients sign one; times are counted from now.
    func token(_ said: Said = Said()) throws -> String {
        let now = bench.time.current
        let claims = BearerTokenClaims(
            issuerID: said.issuer ?? issuer, issuedAt: said.issuedAt.map { now + $0 }, expiresAt: now + said.expiresAt,
            audience: said.audience, bundleID: said.bundle)
        return try BearerToken.make(
            claims, with: NamedKey(keyID: said.keyID ?? keyID, key: said.privateKey ?? privateKey))
    }

    func get(_ path: String, _ said: Said = Said()) async throws -> ListenerBench.Answer {
        try await bench.ask("GET", "/inApps" + path, token: token(said))
    }

    /// Buys something without a device, and gives the transaction.
    func buy(_ product: String, for email: String = "ada@example.com") async throws -> String {
        _ = try await bench.control("POST", "/customers", ["email": email])
        let order = [
            "customer": email, "bundleId": ListenerBench.bundle, "productId": "\(ListenerBench.bundle).\(product)",
        ]
        let bought = try await bench.ask(
            "POST", "/control/v1/purchases", order, token: ListenerBench.token, key: UUID().uuidString)
        #expect(bought.status == 201, "\(bought.text)")
        return try #require(bought.json["transactionId"] as? String)
    }
}

extension ListenerBench.Answer {
    /// The number of an error of the App Store Server API.
    var errorCode: Int? { json["errorCode"] as? Int }
    /// What the sandbox says beside it.
    var reason: String { fields["Till-Reason"] ?? "" }
}
