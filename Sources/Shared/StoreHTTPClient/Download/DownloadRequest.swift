package import StoreHTTP

/// What is to be downloaded, and where to.
package struct DownloadRequest: Sendable {
    /// A GET; its fields about ranges, validators and codings are set by the download.
    package var request: ClientRequest
    /// The path that the file will have once it is complete. Until then there is `.part` beside it, with its record in
    /// `.part.json`.
    package var destination: String
    /// Identifies the file, to continue a part begun earlier. By default the URL without its query identifies it, which
    /// is wrong for URLs that change while their file does not.
    package var identity: String?
    /// The length that the file must have.
    package var length: Int?
    /// The digest that the file must have.
    package var digest: ExpectedDigest?
    /// The digests that the chunks of the file must have; only with ``length``.
    package var chunks: ChunkDigests?
    /// The most bytes that one request asks for; nil for all that is missing. A server that looks anew at every request
    /// whether the file may still be had is thus asked again and again.
    package var range: Int?
    /// The greatest length that the file may have.
    package var limit: Int
    /// The retries. Failures are counted from the last byte that arrived.
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

/// The progress of a download.
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

/// Why a download ended without its file. Neither code nor message contains anything secret.
package struct DownloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure this is; more may be added.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Cancelled, by its task or by ``Download/cancel()``.
        package static let cancelled = Code(rawValue: "cancelled")
        /// Another download is writing this file, or this one ran already.
        package static let busy = Code(rawValue: "busy")
        /// The server refuses it permanently.
        package static let refused = Code(rawValue: "refused")
        /// The length or the digest is not the expected one.
        package static let unexpectedContent = Code(rawValue: "unexpected_content")
        /// The file exceeds the limit.
        package static let tooLarge = Code(rawValue: "too_large")
        /// The disk is full; the part is kept.
        package static let diskFull = Code(rawValue: "disk_full")
        /// The file cannot be written, synchronised or renamed.
        package static let file = Code(rawValue: "file")
        /// The network failed permanently, or more often than is retried.
        package static let transfer = Code(rawValue: "transfer")
    }

    package let code: Code
    package let message: String
    /// The server's status, if it is the reason.
    package let status: HTTPStatus?
    /// The error of the client, if it is the reason.
    package let underlying: HTTPClientError?

    package init(_ code: Code, _ message: String, status: HTTPStatus? = nil, underlying: HTTPClientError? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.underlying = underlying
    }

    package var description: String { "\(message) (\(code.rawValue))" }

    static func transfer(_ error: HTTPClientError) -> DownloadError {
        DownloadError(.transfer, error.message, status: error.status, underlying: error)
    }

    static let cancelled = DownloadError(.cancelled, "The download was cancelled.")
}

/// Computes a digest piece by piece.
package protocol ContentDigest {
    mutating func update(_ bytes: UnsafeRawBufferPointer) throws
    mutating func finish() throws -> [UInt8]
}

/// The digest that a file must have.
package struct ExpectedDigest: Sendable {
    let bytes: [UInt8]
    let make: @Sendable () throws -> any ContentDigest

    /// `make` starts the computation of a digest of the kind of `bytes`.
    package init(_ bytes: [UInt8], _ make: @escaping @Sendable () throws -> any ContentDigest) {
        self.bytes = bytes
        self.make = make
    }
}
