/// What a backup is asked for with.
package struct BackupRequest: Codable, Hashable, Sendable {
    /// The full path of a folder that is not there yet.
    package let destination: String
    package let withKeys: Bool

    package init(destination: String, withKeys: Bool) {
        self.destination = destination
        self.withKeys = withKeys
    }
}
