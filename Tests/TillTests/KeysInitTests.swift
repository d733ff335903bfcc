import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

@Suite("till keys init (X9, X11)", .bounded) struct KeysInitTests {
    @Test("makes both environments and says where") func makesBothEnvironments() async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "init")
        #expect(run.status == 0)
        #expect(
            run.text == """
                Made the production keys in \(transcript.data)/keys/production
                Made the sandbox keys in \(transcript.data)/keys/sandbox

                """)
        #expect(run.errors.isEmpty)
    }

    @Test("lets certificates name where they are asked about, where settings say it") func namesAddress() async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "init", "--sandbox-public-url", "https://sandbox.shop.example")
        #expect(run.status == 0)
        let keys = KeyStore(dataDirectory: transcript.data)
        #expect(try keys.onlineChecks(of: .sandbox) == "http://sandbox.shop.example/ocsp/sandbox")
    }

    @Test("leaves existing keys exactly as they are") func leavesExistingKeys() async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let before = try transcript.files()
        let run = await transcript.till("keys", "init", "--environment", "sandbox", "--organization", "Another")
        #expect(run.status == 0)
        #expect(run.text.contains("left as they are"))
        #expect(try transcript.files() == before)
        #expect(before.keys.contains("keys/sandbox/keyring.json"))
    }

    @Test("never makes new keys where a keyring was lost") func neverMakesNew() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        #expect(unlink(transcript.data + "/keys/sandbox/keyring.json") == 0)
        let before = try transcript.files()
        for word in ["init", "show"] {
            let run = await transcript.till("keys", word, "--environment", "sandbox")
            #expect(run.status == 78)
            #expect(run.errors.contains("keyring.json is missing, though its folder is there; bring it back"))
        }
        #expect(try transcript.files() == before)
    }

    @Test("closes its folders to others whatever the umask") func closesFoldersOthers() throws {
        let transcript = try Transcript()
        let folder = transcript.data + "/deep/er"
        let run = try TillProcess(["keys", "init", "--environment", "sandbox", "--data", folder], umask: 0).finish()
        #expect(run.status == 0)
        for path in [folder, folder + "/keys", folder + "/keys/sandbox"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700, "\(path)")
        }
    }

    @Test("tells a script what it made") func tellsScriptWhat() async throws {
        struct Made: Decodable {
            struct Environment: Decodable {
                let environment: String
                let created: Bool
                let path: String
            }
            let environments: [Environment]
        }
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let made = try await transcript.till("keys", "init", "--json").json(Made.self).environments
        #expect(made.map(\.environment) == ["production", "sandbox"])
        #expect(made.map(\.created) == [true, false])
        #expect(made[0].path == transcript.data + "/keys/production")
    }

    @Test("closes every key file to others") func closesEveryKey() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let names = try transcript.files().keys.filter { $0.hasSuffix(".key") }
        #expect(names.count == 7)
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: transcript.data + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let folder = try FileManager.default.attributesOfItem(atPath: transcript.data + "/keys")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test("puts the operator's name into the certificates") func putsOperatorS() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox", "--organization", "Bücher & Söhne")
        let shown = try await transcript.till("keys", "show", "--environment", "sandbox", "--json").json(ShownKeys.self)
        #expect(shown.environments[0].organization == "Bücher & Söhne")
        #expect(shown.environments[0].certificates[0].subject.contains("O=Bücher & Söhne"))
    }

    @Test("refuses a name that does not fit a certificate", arguments: ["", String(repeating: "x", count: 33)])
    func refusesNameDoes(name: String) async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "init", "--organization=\(name)")
        #expect(run.status == 64)
        #expect(run.errors.contains("--organization"))
        #expect(try transcript.files().isEmpty)
    }

    @Test("says who else is at work") func saysWhoElse() async throws {
        let transcript = try Transcript()
        try FileManager.default.createDirectory(atPath: transcript.data + "/keys", withIntermediateDirectories: true)
        let lock = open(transcript.data + "/keys/lock", O_RDWR | O_CREAT, 0o600)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        let run = await transcript.till("keys", "init", "--environment", "sandbox")
        #expect(run.status == 75)
        #expect(run.errors == "till: another process is changing these keys; try again when it is done\n")
        #expect(try !transcript.files().keys.contains { $0.hasSuffix(".key") })
    }

    @Test("fails with a reason where nothing can be written") func failsWithReason() async throws {
        let transcript = try Transcript()
        let blocker = try transcript.file("blocker", "")
        let run = await transcript.till("keys", "init", "--data", blocker)
        #expect(run.status == 78)
        #expect(run.errors.contains(blocker))
    }
}
