import CLinux
import Foundation

/// Is the data directory there, on a disk that keeps what it is told, and closed to others?
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

    /// File systems over a network keep neither locks nor writes as databases need them.
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
