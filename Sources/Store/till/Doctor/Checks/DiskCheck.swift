import Foundation

/// Is there room for what customers buy next?
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

        /// The room on the disk of a path; nil where the system does not tell.
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
        // Some file systems make entries as they need them and count none.
        if room.files > 0 && room.freeFiles * 100 < room.files {
            return [.problem("disk", "\(room.freeFiles) of \(room.files) files can still be made", remedy: remedy)]
        }
        if room.freeBytes < Self.warningBytes || room.freeBytes * 20 < room.bytes {
            return [.warning("disk", free, remedy: remedy)]
        }
        return [.ok("disk", free)]
    }

    static let problemBytes: Int64 = 100 << 20
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
