import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("till keys show (X6)") struct KeysShowTests {
    @Test("lists two chains of three for each environment, and what answers online") func listsTwoChains() async throws
    {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init")
        let shown = try await transcript.till("keys", "show", "--json").json(ShownKeys.self)
        #expect(shown.environments.map(\.environment) == ["production", "sandbox"])
        for environment in shown.environments {
            #expect(!environment.protected)
            #expect(
                environment.certificates.map(\.name) == [
                    "jws root 1 in_use", "jws intermediate 1 in_use", "jws leaf 1 in_use", "jws responder 1 in_use",
                    "receipt root 1 in_use", "receipt intermediate 1 in_use", "receipt leaf 1 in_use",
                ])
            #expect(
                environment.certificates.map(\.algorithm)
                    == Array(repeating: "P-256", count: 4) + Array(repeating: "RSA", count: 3))
            for certificate in environment.certificates {
                #expect(FileManager.default.fileExists(atPath: certificate.certificateFile))
                #expect(FileManager.default.fileExists(atPath: certificate.keyFile ?? ""))
                #expect(certificate.fingerprint.count == 64)
            }
        }
        let sandbox = shown.environments[1].certificates[2]
        #expect(sandbox.notBefore == "2000-01-01T00:00:00Z")
        #expect(sandbox.notAfter == "2101-01-01T00:00:00Z")
        let production = shown.environments[0].certificates[2]
        #expect(production.notBefore == "2026-11-20T12:00:00Z")
        #expect(production.notAfter == "2029-11-21T12:00:00Z")
    }

    @Test("shows a person what they need on one screen") func showsPersonWhat() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox", "--organization", "Example")
        let lines = await transcript.till("keys", "show", "--environment", "sandbox").text.split(separator: "\n")
        #expect(lines[0] == "Sandbox keys of Example, in \(transcript.data)/keys/sandbox")
        #expect(lines[1] == "  Private keys: without a passphrase")
        #expect(lines[2] == "  Signed data (JWS)")
        #expect(lines[3].hasPrefix("    root 1          P-256  2000-01-01 to 2101-01-01  "))
        #expect(lines[7] == "  Receipts (PKCS#7)")
        #expect(lines.count == 11)
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("Sandbox keys") })
    }

    @Test("shows a name that holds commands for terminals without obeying them") func showsNameHolds() async throws {
        let transcript = try Transcript()
        let name = "\u{1B}[31mred\n\u{9B}0m\u{202E}"
        let made = await transcript.till("keys", "init", "--environment", "sandbox", "--organization", name)
        #expect(made.status == 64)
        // Keys from before that was refused may have it.
        _ = try KeyStore(dataDirectory: transcript.data).create(.sandbox, organization: name, at: Transcript.start)
        let lines = await transcript.till("keys", "show", "--environment", "sandbox").text.split(separator: "\n")
        let shown = #"\u{1B}[31mred\u{A}\u{9B}0m\u{202E}"#
        #expect(try #require(lines.first) == "Sandbox keys of \(shown), in \(transcript.data)/keys/sandbox")
    }

    @Test("warns of an end that comes near, and of one that has come") func warnsEndComes() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "production")
        #expect(await transcript.till("keys", "show", "--environment", "production").errors.isEmpty)
        let near = try Instant(rfc3339: "2029-10-01T00:00:00Z")
        let soon = await transcript.till("keys", "show", "--environment", "production", at: near)
        #expect(soon.status == 0)
        #expect(soon.errors.contains("the production jws leaf ends on 2029-11-21"))
        #expect(soon.errors.contains("till keys rotate --environment production --from leaf"))
        let past = try Instant(rfc3339: "2029-12-01T00:00:00Z")
        let late = await transcript.till("keys", "show", "--environment", "production", at: past)
        #expect(late.errors.contains("the production receipt leaf ended on 2029-11-21"))
    }

    @Test("says how to begin where there is nothing") func saysHowBegin() async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(run.status == 66)
        #expect(run.errors == "till: there are no sandbox keys; make them with: till keys init\n")
        #expect(run.text.isEmpty)
    }

    @Test("names the file that is damaged, missing or exchanged") func namesFileDamaged() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let folder = transcript.data + "/keys/sandbox"
        let keyring = try #require(FileManager.default.contents(atPath: folder + "/keyring.json"))
        try FileManager.default.removeItem(atPath: folder + "/jws-leaf-1.pem")
        try FileManager.default.copyItem(atPath: folder + "/jws-root-1.pem", toPath: folder + "/jws-leaf-1.pem")
        let exchanged = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(exchanged.status == 78)
        #expect(exchanged.errors.contains("jws-leaf-1.pem is not the certificate that the keyring lists"))
        try FileManager.default.removeItem(atPath: folder + "/jws-leaf-1.pem")
        let missing = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(missing.status == 78)
        #expect(missing.errors.contains("jws-leaf-1.pem is missing"))
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: folder + "/jws-leaf-1.pem"))
        let garbage = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(garbage.status == 78)
        #expect(garbage.errors.hasPrefix("till: \(folder)/jws-leaf-1.pem is damaged: "))
        try keyring.prefix(keyring.count / 2).write(to: URL(fileURLWithPath: folder + "/keyring.json"))
        let damaged = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(damaged.status == 78)
        #expect(damaged.errors.contains("keyring.json is damaged"))
    }

    @Test("refuses folders and lists that others can write") func refusesFoldersLists() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        for path in ["keys", "keys/sandbox", "keys/sandbox/keyring.json", "keys/sandbox/jws-root-1.pem"] {
            let path = transcript.data + "/" + path
            let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? mode_t)
            #expect(chmod(path, mode | 0o020) == 0)
            let run = await transcript.till("keys", "show", "--environment", "sandbox")
            #expect(run.status == 78)
            #expect(run.errors.contains("close it with: chmod go-w \(path)"))
            #expect(chmod(path, mode) == 0)
        }
        #expect(await transcript.till("keys", "show", "--environment", "sandbox").status == 0)
    }

    @Test("does not wait for a pipe in the place of a file") func doesNotWait() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let path = transcript.data + "/keys/sandbox/keyring.json"
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
        let run = await transcript.till("keys", "show", "--environment", "sandbox")
        #expect(run.status == 78)
        #expect(run.errors.contains("is not a file"))
    }
}
