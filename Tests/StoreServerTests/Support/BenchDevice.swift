import Foundation
import StoreHTTP
import StoreModel
import StoreService
import StoreSigning
import Testing

@testable import StoreServer

/// A device that speaks with a ``ListenerBench``, as StoreKit does.
struct BenchDevice {
    let bench: ListenerBench
    let key: PrivateKey
    var identifier = UUID()
    var token = ""

    init(_ bench: ListenerBench) throws {
        self.bench = bench
        key = try PrivateKey.p256()
    }

    /// What a registration says, signed at a time by some key.
    func registration(
        signedBy signer: PrivateKey? = nil, at time: Instant? = nil, for bundle: String = ListenerBench.bundle,
        in environment: StoreEnvironment = .sandbox
    ) async throws -> [String: Any] {
        let time = time ?? bench.time.current
        let issued = try await bench.control("POST", "/profiles", ["bundleId": ListenerBench.bundle])
        let said: [String: Any] = [
            "profile": try #require(issued.json["profile"]), "bundleId": bundle,
            "publicKey": Base64.encode(try key.publicKey.derRepresentation),
            "signedAt": time.millisecondsSinceEpoch, "deviceIdentifier": identifier.uuidString,
            "vendorIdentifier": UUID().uuidString, "appVersion": "1.0", "language": "en-US",
        ]
        var signed = try signed(said, by: signer, in: environment)
        signed["bundleId"] = ListenerBench.bundle
        return signed
    }

    /// A registration with the signature that covers it.
    func signed(
        _ said: [String: Any], by signer: PrivateKey? = nil, in environment: StoreEnvironment = .sandbox
    ) throws -> [String: Any] {
        var said = said
        said["signature"] = ""
        let request = try JSONDecoder().decode(
            DeviceRegistrationRequest.self, from: JSONSerialization.data(withJSONObject: said))
        let statement = request.statement(in: environment)
        said["signature"] = Base64.encode(try (signer ?? key).signature(for: statement.utf8))
        return said
    }

    @discardableResult
    mutating func register(_ registration: [String: Any]? = nil) async throws -> ListenerBench.Answer {
        let body: [String: Any]
        if let registration { body = registration } else { body = try await self.registration() }
        let answer = try await bench.ask("POST", "/device/v1/devices", body)
        if let token = answer.json["token"] as? String { self.token = token }
        return answer
    }

    func ask(
        _ method: String, _ path: String, _ body: [String: Any]? = nil, key: String? = nil
    ) async throws -> ListenerBench.Answer {
        try await bench.ask(method, "/device/v1" + path, body, token: token, key: key)
    }

    /// Asks for a product, and says yes with the token of the purchase.
    func buy(_ product: String, key: String = UUID().uuidString) async throws -> ListenerBench.Answer {
        let opened = try await ask("POST", "/purchases", ["productId": product], key: key)
        guard let token = (opened.json["confirmation"] as? [String: Any])?["token"] else { return opened }
        return try await ask("POST", "/purchases/\(key)/confirmation", ["token": token])
    }
}

extension ListenerBench {
    /// A device on which somebody is signed in.
    func device(of email: String = "ada@example.com") async throws -> BenchDevice {
        _ = try await control("POST", "/customers", ["email": email, "password": Self.password])
        var device = try BenchDevice(self)
        #expect(try await device.register().status == 201)
        let answer = try await device.ask("POST", "/sign-in", ["email": email, "password": Self.password])
        #expect(answer.status == 200, "\(answer.text)")
        return device
    }
}
