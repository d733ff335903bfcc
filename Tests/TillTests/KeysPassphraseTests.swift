import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("The passphrase of the keys") struct KeysPassphraseTests {
    @Test("from a file encrypts every private key") func fromFileEncrypts() async throws {
        let transcript = try Transcript()
        let file = try transcript.file("secret", "correct horse\nnot this line\n")
        #expect(
            await transcript.till("keys", "init", "--environment", "sandbox", "--passphrase-file", file).status == 0)
        let keys = try transcript.files().filter { $0.key.hasSuffix(".key") }
        #expect(keys.count == 7)
        for (name, content) in keys {
            #expect(
                String(decoding: content, as: UTF8.self).hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"), "\(name)")
        }
        let store = KeyStore(dataDirectory: transcript.data)
        #expect(try store.load(.sandbox, passphrase: Array("correct horse".utf8)).environment == .sandbox)
        #expect(throws: SigningError.self) { try store.load(.sandbox, passphrase: Array("wrong".utf8)) }
        #expect(throws: SigningError.self) { try store.load(.sandbox) }
    }

    @Test("is asked for twice where a person is there") func askedTwiceWhere() async throws {
        let transcript = try Transcript()
        let run = await transcript.till(
            "keys", "init", "--environment", "sandbox", "--ask-passphrase", answers: ["battery", "battery"])
        #expect(run.status == 0)
        let store = KeyStore(dataDirectory: transcript.data)
        #expect(try store.load(.sandbox, passphrase: Array("battery".utf8)).environment == .sandbox)
    }

    @Test("that differs the second time makes nothing") func differsSecondTime() async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "init", "--ask-passphrase", answers: ["battery", "batterie"])
        #expect(run.status == 65)
        #expect(try transcript.files().isEmpty)
    }

    @Test("is not asked for where nobody is there") func notAskedWhere() async throws {
        let transcript = try Transcript()
        let run = await transcript.till("keys", "init", "--ask-passphrase")
        #expect(run.status == 64)
        #expect(run.errors.contains("--passphrase-file"))
        #expect(try transcript.files().isEmpty)
    }

    @Test("must not be empty, absent or endless") func mustNotBe() async throws {
        let transcript = try Transcript()
        let empty = try transcript.file("empty", "\n")
        let long = try transcript.file("long", String(repeating: "x", count: 1025))
        #expect(await transcript.till("keys", "init", "--passphrase-file", empty).status == 65)
        #expect(await transcript.till("keys", "init", "--passphrase-file", long).status == 65)
        let missing = await transcript.till("keys", "init", "--passphrase-file", transcript.data + "/none")
        #expect(missing.status == 66)
        #expect(missing.errors.contains("cannot be read"))
        #expect(try !transcript.files().keys.contains { $0.hasPrefix("keys") })
    }

    @Test("must be right to rotate, or nothing changes") func mustBeRight() async throws {
        let transcript = try Transcript()
        let right = try transcript.file("right", "correct horse")
        let wrong = try transcript.file("wrong", "wrong horse")
        _ = await transcript.till("keys", "init", "--environment", "sandbox", "--passphrase-file", right)
        let before = try transcript.files()
        let refused = await transcript.till(
            "keys", "rotate", "--environment", "sandbox", "--from", "root", "--passphrase-file", wrong)
        #expect(refused.status == 77)
        #expect(
            refused.errors
                == "till: \(transcript.data)/keys/sandbox/jws-leaf-1.key: the passphrase does not open this key\n")
        let unasked = await transcript.till("keys", "rotate", "--environment", "sandbox")
        #expect(unasked.status == 77)
        #expect(unasked.errors.contains("--passphrase-file FILE"))
        #expect(try transcript.files() == before)
        let asked = await transcript.till("keys", "rotate", "--environment", "sandbox", answers: ["correct horse"])
        #expect(asked.status == 0)
        let new = try transcript.files().filter { $0.key.hasSuffix("-2.key") }
        #expect(new.count == 2)
        for content in new.values {
            #expect(String(decoding: content, as: UTF8.self).hasPrefix("-----BEGIN ENCRYPTED PRIVATE KEY-----"))
        }
    }

    @Test("never shows in any output") func neverShowsAny() async throws {
        let transcript = try Transcript()
        let file = try transcript.file("secret", "correct horse")
        let runs = [
            await transcript.till("keys", "init", "--environment", "sandbox", "--passphrase-file", file),
            await transcript.till("keys", "show", "--environment", "sandbox", "--json"),
            await transcript.till("keys", "rotate", "--environment", "sandbox", "--passphrase-file", file, "--json"),
        ]
        for run in runs {
            #expect(run.status == 0)
            #expect(!run.text.isEmpty)
            #expect(!(run.text + run.errors).contains("correct horse"))
            #expect(!(run.text + run.errors).contains("PRIVATE KEY"))
        }
    }
}
