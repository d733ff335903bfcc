import Foundation
import StoreModel
import StoreSigning
import TestSupport
import Testing

/// Keys are changed by real processes that are killed, or whose disk fails; whatever is left must be whole.
@Suite("kill -9 and a failing disk while keys change (X11)", .bounded) struct KeysCrashTests {
    private static let payload = Array(#"{"signedDate":\#(Transcript.start.millisecondsText)}"#.utf8)

    /// The next rotation, whose calls are those on the files that it makes.
    private func rotation(_ transcript: Transcript) throws -> InjectedFault {
        let number = try roots(transcript) + 1
        let made = ["root", "intermediate", "leaf"].flatMap { ["jws-\($0)-\(number).key", "jws-\($0)-\(number).pem"] }
        let words = ["keys", "rotate", "--environment", "sandbox", "--purpose", "jws", "--from", "root", "--data"]
        return InjectedFault(
            TillProcess.executable, words + [transcript.data],
            at: Self.paths(of: made + ["keyring.json"], in: transcript.data + "/keys/sandbox"))
    }

    /// The first making of keys, which writes them beside their place.
    private func initialization(_ transcript: Transcript) -> InjectedFault {
        let folder = transcript.data + "/keys/sandbox.new"
        let made = ["jws", "receipt"].flatMap { purpose in
            ["root", "intermediate", "leaf"].flatMap { ["\(purpose)-\($0)-1.key", "\(purpose)-\($0)-1.pem"] }
        }
        return InjectedFault(
            TillProcess.executable, ["keys", "init", "--environment", "sandbox", "--data", transcript.data],
            at: Self.paths(of: made + ["keyring.json"], in: folder))
    }

    /// A folder, files in it, and their drafts.
    private static func paths(of files: [String], in folder: String) -> [String] {
        [folder] + files.flatMap { ["\(folder)/\($0)", "\(folder)/\($0).new"] }
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

    @Test("a rotation killed at any call leaves the old keys or the new ones") func rotationKilledAt() async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let calls = try rotation(transcript).calls(within: transcript.data)
        // Seven files, each with its own draft, content, synchronisation and rename.
        for (name, count) in [("write", 7), ("fsync", 14), ("rename", 7), ("unlink", 7)] {
            #expect(calls.count { $0.name == name } == count, "\(name)")
        }
        var signed: [String] = []
        try requireWholeKeys(transcript, signed: &signed)
        for call in calls {
            #expect(try rotation(transcript).run(.kill, at: call).status != 0, "\(call) killed nothing")
            try requireWholeKeys(transcript, signed: &signed)
        }
        #expect(signed.count == calls.count + 1)
        // And nothing that a crash left behind is in the way.
        #expect(await transcript.till("keys", "rotate", "--environment", "sandbox", "--from", "root").status == 0)
        try requireWholeKeys(transcript, signed: &signed)
    }

    @Test(
        "a rotation whose disk fails says so and changes nothing",
        arguments: [("write", "ENOSPC"), ("fsync", "EIO"), ("rename", "EIO")])
    func rotationWhoseDisk(call: String, error: String) async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let calls = try rotation(transcript).calls(within: transcript.data).filter { $0.name == call }
        #expect(calls.count == (call == "fsync" ? 14 : 7))
        var signed: [String] = []
        // The last synchronisation comes after the rename that the new keys count from.
        for call in calls.prefix(call == "fsync" ? 13 : 7) {
            let before = try roots(transcript)
            let run = try rotation(transcript).run(.error(error), at: call)
            #expect(run.status == 78, "\(call)")
            #expect(run.errors.contains("/keys/sandbox"), "\(call): \(run.errors)")
            #expect(try roots(transcript) == before, "\(call)")
            try requireWholeKeys(transcript, signed: &signed)
        }
    }

    @Test("a killed init is completed by the next one") func killedInitCompleted() async throws {
        var random = RandomizedRun.generator(named: "killed inits")
        let calls = try initialization(try Transcript()).calls(within: "/keys/sandbox.new")
        for _ in 0..<RandomizedRun.cases(6) {
            let call = calls[Int.random(in: 0..<calls.count, using: &random)]
            let transcript = try Transcript()
            #expect(try initialization(transcript).run(.kill, at: call).status != 0, "\(call) killed nothing")
            // The rename of the folder is the first moment at which there are keys.
            #expect(await transcript.till("keys", "show", "--environment", "sandbox").status == 66, "\(call)")
            #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0, "\(call)")
            #expect(try KeyStore(dataDirectory: transcript.data).load(.sandbox).roots.count == 2)
        }
    }
}
