/// Which of some transactions have content that the store hosts: `POST /device/v1/contents`.
package struct HostedContentsRequest: Codable, Hashable, Sendable {
    /// The most transactions of one request.
    package static let longest = 200

    package var transactionIds: [TransactionID]

    package init(transactionIds: [TransactionID]) {
        self.transactionIds = transactionIds
    }
}

package struct HostedContentsAnswer: Codable, Hashable, Sendable {
    /// One for each transaction that has content; the others are left out.
    package var contents: [HostedContentAnswer]

    package init(contents: [HostedContentAnswer]) {
        self.contents = contents
    }
}

/// The newest content of what a transaction bought, as it can be had now.
package struct HostedContentAnswer: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var productId: ProductID
    package var contentVersion: ContentVersion
    /// How many bytes come over the network.
    package var contentLength: Int64

    package init(
        transactionId: TransactionID, productId: ProductID, contentVersion: ContentVersion, contentLength: Int64
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.contentVersion = contentVersion
        self.contentLength = contentLength
    }
}

/// Asks for an address of content: `POST /device/v1/transactions/{transactionId}/content`.
package struct ContentLinkRequest: Codable, Hashable, Sendable {
    /// The version that is wanted; the newest, if it is missing.
    package var contentVersion: ContentVersion?

    package init(contentVersion: ContentVersion? = nil) {
        self.contentVersion = contentVersion
    }
}

/// Where content is, for a short time, and what it is made of.
package struct ContentLinkAnswer: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var productId: ProductID
    package var contentVersion: ContentVersion
    /// The bytes of the archive, which is a zip.
    package var contentLength: Int64
    /// The bytes of all files in it.
    package var unpackedLength: Int64
    package var fileCount: Int
    /// The SHA-256 of the archive, in hexadecimal digits.
    package var digest: String
    /// How long each chunk is; the last may be shorter.
    package var chunkLength: Int
    /// The SHA-256 of each chunk, one after the other, in Base64.
    package var chunkDigests: String
    /// Where the archive is: a path at the same address as this interface.
    package var path: String
    /// When the address ends, by the wall clock.
    package var expiresAt: Instant

    package init(
        transactionId: TransactionID, productId: ProductID, contentVersion: ContentVersion, contentLength: Int64,
        unpackedLength: Int64, fileCount: Int, digest: String, chunkLength: Int, chunkDigests: String, path: String,
        expiresAt: Instant
    ) {
        self.transactionId = transactionId
        self.productId = productId
        self.contentVersion = contentVersion
        self.contentLength = contentLength
        self.unpackedLength = unpackedLength
        self.fileCount = fileCount
        self.digest = digest
        self.chunkLength = chunkLength
        self.chunkDigests = chunkDigests
        self.path = path
        self.expiresAt = expiresAt
    }
}
