/// Who is at the other end of a connection.
package struct PeerAddress: Hashable, Sendable {
    /// The numeric address, or the word `local` for a socket in the file system or in memory.
    package let host: String
    package let port: Int?

    package init(host: String, port: Int?) {
        self.host = host
        self.port = port
    }

    /// A peer on this machine without a network between.
    package static let local = PeerAddress(host: "local", port: nil)
}
