import Foundation

/// Are there backups that were broken off, which nobody needs and which hold databases?
struct BackupCheck {
    /// Where backups are made.
    let folder: String

    func findings() -> [Finding] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".partial") }.sorted().map { name in
            .warning(
                "backups", "\(folder)/\(name) is not whole",
                remedy: "if no backup is being made, remove it: rm -r \(folder)/\(name)")
        }
    }
}
