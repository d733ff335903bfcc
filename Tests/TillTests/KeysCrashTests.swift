import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

/// Keys are changed by real processes that are killed, or whose disk fails; whatever is left must be whole.
@Suite("kill -9 and a failing disk while keys change (X11)") struct KeysCrashTests {
    private static let payload = Array(#"{"signedDate":\#(Transcript.start.millisecondsText)}"#.utf8)

    private func rotation(_ transcript: Transcript) -> InjectedFault {
        let words = ["keys", "rotate", "--environment", "sandbox", "--purpose", "jws", "--from", "root", "--data"]
        return InjectedFault(TillProcess.executable, words + [transcript.data])
    }

    /// Throws unless the keys can be used, and verify what they signed at any time before.
    private func requireWholeKeys(_ transcript: Transcript, signed: inout [String]) throws {
        let keys = try KeyStore(dataDirectory: transcript.data).load(.sandbox)
        try signed.append(keys.jwsSigner().sign(Self.payload, at: Transcript.start))
        let verifier = try keys.jwsVerifier()
        for jws in signed { #expect(try verifier.verify(jws).payload == Self.payload) }
    }

    private func roots(_ transcript: Transcript) throws -> Int {
        try KeyStore(dataDirectory: transcript.data).keyring(.sandbox).entries
            .count { $0.purpose == .jws && $0.role == .root }
    }

    @Test func `a rotation killed at any call leaves the old keys or the new ones`() async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let rotation = self.rotation(transcript)
        let calls = try rotation.calls(within: transcript.data)
        // Seven files, each with its own draft, content, synchronisation and rename.
        #expect(calls.count { $0.name == "rename" } == 7 && calls.count { $0.name == "fsync" } == 14)
        var signed: [String] = []
        try requireWholeKeys(transcript, signed: &signed)
        for call in calls {
            let before = try roots(transcript)
            let run = try rotation.run(.kill, at: call)
            let isCommitted = try roots(transcript) == before + 1
            #expect(run.status != 0 || isCommitted, "\(call) killed nothing")
            try requireWholeKeys(transcript, signed: &signed)
        }
        #expect(signed.count == calls.count + 1)
        // And nothing that a crash left behind is in the way.
        #expect(await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "root").status == 0)
        try requireWholeKeys(transcript, signed: &signed)
    }

    @Test(arguments: [("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO")])
    func `a rotation whose disk fails says so and changes nothing`(call: String, error: String) async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let rotation = self.rotation(transcript)
        let calls = try rotation.calls(within: transcript.data).filter { $0.name == call }
        #expect(calls.count >= 7)
        var signed: [String] = []
        // What is written after the last rename goes to the terminal, and what is synchronised, counts already.
        for call in calls.prefix(call == "fsync" ? 13 : 7) {
            let before = try roots(transcript)
            let run = try rotation.run(.error(error), at: call)
            #expect(run.status == 78, "\(call)")
            #expect(run.errors.contains("/keys/sandbox"), "\(call): \(run.errors)")
            #expect(try roots(transcript) == before, "\(call)")
            try requireWholeKeys(transcript, signed: &signed)
        }
    }

    @Test func `a killed init is completed by the next one`() async throws {
        var random = RandomizedRun.generator(named: "killed inits")
        var incomplete = 0
        for _ in 0..<RandomizedRun.cases(6) {
            let transcript = try Transcript()
            let first = try TillProcess(["keys", "init", "--environment", "sandbox", "--data", transcript.data])
            usleep(UInt32.random(in: 5_000...300_000, using: &random))
            first.kill()
            let shown = await transcript.till("keys", "show", "--environment", "sandbox")
            #expect(shown.status == 0 || shown.status == 66)
            if shown.status == 66 { incomplete += 1 }
            #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
            #expect(try KeyStore(dataDirectory: transcript.data).load(.sandbox).roots.count == 2)
        }
        #expect(incomplete > 0)
    }
}
