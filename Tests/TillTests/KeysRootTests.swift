import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("till keys root (X11)") struct KeysRootTests {
    @Test("writes the same certificate as PEM and as DER", arguments: ["jws", "receipt"])
    func writesSameCertificate(purpose: String) async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let words = ["keys", "root", "--environment", "sandbox", "--purpose", purpose]
        let pem = await transcript.till(words[0], words[1], words[2], words[3], words[4], words[5])
        let der = await transcript.till(words[0], words[1], words[2], words[3], words[4], words[5], "--der")
        #expect(pem.status == 0 && der.status == 0)
        #expect(pem.text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try Certificate(pemRepresentation: pem.text).derRepresentation == der.output)
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        let chain = try #require(ChainPurpose(rawValue: purpose))
        let root = try #require(keys.roots[chain]?.last)
        #expect(root.derRepresentation == der.output)
    }

    @Test("gives every root that still verifies something") func givesEveryRoot() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        _ = await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "root")
        let two = await transcript.till("keys", "root", "--environment", "sandbox", "--all").text
        #expect(two.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(two.hasSuffix(await transcript.till("keys", "root", "--environment", "sandbox").text))
        _ = await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "root", "--revoke")
        // The first root was only retired; the second is void.
        let left = await transcript.till("keys", "root", "--environment", "sandbox", "--all").text
        #expect(left.components(separatedBy: "BEGIN CERTIFICATE").count == 3)
        #expect(!left.contains(two.suffix(200)))
    }

    @Test("does not pour binary over a terminal") func doesNotPour() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let run = await transcript.till("keys", "root", "--environment", "sandbox", "--der", terminal: true)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        let path = transcript.data + "/root.der"
        let saved = await transcript.till(
            "keys", "root", "--environment", "sandbox", "--der", "--output", path, terminal: true)
        #expect(saved.status == 0)
        #expect(FileManager.default.contents(atPath: path)?.first == 0x30)
    }

    @Test("names the file that it cannot write") func namesFileCannot() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let path = transcript.data + "/no/such/folder"
        let run = await transcript.till("keys", "root", "--environment", "sandbox", "--output", path)
        #expect(run.status == 73)
        #expect(run.errors == "till: \(path) cannot be written\n")
    }

    @Test("writes nothing among the keys") func writesNothingAmong() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let before = try transcript.files()
        let link = transcript.data + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: transcript.data + "/keys/sandbox")
        for folder in [transcript.data + "/keys/sandbox", transcript.data + "/keys", link] {
            let run = await transcript.till(
                "keys", "root", "--environment", "sandbox", "--output", folder + "/jws-root-1.key")
            #expect(run.status == 64)
        }
        try FileManager.default.removeItem(atPath: link)
        #expect(try transcript.files() == before)
    }

    @Test("writes to what a link names and leaves the link where it is") func writesWhatLink() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let link = transcript.data + "/link"
        let target = try transcript.file("target", "longer than nothing")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(await transcript.till("keys", "root", "--environment", "sandbox", "--output", link).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        let written = try #require(FileManager.default.contents(atPath: target))
        #expect(await transcript.till("keys", "root", "--environment", "sandbox").output == Array(written))
    }

    @Test("asks which environment, for a wrong root verifies nothing") func asksWhichEnvironment() async throws {
        let run = try await Transcript().till("keys", "root")
        #expect(run.status == 64)
        #expect(run.errors.contains("--environment"))
    }

    @Test("refuses DER of several") func refusesDERSeveral() async throws {
        let run = try await Transcript().till("keys", "root", "--environment", "sandbox", "--der", "--all")
        #expect(run.status == 64)
    }
}
