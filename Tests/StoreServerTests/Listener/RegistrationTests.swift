import Foundation
import StoreModel
import StoreService
import StoreSigning
import TestSupport
import Testing

@testable import StoreServer

@Suite("A device proves that it holds its key", .bounded)
struct RegistrationTests {
    @Test("A proof of another key, bundle, environment or time is refused, and makes no device")
    func refused() async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        let other = try PrivateKey.p256()
        let (now, tolerance) = (bench.time.current, RegistrationRequest.tolerance)
        let proofs: [([String: Any], String)] = [
            (try await device.registration(signedBy: other), "signature"),
            (try await device.registration(for: "com.example.other"), "signature"),
            (try await device.registration(in: .production), "signature"),
            (try await device.registration(at: now - tolerance - .milliseconds(1)), "signedAt"),
            (try await device.registration(at: now + tolerance + .milliseconds(1)), "signedAt"),
        ]
        for (registration, parameter) in proofs {
            let answer = try await device.register(registration)
            #expect(answer.status == 403 && answer.code == "registration_refused", "\(answer.text)")
            #expect((answer.json["error"] as? [String: Any])?["parameter"] as? String == parameter)
        }
        // What was signed for one moment proves nothing of another.
        var moved = try await device.registration(at: now)
        moved["signedAt"] = (now + .seconds(1)).millisecondsSinceEpoch
        #expect(try await device.register(moved).status == 403)
        #expect((try await bench.control("GET", "/devices").json["items"] as? [Any])?.isEmpty == true)
        for moment in [now - tolerance, now + tolerance] {
            let registration = try await device.registration(at: moment)
            #expect(try await device.register(registration).status < 300)
        }
    }

    @Test("A proof that is repeated makes no second device, and is worth nothing later")
    func replayed() async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        let registration = try await device.registration()
        let first = try await device.register(registration)
        let old = device.token
        let second = try await device.register(registration)
        #expect(first.status == 201 && second.status == 200)
        #expect(first.json["deviceId"] as? String == second.json["deviceId"] as? String)
        #expect(try await bench.ask("GET", "/device/v1/device", token: old).status == 401)
        #expect(try await device.ask("GET", "/device").status == 200)
        bench.time.pass(RegistrationRequest.tolerance + .seconds(1))
        #expect(try await device.register(registration).status == 403)
        #expect(try await device.ask("GET", "/device").status == 200)
    }

    @Test("A key that turns up on another device was copied: nobody is signed in there, and the old token is void")
    func copied() async throws {
        let bench = try await ListenerBench()
        let original = try await bench.device()
        var copy = original
        copy.identifier = UUID()
        let answer = try await copy.register()
        #expect(answer.status == 200 && answer.json["isSignedIn"] as? Bool == false)
        #expect(try await copy.ask("GET", "/transactions").status == 401)
        #expect(try await original.ask("GET", "/device").status == 401)
        // The same device again keeps who is signed in.
        var same = try await bench.device(of: "bob@example.com")
        #expect(try await same.register().json["isSignedIn"] as? Bool == true)
    }

    @Test("Only a key on P-256 is a key of a device")
    func kinds() async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        var registration = try await device.registration()
        let statement = RegistrationRequest.statement(
            .sandbox, try BundleID(parsing: ListenerBench.bundle), signedAt: bench.time.current)
        let key = try PrivateKey.rsa()
        registration["publicKey"] = Base64.encode(try key.publicKey.derRepresentation)
        registration["signature"] = Base64.encode(try key.signature(for: statement.utf8))
        #expect(try await device.register(registration).status == 403)
        registration["publicKey"] = "AAAA"
        #expect(try await device.register(registration).status == 400)
    }

    @Test("A token ends with its time")
    func tokenEnds() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        bench.time.pass(DeviceToken.lifetime - .seconds(1))
        #expect(try await device.ask("GET", "/device").status == 200)
        bench.time.pass(.seconds(1))
        #expect(try await device.ask("GET", "/device").status == 401)
    }

    @Test("Signing in on one device goes on with nothing that waits on another")
    func signInElsewhere() async throws {
        let bench = try await ListenerBench()
        var waiting = try BenchDevice(bench)
        try await waiting.register()
        let key = UUID().uuidString
        let opened = try await waiting.ask(
            "POST", "/purchases", ["productId": "\(ListenerBench.bundle).credits5"], key: key)
        #expect(opened.json["state"] as? String == "sign-in")
        _ = try await bench.device()
        #expect(try await waiting.ask("GET", "/purchases/\(key)").json["state"] as? String == "sign-in")
    }

    @Test("The profile of one app lets no other app in")
    func otherProfile() async throws {
        let bench = try await ListenerBench()
        var device = try BenchDevice(bench)
        var registration = try await device.registration(for: "com.example.other")
        registration["bundleId"] = "com.example.other"
        let answer = try await device.register(registration)
        #expect(answer.status == 403 && answer.code == "registration_refused", "\(answer.text)")
        #expect((answer.json["error"] as? [String: Any])?["parameter"] as? String == "profile")
    }
}
