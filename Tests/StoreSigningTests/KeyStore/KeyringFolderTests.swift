import Foundation
import StoreModel
import Testing

@testable import StoreSigning

@Suite("The folder of an environment's keys") struct KeyringFolderTests {
    private func withFolder(_ body: (KeyringFolder) throws -> Void) throws {
        let keys = NSTemporaryDirectory() + "till-keyring-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let folder = KeyringFolder(keys: keys, environment: .sandbox)
        try folder.create { draft in
            try draft.write(Keyring(environment: .sandbox, organization: "Example"))
        }
        try body(folder)
    }

    private func keyring(certificates count: Int) -> Keyring {
        var keyring = Keyring(environment: .sandbox, organization: "Example")
        keyring.entries = (1...count).map { number in
            Keyring.Entry(
                purpose: .receipt, role: .intermediate, number: number, fingerprint: String(repeating: "ab", count: 32),
                issuedAt: Instant(millisecondsSinceEpoch: 1_795_262_400_000),
                retiredAt: Instant(millisecondsSinceEpoch: 1_795_262_400_000),
                revokedAt: Instant(millisecondsSinceEpoch: 1_795_262_400_000))
        }
        return keyring
    }

    @Test("A folder of one letter is made where the process is") func folderOneLetter() throws {
        try PrivateFile.makeFolder("k")
        #expect(rmdir("k") == 0)
    }

    @Test("A keyring of thousands of rotations is written and read (X11)") func keyringThousandsRotations() throws {
        try withFolder { folder in
            let keyring = keyring(certificates: 10_000)
            try folder.write(keyring)
            #expect(try folder.readKeyring() == keyring)
        }
    }

    @Test("A keyring that could not be read again is not written") func keyringCouldNot() throws {
        try withFolder { folder in
            let before = try folder.readKeyring()
            let error = #expect(throws: SigningError.self) { try folder.write(keyring(certificates: 30_000)) }
            #expect(error?.code == .tooLarge)
            #expect(try folder.readKeyring() == before)
        }
    }

    @Test("A draft that failed leaves no folder, and the next one starts anew") func draftFailedLeaves() throws {
        let keys = NSTemporaryDirectory() + "till-keyring-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let folder = KeyringFolder(keys: keys, environment: .production)
        struct Interruption: Error {}
        #expect(throws: Interruption.self) {
            try folder.create { draft in
                try draft.write(Keyring(environment: .production, organization: "First"))
                throw Interruption()
            }
        }
        #expect(try folder.readKeyring() == nil)
        try folder.create { draft in try draft.write(Keyring(environment: .production, organization: "Second")) }
        #expect(try folder.readKeyring()?.organization == "Second")
        #expect(try FileManager.default.contentsOfDirectory(atPath: keys) == ["production"])
    }
}
