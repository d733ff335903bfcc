import Foundation
import StoreModel
import StoreSigning
import Testing

@Suite("till keys rotate (X11)") struct KeysRotateTests {
    private func shown(_ transcript: Transcript) async throws -> [String] {
        try await transcript.till("keys", "show", "--environment", "sandbox", "--json").json(ShownKeys.self)
            .environments[0].certificates.map(\.name)
    }

    /// Signs something with the keys of the moment.
    private func signed(_ transcript: Transcript) throws -> (jws: String, receipt: [UInt8], older: [UInt8]) {
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        let now = Transcript.start
        let payload = Array(#"{"signedDate":\#(now.millisecondsText)}"#.utf8)
        let receipt = AppReceipt(
            type: .sandbox, bundleID: "com.example.app", applicationVersion: "1", creationDate: now,
            opaqueValue: [1, 2, 3], deviceHash: [4, 5, 6])
        let older = TransactionReceipt(
            productID: "coins", transactionID: "2000000000000001", originalTransactionID: "2000000000000001",
            purchaseDate: now, originalPurchaseDate: now, itemID: "1", bundleID: "com.example.app",
            applicationVersion: "1", uniqueIdentifier: "00", uniqueVendorIdentifier: "11")
        return try (
            keys.jwsSigner().sign(payload, at: now), keys.receiptSigner().sign(receipt),
            keys.transactionReceiptSigner().sign(older)
        )
    }

    @Test("keeps older signatures verifying", arguments: ["leaf", "intermediate", "root"])
    func keepsOlderSignatures(role: String) async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let old = try signed(transcript)
        #expect(await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", role).status == 0)
        let new = try signed(transcript)
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        for signed in [old, new] {
            #expect(try keys.jwsVerifier().verify(signed.jws).signedAt == Transcript.start)
            #expect(try keys.receiptVerifier().verify(signed.receipt).receipt.bundleID == "com.example.app")
            #expect(try keys.transactionReceiptVerifier().verify(signed.older).productID == "coins")
        }
        #expect(new.jws.prefix(while: { $0 != "." }) != old.jws.prefix(while: { $0 != "." }))
    }

    @Test("with --revoke voids what was signed before, and nothing after", arguments: ["leaf", "intermediate", "root"])
    func withRevokeVoids(role: String) async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let old = try signed(transcript)
        let run = await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", role, "--revoke")
        #expect(run.status == 0)
        #expect(run.text.contains("void"))
        let new = try signed(transcript)
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        #expect(throws: SigningError.self) { try keys.jwsVerifier().verify(old.jws) }
        #expect(throws: SigningError.self) { try keys.receiptVerifier().verify(old.receipt) }
        #expect(throws: SigningError.self) { try keys.transactionReceiptVerifier().verify(old.older) }
        #expect(try keys.jwsVerifier().verify(new.jws).signedAt == Transcript.start)
        #expect(try keys.receiptVerifier().verify(new.receipt).receipt.bundleID == "com.example.app")
        #expect(try keys.transactionReceiptVerifier().verify(new.older).productID == "coins")
    }

    @Test("replaces exactly what it is asked to") func replacesExactlyWhat() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        _ = await transcript.till("keys", "rotate", "--environment", "sandbox", "--purpose", "jws")
        _ = await transcript.till(
            "keys", "rotate", "--environment", "sandbox", "--purpose", "receipt", "--from", "intermediate", "--revoke")
        #expect(
            try await shown(transcript) == [
                "jws root 1 in_use", "jws intermediate 1 in_use", "jws leaf 1 retired", "jws responder 1 in_use",
                "receipt root 1 in_use", "receipt intermediate 1 revoked", "receipt leaf 1 revoked",
                "jws leaf 2 in_use",
                "receipt intermediate 2 in_use", "receipt leaf 2 in_use",
            ])
    }

    @Test("lets certificates name where they are asked about, and keeps the root") func namesAddress() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let known = "http://shop.example:8080/ocsp/sandbox"
        func rotate(_ option: String) async -> Transcript.Run {
            await transcript.till("keys", "rotate", "--environment", "sandbox", "--purpose", "jws", option)
        }
        #expect(await rotate("--ocsp-url=http://shop.example:8080").status == 0)
        let keys = KeyStore(dataDirectory: transcript.data)
        #expect(try keys.onlineChecks(of: .sandbox) == known)
        #expect(
            try await shown(transcript).filter { $0.hasSuffix("in_use") && $0.hasPrefix("jws") } == [
                "jws root 1 in_use", "jws intermediate 2 in_use", "jws leaf 2 in_use", "jws responder 2 in_use",
            ])
        // Without being told anything it stays, and only the leaf is new.
        #expect(await rotate("--json").status == 0)
        #expect(try keys.onlineChecks(of: .sandbox) == known)
        #expect(try await shown(transcript).contains("jws intermediate 2 in_use"))
        let secure = await rotate("--ocsp-url=https://shop.example")
        #expect(secure.status == 64 && secure.errors.contains("an address with http://"))
    }

    @Test("shows replaced certificates only when asked") func showsReplacedCertificates() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        #expect(await transcript.till("keys", "rotate", "--environment", "sandbox", "--purpose", "jws").status == 0)
        #expect(await !transcript.till("keys", "show", "--environment", "sandbox").text.contains("retired"))
        #expect(await transcript.till("keys", "show", "--environment", "sandbox", "--all").text.contains("retired"))
    }

    @Test("works with the root key kept elsewhere, as long as no root is needed") func worksWithRoot() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        try FileManager.default.removeItem(atPath: transcript.data + "/keys/sandbox/jws-root-1.key")
        #expect(await transcript.till("keys", "show", "--environment", "sandbox").text.contains("key kept elsewhere"))
        #expect(await transcript.till("keys", "rotate", "--environment", "sandbox").status == 0)
        let before = try transcript.files()
        let refused = await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "intermediate")
        #expect(refused.status == 78)
        #expect(refused.errors.contains("jws-root-1.key is missing; if it is kept elsewhere, bring it back"))
        #expect(try transcript.files() == before)
    }

    @Test("refuses key files that others can read") func refusesKeyFiles() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let path = transcript.data + "/keys/sandbox/jws-intermediate-1.key"
        #expect(chmod(path, 0o644) == 0)
        let run = await transcript.till("keys", "rotate", "--environment", "sandbox")
        #expect(run.status == 78)
        #expect(run.errors.contains("chmod 600 \(path)"))
    }

    @Test("names the key that is damaged") func namesKeyDamaged() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let path = transcript.data + "/keys/sandbox/receipt-intermediate-1.key"
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o600) == 0)
        let run = await transcript.till("keys", "rotate", "--environment", "sandbox")
        #expect(run.status == 78)
        #expect(run.errors.hasPrefix("till: \(path) is damaged: "))
    }

    @Test("tells how to hand out every new root", arguments: [["jws"], ["receipt"], ["jws", "receipt"]])
    func tellsHowHand(purposes: [String]) async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let run =
            purposes.count == 1
            ? await transcript.till(
                "keys", "rotate", "--environment", "sandbox", "--from", "root", "--purpose", purposes[0])
            : await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "root")
        let told = run.text.components(separatedBy: "everyone who verifies:\n").last ?? ""
        #expect(
            told
                == purposes.map { "  till keys root --environment sandbox --purpose \($0) --all\n" }.joined())
    }

    @Test("says how to begin where there is nothing") func saysHowBegin() async throws {
        let run = try await Transcript().till("keys", "rotate", "--environment", "production")
        #expect(run.status == 66)
    }

    @Test("keys revoke voids a certificate replaced earlier, and nothing else") func keysRevokeVoids() async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let first = try signed(transcript)
        let leaf = try KeyStore(dataDirectory: transcript.data).keyring(.sandbox).current(.jws, .leaf).fingerprint
        let early = await transcript.till("keys", "revoke", "--environment", "sandbox", leaf)
        #expect(early.status == 65)
        #expect(early.errors.contains("rotate --environment sandbox --purpose jws --from leaf --revoke"))
        _ = await transcript.till("keys", "rotate", "--environment", "sandbox")
        let second = try signed(transcript)
        let run = await transcript.till(
            "keys", "revoke", "--environment", "sandbox", String(leaf.prefix(16).uppercased()))
        #expect(run.status == 0)
        #expect(run.text == "Revoked jws-leaf-1. What it signed is void from now on.\n")
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        let error = #expect(throws: SigningError.self) { try keys.jwsVerifier().verify(first.jws) }
        #expect(error?.code == .revokedCertificate)
        #expect(try keys.receiptVerifier().verify(first.receipt).receipt.bundleID == "com.example.app")
        #expect(try keys.jwsVerifier().verify(second.jws).signedAt == Transcript.start)
        let files = try transcript.files()
        #expect(await transcript.till("keys", "revoke", "--environment", "sandbox", leaf, "--json").status == 0)
        #expect(try transcript.files() == files)
    }

    @Test(
        "keys revoke refuses a fingerprint that is unknown or none",
        arguments: [("0123456789abcdef", Int32(66)), ("0123456789abcde", 64), ("0123456789abcdeg", 64)])
    func keysRevokeRefuses(fingerprint: String, status: Int32) async throws {
        let transcript = try Transcript()
        _ = await transcript.till("keys", "init", "--environment", "sandbox")
        let before = try transcript.files()
        #expect(await transcript.till("keys", "revoke", "--environment", "sandbox", fingerprint).status == status)
        #expect(try transcript.files() == before)
    }
}
