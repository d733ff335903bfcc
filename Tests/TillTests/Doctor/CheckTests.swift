import Foundation
import StoreModel
import StoreSigning
import Testing

@testable import till

@Suite("What the doctor finds (X6)")
struct CheckTests {
    private static let now = Transcript.start

    private static let rooms: [(Int64, Int64, Finding.Level)] = [
        (99 << 20, 1 << 40, .problem), (101 << 20, 1 << 30, .warning), (2 << 30, 1 << 40, .warning),
        (100 << 30, 1 << 40, .ok), (2 << 30, 20 << 30, .ok),
    ]

    @Test("Room is judged by what is left", arguments: rooms)
    func disk(free: Int64, all: Int64, level: Finding.Level) throws {
        let findings = DiskCheck(path: "/x", room: .init(freeBytes: free, bytes: all)).findings()
        #expect(findings.map(\.level) == [level])
        #expect((findings[0].remedy == nil) == (level == .ok))
    }

    @Test("A disk without entries for files is full, however many bytes it has")
    func entries() {
        let room = DiskCheck.Room(freeBytes: 1 << 40, bytes: 1 << 41, freeFiles: 9, files: 1000)
        #expect(DiskCheck(path: "/x", room: room).findings().map(\.level) == [.problem])
        let uncounted = DiskCheck.Room(freeBytes: 1 << 40, bytes: 1 << 41, freeFiles: 0, files: 0)
        #expect(DiskCheck(path: "/x", room: uncounted).findings().map(\.level) == [.ok])
        #expect(DiskCheck(path: "/x", room: nil).findings().map(\.level) == [.warning])
    }

    @Test("A backup that was broken off is named with what removes it, a whole one is not")
    func backups() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/till-backups-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(BackupCheck(folder: folder).findings() == [])
        for name in ["2026-01-01T00-00-00Z", "2026-01-02T00-00-00Z.partial"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        let findings = BackupCheck(folder: folder).findings()
        #expect(findings.map(\.level) == [.warning])
        #expect(findings.first?.remedy?.hasSuffix("rm -r \(folder)/2026-01-02T00-00-00Z.partial") == true)
    }

    @Test("The disk of a real path is measured")
    func realDisk() throws {
        let room = try #require(DiskCheck.Room(at: "/"))
        #expect(room.bytes > 0 && room.freeBytes <= room.bytes)
        #expect(DiskCheck.Room(at: "/nothing/there") == nil)
    }

    private static let sizes: [(Int64, String)] = [
        (999, "999 bytes"), (1000, "1.0 KB"), (82_500_000_000, "82.5 GB"), (5_000_000_000_000_000, "5000.0 TB"),
    ]

    @Test("Bytes are told in the unit one would say", arguments: sizes)
    func units(bytes: Int64, text: String) {
        #expect(DiskCheck.text(bytes) == text)
    }

    @Test("A clock behind the last write is a problem, one that nobody keeps a warning")
    func clock() {
        func level(_ isSynchronized: Bool?, lastWrite: Int64?) -> [Finding.Level] {
            ClockCheck(
                now: Self.now, isSynchronized: isSynchronized,
                lastWrite: lastWrite.map { Self.now.adding(milliseconds: $0) }
            ).findings().map(\.level)
        }
        #expect(level(true, lastWrite: nil) == [.ok])
        #expect(level(nil, lastWrite: -1) == [.ok])
        #expect(level(true, lastWrite: 60_000) == [.ok])
        #expect(level(true, lastWrite: 60_001) == [.problem])
        #expect(level(false, lastWrite: 0) == [.warning])
    }

