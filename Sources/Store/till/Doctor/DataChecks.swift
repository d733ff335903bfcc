import CLinux
import CommandOptions
import Foundation
import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreRules
import StoreServer
import StoreService
import StoreSigning

/// Does the data directory exist, on a reliable disk, and closed to other users?
struct FolderCheck {
    let directory: DataDirectory

    func findings() -> [Finding] {
        var status = stat()
        guard stat(directory.path, &status) == 0 else {
            return [
                .problem(
                    "data directory", "\(directory.path): \(String(cString: strerror(errno)))",
                    remedy: "start the store once with: till serve --data \(directory.path)")
            ]
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return [
                .problem(
                    "data directory", "\(directory.path) is no folder",
                    remedy: "name the folder of the store with --data")
            ]
        }
        return [writing(), kind(), permissions(), owner(status)].compactMap(\.self)
    }

    private func writing() -> Finding {
        guard access(directory.path, R_OK | W_OK | X_OK) == 0 else {
            return .problem(
                "data directory", "\(directory.path) cannot be read and written by this user",
                remedy: "run as the user the store belongs to, or give it the folder with chown -R")
        }
        return .ok("data directory", "\(directory.path) can be read and written")
    }

    /// Network file systems guarantee neither locks nor writes as databases need them.
    private func kind() -> Finding? {
        var number: Int64 = 0
        guard till_file_system_kind(directory.path, &number) == 0, let name = Self.networks[number] else { return nil }
        return .problem(
            "data directory", "\(directory.path) is on \(name), which does not keep what SQLite relies on",
            remedy: "move it to a local disk, or use --database postgresql://…")
    }

    private static let networks: [Int64: String] = [
        0x6969: "NFS", 0xFF53_4D42: "CIFS", 0xFE53_4D42: "SMB", 0x517B: "SMB", 0x6573_5546: "FUSE", 0x0102_1997: "9P",
        0x00C3_6400: "Ceph",
    ]

    private func owner(_ status: stat) -> Finding? {
        guard status.st_uid != getuid() else { return nil }
        return .warning(
            "data directory", "\(directory.path) belongs to user \(status.st_uid), and this is user \(getuid())",
            remedy: "run the store and its commands as one user")
    }

    /// Files that others can read hold keys and customers.
    private func permissions() -> Finding {
        var open: [String] = []
        var count = 0
        let paths = FileManager.default.enumerator(atPath: directory.path)?.makeIterator()
        while let name = paths?.next() as? String {
            var status = stat()
            guard lstat("\(directory.path)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { continue }
            count += 1
            if count > Self.mostFiles { break }
            if status.st_mode & 0o077 != 0 { open.append(name) }
        }
        var status = stat()
        if stat(directory.path, &status) == 0, status.st_mode & 0o022 != 0 { open.insert(".", at: 0) }
        guard let first = open.first else { return .ok("permissions", "others cannot read what is in it") }
        let more = open.count > 1 ? " and \(open.count - 1) more" : ""
        return .problem(
            "permissions", "others can use \(first)\(more) in \(directory.path)",
            remedy: "close it with: chmod -R go-rwx \(directory.path)")
    }

    /// Blobs may be many, and all have the same mode.
    private static let mostFiles = 10_000
}

/// Is there free space on the disk?
struct DiskCheck {
    /// Free bytes and free entries, and how many there are of each.
    struct Room {
        var freeBytes: Int64
        var bytes: Int64
        var freeFiles: Int64
        var files: Int64

        init(freeBytes: Int64, bytes: Int64, freeFiles: Int64 = 1, files: Int64 = 1) {
            self.freeBytes = freeBytes
            self.bytes = bytes
            self.freeFiles = freeFiles
            self.files = files
        }

        /// The space on the disk of a path; nil if the system does not report it.
        init?(at path: String) {
            var disk = statvfs()
            guard statvfs(path, &disk) == 0 else { return nil }
            let unit = Int64(disk.f_frsize)
            self.init(
                freeBytes: Int64(disk.f_bavail) * unit, bytes: Int64(disk.f_blocks) * unit,
                freeFiles: Int64(disk.f_favail), files: Int64(disk.f_files))
        }
    }

