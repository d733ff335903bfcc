/// What a backup says of itself: whose it is, and how each of its files must be.
struct BackupManifest: Codable, Hashable, Sendable {
    struct File: Codable, Hashable, Sendable {
        let path: String
        let bytes: Int
        let sha256: String
    }

    /// The form of backups that this version makes.
    static let currentFormat = 1

    let format: Int
    /// The version of the program that made it.
    let version: String
    let engine: String
    let madeAt: String
    /// How many migrations each database had.
    let migrations: [String: Int]
    let files: [File]
}