    @Test("The last write is the newest of the databases'")
    func lastWrite() throws {
        let transcript = try Transcript()
        let directory = DataDirectory(transcript.data)
        #expect(ClockCheck.lastWrite(in: directory) == nil)
        try FileManager.default.createDirectory(atPath: directory.databasesPath, withIntermediateDirectories: true)
        for (name, seconds) in [("a.sqlite", 1000.0), ("b.sqlite-wal", 3000), ("c.sqlite", 2000)] {
            let path = directory.databasesPath + "/" + name
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path)
        }
        #expect(ClockCheck.lastWrite(in: directory)?.millisecondsSinceEpoch == 3_000_000)
    }

    @Test("A system that knows no clock changes is found out")
    func timeZones() {
        #expect(TimeZoneCheck(zone: { TimeZone(identifier: $0) }).findings().map(\.level) == [.ok])
        #expect(TimeZoneCheck(zone: { _ in nil }).findings().map(\.level) == [.problem])
        let fixed = TimeZoneCheck(zone: { _ in TimeZone(secondsFromGMT: -8 * 3600) }).findings()
        #expect(fixed.map(\.level) == [.problem])
    }

    @Test("Few open files are a warning")
    func openFiles() {
        #expect(LimitsCheck(openFiles: 1024).findings().map(\.level) == [.warning])
        #expect(LimitsCheck(openFiles: 4096).findings().map(\.level) == [.ok])
        #expect(ConnectionPlaces(openFiles: 1024).total == 768)
        #expect(ConnectionPlaces(openFiles: 200).total == 100)
        #expect(ConnectionPlaces(openFiles: 8192).total == 8192 - 256 - ConnectionPlaces.notifications)
        #expect(ConnectionPlaces(openFiles: .max).total == ConnectionPlaces.most)
    }

    @Test("Keys that are missing, ended, damaged, or under another passphrase are told apart")
    func keys() async throws {
        let transcript = try Transcript()
        let keys = KeyStore(dataDirectory: transcript.data)
        func findings(_ passphrase: [UInt8]? = nil, at now: Instant = Self.now) -> [Finding] {
            KeysCheck(keys: keys, passphrase: passphrase, now: now).findings()
        }
        #expect(findings().map(\.level) == [.problem, .problem])
        #expect(findings()[0].remedy == "make them with: till keys init")
        let secret = Array("tiger".utf8)
        _ = try keys.create(.production, organization: "Till", passphrase: secret, at: Self.now)
        _ = try keys.create(.sandbox, organization: "Till", at: Self.now)
        #expect(findings(secret).map(\.level) == [.ok, .ok])
        #expect(findings().first?.message.contains("was not tried") == true)
        #expect(findings(Array("lion".utf8)).first?.level == .problem)
        let year: Int64 = 365 * 24 * 60 * 60 * 1000
        let late = findings(secret, at: Self.now.adding(milliseconds: 40 * year))
        #expect(late.contains { $0.part == "production keys" && $0.level == .problem })
        let keyring = transcript.data + "/keys/sandbox/keyring.json"
        try Data("{".utf8).write(to: URL(fileURLWithPath: keyring))
        let damaged = findings(secret).filter { $0.part == "sandbox keys" }
        #expect(damaged.map(\.level) == [.problem])
        #expect(damaged[0].remedy?.contains("backup") == true)
    }

    @Test("A folder that is missing, a file, or open to others is a problem")
    func folder() throws {
        let transcript = try Transcript()
        func levels(_ path: String) -> [Finding.Level] {
            FolderCheck(directory: DataDirectory(path)).findings().map(\.level)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: transcript.data)
        #expect(levels(transcript.data) == [.ok, .ok])
        #expect(levels(transcript.data + "/none") == [.problem])
        let file = try transcript.file("file", "")
        #expect(levels(file) == [.problem])
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let open = FolderCheck(directory: DataDirectory(transcript.data)).findings()
        #expect(open.map(\.level) == [.ok, .problem])
        #expect(open[1].message.contains("others can use file in"))
    }

    @Test("An address that is taken, and one that the world reaches without TLS")
    func listeners() async throws {
        func finding(_ text: String) async throws -> Finding {
            let address = try #require(ListenAddress(text))
            let findings = await ListenerCheck(name: "production", address: address, tls: nil).findings()
            return try #require(findings.first)
        }
        #expect(try await finding("127.0.0.1:0").level == .ok)
        #expect(try await finding("0.0.0.0:0").level == .warning)
        #expect(try await finding("192.0.2.1:80").level == .problem)
    }
}