    let path: String
    let room: Room?

    func findings() -> [Finding] {
        guard let room else {
            return [
                .warning(
                    "disk", "the system does not say how much room there is at \(path)",
                    remedy: "look at it with: df -h \(path)")
            ]
        }
        let remedy = "make room, or move the data directory to a larger disk"
        let free = "\(Self.text(room.freeBytes)) of \(Self.text(room.bytes)) are free"
        if room.freeBytes < Self.problemBytes { return [.problem("disk", free, remedy: remedy)] }
        // Some file systems create entries on demand and report none.
        if room.files > 0 && room.freeFiles * 100 < room.files {
            return [.problem("disk", "\(room.freeFiles) of \(room.files) files can still be made", remedy: remedy)]
        }
        if room.freeBytes < Self.warningBytes || room.freeBytes * 20 < room.bytes {
            return [.warning("disk", free, remedy: remedy)]
        }
        return [.ok("disk", free)]
    }

    /// The same as a check of a running store, which can do no business without room.
    static func readiness(at path: String) -> ReadinessCheck {
        ReadinessCheck("disk") {
            guard
                let problem = DiskCheck(path: path, room: Room(at: path)).findings().first(where: {
                    $0.level == .problem
                })
            else { return }
            throw CommandFailure(.configuration, "the disk is full: \(problem.message)")
        }
    }

    static let problemBytes = BlobLimits.leastFree
    static let warningBytes: Int64 = 1 << 30

    static func text(_ bytes: Int64) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(bytes) bytes" : String(format: "%.1f %@", value, units[unit])
    }
}

/// Do the keys exist, can they be read, and are they valid for a while?
struct KeysCheck {
    let keys: KeyStore
    let passphrase: [UInt8]?
    let now: Instant

    func findings() -> [Finding] { StoreEnvironment.allCases.flatMap(findings) }

    private func findings(_ environment: StoreEnvironment) -> [Finding] {
        let part = "\(environment.rawValue) keys"
        do {
            let report = try KeysReport(keys, environment)
            if report.protected && passphrase == nil {
                return [.ok(part, "they are there, under a passphrase that was not tried")] + ends(report, part)
            }
            _ = try keys.load(environment, passphrase: passphrase)
            let ends = ends(report, part)
            return ends.isEmpty ? [.ok(part, "they are there and in order")] : ends
        } catch let error as SigningError where error.code == .keyStoreMissing {
            return [.problem(part, error.message, remedy: "make them with: till keys init")]
        } catch let error as SigningError where error.code == .wrongPassphrase {
            return [
                .problem(part, error.message, remedy: "name the right file with --passphrase-file")
            ]
        } catch {
            return [
                .problem(
                    part, "\((error as? SigningError)?.message ?? "\(error)")",
                    remedy: "put the folder keys back from a backup; new keys would not verify what was sold")
            ]
        }
    }

    private func ends(_ report: KeysReport, _ part: String) -> [Finding] {
        report.ends(at: now).map { end in
            let name = "the \(end.certificate.purpose.rawValue) \(end.certificate.role.rawValue)"
            return end.isOver
                ? .problem(part, "\(name) ended on \(end.day)", remedy: end.remedy)
                : .warning(part, "\(name) ends on \(end.day)", remedy: end.remedy)
        }
    }
}

/// Do the certificates name the place where verifiers can ask about them?
struct CertificateAddressCheck {
    let keys: KeyStore
    /// Where each environment is asked.
    let addresses: [StoreEnvironment: String]
    /// Whether the store was ever started, which lets new certificates name its address.
    let hasBegun: Bool

    func findings() -> [Finding] { StoreEnvironment.allCases.compactMap(finding) }

