import Foundation
import StoreModel
import StoreSigning
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreKit

/// Which profiles an app can sell with, and where they are found.
@Suite("The provisioning profile of an app", .bounded)
struct ProfileTests {
    private func code(_ body: () throws -> SessionProfile) -> ProfileError.Code? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? ProfileError)?.code
        }
    }

    @Test("R1.9: A profile of one app will do; one for many, of another app, or that was changed, will not")
    func judged() async throws {
        let store = try await SessionStore()
        let text = try await store.profileText("com.example.monkeycredits")
        let profile = try SessionProfile(text + "\n", bundle: "com.example.monkeycredits")
        #expect(profile.store.count == 12)
        #expect(profile.bundle.text == "com.example.monkeycredits")
        let wild = try await store.profileText("com.example.*")
        #expect(code { try SessionProfile(wild, bundle: nil) } == .wildcard)
        #expect(code { try SessionProfile(text, bundle: "com.example.other") } == .otherApp)
        #expect(code { try SessionProfile("nothing", bundle: nil) } == .malformed)
        #expect(code { try SessionProfile("", bundle: nil) } == .malformed)
        var parts = text.split(separator: ".").map(String.init)
        let payload = try #require(Data(base64Encoded: Self.padded(parts[1])))
        let changed = String(decoding: payload, as: UTF8.self).replacingOccurrences(of: "127.0.0.1", with: "127.0.0.2")
        parts[1] = Data(changed.utf8).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
        #expect(code { try SessionProfile(parts.joined(separator: "."), bundle: nil) } == .untrusted)
    }

    private static func padded(_ text: String) -> String {
        let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        return standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    }

    @Test("In production the network is private: https, or a store on this machine")
    func notPrivate() async throws {
        for (environment, address, expected) in [
            (.production, "http://store.example.com", .notPrivate), (.production, "https://store.example.com", nil),
            (.production, "http://127.0.0.1:8080", nil), (.sandbox, "http://store.example.com", nil),
        ] as [(StoreEnvironment, String, ProfileError.Code?)] {
            // The store issues no such profile of production, so this one is made of one that will do.
            let good = try await SessionStore(environment).profile().content
            let profile = ProvisioningProfile(
                bundleId: good.bundleId, appId: good.appId, environment: environment,
                storeUrl: try StoreAddress(parsing: address), jwsRoots: good.jwsRoots,
                receiptRoots: good.receiptRoots, capabilitiesRevision: good.capabilitiesRevision,
                signedDate: SessionTime.start)
            let text = try SampleKeys.of(environment).jwsSigner().sign(encoding: profile, at: SessionTime.start)
            #expect(code { try SessionProfile(text, bundle: nil) } == expected, "\(environment) \(address)")
        }
    }

    @Test("The file that the environment names comes first, then one beside the executable, then the bundle's")
    func search() async throws {
        let store = try await SessionStore()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-profile-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ address: String, _ path: String) async throws -> URL {
            let file = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try await store.profileText("com.example.monkeycredits", at: address)
                .write(to: file, atomically: true, encoding: .utf8)
            return file
        }
        let named = try await write("http://127.0.0.1:1001", "named.txt")
        _ = try await write("http://127.0.0.1:1003", "resources/App.tillprofile")
        let executable = folder.appendingPathComponent("bin/app")
        func found(named: String?) throws -> String {
            try ProfileSearch(
                named: named, executable: executable, resources: folder.appendingPathComponent("resources"),
                bundle: nil
            ).profile().content.storeUrl.description
        }
        #expect(try found(named: nil) == "http://127.0.0.1:1003")
        _ = try await write("http://127.0.0.1:1002", "bin/Other.tillprofile")
        #expect(try found(named: nil) == "http://127.0.0.1:1002")
        _ = try await write("http://127.0.0.1:1004", "bin/app.tillprofile")
        #expect(try found(named: nil) == "http://127.0.0.1:1004")
        #expect(try found(named: named.path) == "http://127.0.0.1:1001")
        #expect(throws: ProfileError.self) { try found(named: "/nowhere") }
        let nothing = ProfileSearch(named: nil, executable: nil, resources: nil, bundle: nil)
        #expect(code { try nothing.profile() } == .missing)
    }

    @Test("A file that is no profile is named, with what is wrong with it")
    func namesTheFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("till-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let search = ProfileSearch(named: file.path, executable: nil, resources: nil, bundle: nil)
        let error = #expect(throws: ProfileError.self) { try search.profile() }
        #expect(error?.code == .malformed)
        #expect(
            error?.message
                == "the file is no provisioning profile; make one with till provision (\(file.path))")
    }

    @Test("R8.4: A language that the person sets is that of the products, and the storefront's news is told")
    func settings() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            bench.preferences.set(DevicePreferences(language: "de-DE"))
            _ = try await app.session.products(for: [SessionStore.credits])
            #expect(app.session.device.answer?.language == "de-DE")
            #expect(app.session.storefront?.countryCode.rawValue == "USA")
            app.attach()
            try await bench.store.addCustomer("hana@example.com", storefront: "JPN")
            try await app.session.signIn("hana@example.com", SessionStore.password)
            try await app.until("storefront")
            #expect(app.session.storefront?.countryCode.rawValue == "JPN")
        }
    }

    @Test("Without a network what was bought is there, and everything that needs it fails soon")
    func offline() async throws {
        let bench = try await SessionBench(SessionStore())
        try await bench.withSession { app in
            app.attach()
            app.buy(SessionStore.credits)
            try await app.until("purchased credits5")
        }
        let connection = CutConnection(bench.connection, at: 1, .before, length: .max / 2)
        try await bench.withSession(connection: connection) { app in
            app.attach()
            #expect(app.words == ["attached", "purchased credits5"])
            #expect(app.session.storefront?.countryCode.rawValue == "USA")
            #expect(FileManager.default.fileExists(atPath: app.session.receipt.url.path))
            await #expect(throws: SessionFailure.self) { try await app.session.products(for: [SessionStore.credits]) }
            await #expect(throws: SessionFailure.self) { try await app.session.refreshReceipt() }
            app.buy(SessionStore.credits)
            app.session.restore(applicationUsername: nil)
            try await app.until("failed credits5: cut")
            try await app.until("restore failed: cut")
            #expect(app.session.network.current == .unreachable)
            app.session.finish(try app.last(.purchased).key)
            try await app.until("removed")
        }
        try await bench.withSession { app in
            app.attach()
            try await app.untilFinishesAreTold()
        }
        let counts = try await bench.store.counts()
        #expect(counts == (1, 0))
    }

    @Test(
        "Without a profile every product is invalid; where the device's disk is full the request fails, and products are not called invalid"
    )
    func unusable() async throws {
        let without = UnprovisionedSession(report: { _ in })
        #expect(try await without.products(for: ["a"]).invalidIdentifiers == ["a"])
        let full = UnprovisionedSession(ProfileError(.device, "the disk is full"), report: { _ in })
        await #expect {
            try await full.products(for: ["a"])
        } throws: {
            ($0 as? SessionFailure)?.reason == "device_unusable"
        }
    }
}
