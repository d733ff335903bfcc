import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

/// Keys are changed by real processes that are killed at random instants; whatever is left must be whole.
@Suite("kill -9 while keys change (X11)") struct KeysCrashTests {
    @Test func `a killed rotation leaves the old keys or the new ones, and all that was signed`() throws {
        let transcript = try Transcript()
        #expect(transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let store = KeyStore(dataDirectory: transcript.data)
        let payload = Array(#"{"signedDate":\#(Transcript.start.millisecondsText)}"#.utf8)
        var signed = [try store.load(.sandbox).jwsSigner().sign(payload, at: Transcript.start)]
        var random = RandomizedRun.generator(named: "killed rotations")
        var finished = 0
        let rounds = RandomizedRun.cases(40)
        for round in 0..<rounds {
            let rotation = try TillProcess([
                "keys", "rotate", "--environment", "sandbox", "--purpose", "jws", "--from", "root", "--data",
                transcript.data,
            ])
            usleep(UInt32.random(in: 0...Self.longestRotation, using: &random))
            rotation.kill()
            if rotation.process.terminationReason == .exit { finished += 1 }
            let keys = try store.load(.sandbox)
            signed.append(try keys.jwsSigner().sign(payload, at: Transcript.start))
            let verifier = try keys.jwsVerifier()
            for jws in signed.suffix(20) { #expect(try verifier.verify(jws).payload == payload, "round \(round)") }
            let unlisted = try store.keyring(.sandbox).entries.filter { entry in
                store.keyPath(entry, of: .sandbox) == nil
            }
            #expect(unlisted.isEmpty, "round \(round): the keyring lists keys that are not there")
        }
        // Were all killed before their work or after it, the test would have proved nothing.
        #expect(finished < rounds)
        let generations = try store.keyring(.sandbox).entries.filter { $0.purpose == .jws && $0.role == .root }.count
        #expect(generations > 1)
    }

    @Test func `a killed init is completed by the next one`() throws {
        var random = RandomizedRun.generator(named: "killed inits")
        var incomplete = 0
        for _ in 0..<RandomizedRun.cases(6) {
            let transcript = try Transcript()
            let first = try TillProcess(["keys", "init", "--environment", "sandbox", "--data", transcript.data])
            usleep(UInt32.random(in: 5_000...400_000, using: &random))
            first.kill()
            let shown = transcript.till("keys", "show", "--environment", "sandbox")
            #expect(shown.status == 0 || shown.status == 66)
            if shown.status == 66 { incomplete += 1 }
            #expect(transcript.till("keys", "init", "--environment", "sandbox").status == 0)
            #expect(try KeyStore(dataDirectory: transcript.data).load(.sandbox).roots.count == 2)
        }
        #expect(incomplete > 0)
    }

    /// Microseconds; somewhat more than a rotation takes, from the start of the process to its end.
    private static let longestRotation: UInt32 = 40_000
}