    /// None where there are no keys, which is said elsewhere.
    private func finding(_ environment: StoreEnvironment) -> Finding? {
        let part = "\(environment.rawValue) online checks"
        guard let isThere = try? keys.hasKeys(environment), isThere else { return nil }
        let known = try? keys.onlineChecks(of: environment)
        switch (addresses[environment], known) {
        case (nil, nil): return .ok(part, "certificates name no place for them, as none is known")
        case (nil, let known?): return .ok(part, "certificates name \(known), which no setting tells otherwise")
        case (let address?, known?) where address == known: return .ok(part, "verifiers ask at \(address)")
        case (let address?, let known):
            guard hasBegun else { return .ok(part, "the first start lets certificates name \(address)") }
            let named = known.map { "name \($0)" } ?? "do not all name one place"
            return .warning(
                part, "the store is asked at \(address), and its certificates \(named)",
                remedy: "while the store runs, let new ones name it with: \(OnlineChecks.remedy(environment))")
        }
    }
}

/// Do the databases exist, intact and of this version? A running store checks them itself; else they are checked here.
struct StoreCheck {
    let directory: DataDirectory
    let upkeep: UpkeepSettings

    func findings() async -> (isRunning: Bool, findings: [Finding]) {
        do {
            let connection = try await AdminConnection.open(directory, upkeep)
            do {
                let found = try await connection.ask(
                    "POST", "/admin/v1/database/check", as: StoreUpkeep.Examination.self)
                let waiting = connection.isRunning ? try await Self.waiting(connection) : []
                await connection.close()
                let running: [Finding] = connection.isRunning ? [.ok("store", "it runs and answers")] : []
                return (
                    connection.isRunning, running + found.databases.map(finding) + [Self.finding(found.blobs)] + waiting
                )
            } catch {
                await connection.close()
                let remedy = "look at its log; if it hangs, end the process and start it again"
                return (
                    connection.isRunning, [.problem("store", CommandFailure(error).message, remedy: remedy)]
                )
            }
        } catch {
            let failure = CommandFailure(error)
            let isHeld = failure.exitCode == .unavailable
            let remedy = isHeld ? "if it hangs, end it and start it again" : "mend the data directory first"
            // Its addresses are then in use by that process.
            return (isHeld, [.problem(isHeld ? "store" : "databases", failure.message, remedy: remedy)])
        }
    }

    /// Purchases that the processor owes an answer for longer than the store waits before it asks again.
    private static func waiting(_ connection: AdminConnection) async throws -> [Finding] {
        var findings: [Finding] = []
        for environment in StoreEnvironment.allCases {
            let purchases = try await connection.all(
                SaleOptions.path(environment) + "/purchases", query: ["waiting=true"], of: PurchaseReport.self)
            guard let first = purchases.first(where: { $0.nextInquiry != nil || $0.state.value == .voiding }) else {
                continue
            }
            let place = environment == .sandbox ? "" : " --environment \(environment.rawValue)"
            findings.append(
                .warning(
                    "\(environment.rawValue) purchases",
                    "the processor owes an answer to \(purchases.count) of them, the first since \(first.changedAt.rfc3339)",
                    remedy: "see what they wait for, and how to end them: till purchases list --waiting\(place)"))
        }
        return findings
    }

    private static func finding(_ report: StoreUpkeep.BlobReport) -> Finding {
        let lines = DatabaseCheck.lines(report)
        guard !report.isInOrder, let first = lines.first else {
            return .ok("blobs", "all pictures and content are there and whole (\(report.examined))")
        }
        let more = lines.count > 1 ? " (and \(lines.count - 1) more: till database check)" : ""
        return .problem("blobs", first + more, remedy: BlobDamage.remedy)
    }

    private func finding(_ report: StoreUpkeep.Report) -> Finding {
        let part = "\(report.name) database"
        if !report.exists {
            return directory.hasBegun
                ? .problem(
                    part, "the store had it, and it is not there any more",
                    remedy:
                        "put a backup back (till database restore FOLDER --replace), or begin without what was in it: "
                        + "till database begin")
                : .warning(part, "it has not been made yet", remedy: "start the store with: till serve")
        }
        if !report.problems.isEmpty {
            return .problem(
                part, DatabaseCheck.sentence(report),
                remedy: "put a backup back with: till database restore FOLDER --replace")
        }
        if !report.isInOrder {
            return .warning(
                part, "it has \(report.migrations) of \(report.knownMigrations) migrations",
                remedy: "make a backup, then: till database migrate")
        }
        return .ok(part, "it is whole, with all its migrations")
    }
}
