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

    @Test("A registration is good once: who has seen it go by gets no token, and who is signed in stays")
    func replayed() async throws {
        let bench = try await ListenerBench()
        var device = try await bench.device()
        let registration = try await device.registration()
        #expect(try await device.register(registration).status == 200)
        for moment in [Duration.zero, RegistrationRequest.tolerance - .seconds(1), .seconds(2)] {
            bench.time.pass(moment)
            let answer = try await bench.ask("POST", "/device/v1/devices", registration)
            #expect(answer.status == 403 && answer.code == "registration_refused", "\(answer.text)")
            #expect(try await device.ask("GET", "/device").json["isSignedIn"] as? Bool == true)
        }
        // The device itself signs another one, and is who it was.
        #expect(try await device.register().json["isSignedIn"] as? Bool == true)
    }

    @Test("The signature covers every member: whatever is changed on the way, nothing is registered")
    func changed() async throws {
        let bench = try await ListenerBench()
        var device = try await bench.device()
        let registration = try await device.registration()
        let other = try await BenchDevice(bench).registration()
        let changes: [(String, Any)] = [
            ("deviceIdentifier", UUID().uuidString), ("vendorIdentifier", UUID().uuidString), ("appVersion", "9"),
            ("language", "fr-FR"), ("storefront", "DEU"), ("isSimulator", true),
            ("publicKey", other["publicKey"] ?? ""),
            ("profile", (registration["profile"] as? String ?? "") + "A"),
            ("signedAt", bench.time.current.millisecondsSinceEpoch + 1),
        ]
        for (member, value) in changes {
            var changed = registration
            changed[member] = value
            #expect(try await bench.ask("POST", "/device/v1/devices", changed).status == 403, "\(member)")
        }
        #expect(try await device.register(registration).json["isSignedIn"] as? Bool == true)
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
        let key = try PrivateKey.rsa()
        registration["publicKey"] = Base64.encode(try key.publicKey.derRepresentation)
        registration = try device.signed(registration, by: key)
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
