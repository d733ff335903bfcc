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
        let made = CertificateRole.allCases.flatMap {
            ["jws-\($0.rawValue)-\(number).key", "jws-\($0.rawValue)-\(number).pem"]
        }
        let words = ["keys", "rotate", "--environment", "sandbox", "--purpose", "jws", "--from", "root", "--data"]
        return InjectedFault(
            TillProcess.executable, words + [transcript.data],
            at: Self.paths(of: made + ["keyring.json"], in: transcript.data + "/keys/sandbox"))
    }

    /// The first making of keys, which writes them beside their place.
    private func initialization(_ transcript: Transcript) -> InjectedFault {
        let folder = transcript.data + "/keys/sandbox.new"
        let made = ["jws", "receipt"].flatMap { purpose in
            (purpose == "jws" ? CertificateRole.allCases : CertificateRole.chain).map(\.rawValue)
                .flatMap { ["\(purpose)-\($0)-1.key", "\(purpose)-\($0)-1.pem"] }
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

    private func calls(of program: InjectedFault, within data: String) async throws -> [InjectedFault.Call] {
        try await onOwnThread { try program.calls(within: data) }
    }

    private func status(
        of program: InjectedFault, _ effect: InjectedFault.Effect, at call: InjectedFault.Call
    ) async throws -> Int32 {
        try await onOwnThread { try program.run(effect, at: call).status }
    }

    /// All calls in a soak, else every fourth from one that is drawn: each runs a process.
    private static func some(_ calls: [InjectedFault.Call], _ name: String) -> [InjectedFault.Call] {
        let step = RandomizedRun.isSoak ? 1 : 4
        var random = RandomizedRun.generator(named: name)
        return stride(from: Int.random(in: 0..<step, using: &random), to: calls.count, by: step).map { calls[$0] }
    }

    @Test("a rotation killed at any call leaves the old keys or the new ones") func rotationKilledAt() async throws {
        let transcript = try Transcript()
        #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0)
        let calls = try await self.calls(of: rotation(transcript), within: transcript.data)
        // Nine files, each with its own draft, content, synchronisation and rename.
        for (name, count) in [("write", 9), ("fsync", 18), ("rename", 9), ("unlink", 9)] {
            #expect(calls.count { $0.name == name } == count, "\(name)")
        }
        var signed: [String] = []
        try requireWholeKeys(transcript, signed: &signed)
        let chosen = Self.some(calls, "killed rotations")
        for call in chosen {
            #expect(try await status(of: rotation(transcript), .kill, at: call) != 0, "\(call) killed nothing")
            try requireWholeKeys(transcript, signed: &signed)
        }
        #expect(signed.count == chosen.count + 1)
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
        let calls = try await self.calls(of: rotation(transcript), within: transcript.data).filter { $0.name == call }
        #expect(calls.count == (call == "fsync" ? 18 : 9))
        var signed: [String] = []
        // The last synchronisation comes after the rename that the new keys count from.
        for call in Self.some(Array(calls.prefix(call == "fsync" ? 17 : 9)), "rotations and \(call)") {
            let before = try roots(transcript)
            let fault = try rotation(transcript)
            let run = try await onOwnThread { try fault.run(.error(error), at: call) }
            #expect(run.status == 78, "\(call)")
            #expect(run.errors.contains("/keys/sandbox"), "\(call): \(run.errors)")
            #expect(try roots(transcript) == before, "\(call)")
            try requireWholeKeys(transcript, signed: &signed)
        }
    }

    @Test("a killed init is completed by the next one") func killedInitCompleted() async throws {
        var random = RandomizedRun.generator(named: "killed inits")
        let calls = try await self.calls(of: initialization(try Transcript()), within: "/keys/sandbox.new")
        for _ in 0..<RandomizedRun.cases(3, inSoak: 120) {
            let call = calls[Int.random(in: 0..<calls.count, using: &random)]
            let transcript = try Transcript()
            #expect(try await status(of: initialization(transcript), .kill, at: call) != 0, "\(call) killed nothing")
            // The rename of the folder is the first moment at which there are keys.
            #expect(await transcript.till("keys", "show", "--environment", "sandbox").status == 66, "\(call)")
            #expect(await transcript.till("keys", "init", "--environment", "sandbox").status == 0, "\(call)")
            #expect(try KeyStore(dataDirectory: transcript.data).load(.sandbox).roots.count == 2)
        }
    }
}
