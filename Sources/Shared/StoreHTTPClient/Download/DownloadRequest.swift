/// What is to be downloaded, and where to.
package struct DownloadRequest: Sendable {
    /// A GET; its fields about ranges, validators and codings are set by the download.
    package var request: ClientRequest
    /// The path that the file will have once it is complete. Until then it is `.part` beside it, with what is known about
    /// it in `.part.json`.
    package var destination: String
    /// Tells whether a part begun earlier is of the same thing; without it the address without its query does, which is
    /// wrong for addresses that change while what they lead to does not.
    package var identity: String?
    /// The length that the file must have.
    package var length: Int?
    /// The digest that the file must have.
    package var digest: ExpectedDigest?
    /// The greatest length that the file may have.
    package var limit: Int
    /// How long and how often it is tried. Failures are counted from the last byte that arrived.
    package var policy: RetryPolicy

    package init(
        _ request: ClientRequest, to destination: String, limit: Int = 1 << 40, policy: RetryPolicy = .untilDone
    ) {
        self.request = request
        self.destination = destination
        self.limit = limit
        self.policy = policy
    }
}

/// How far a download is.
package struct DownloadProgress: Hashable, Sendable {
    /// Bytes on disk.
    package let received: Int
    /// The whole length, once it is known.
    package let expected: Int?

    package init(received: Int, expected: Int?) {
        self.received = received
        self.expected = expected
    }
}
