import StoreCatalogue
package import StoreHTTP
package import StoreModel
import StoreRules
import StoreService

/// Announces a package that is to be uploaded.
package struct ContentUploadRequest: Codable, Hashable, Sendable {
    package let packageBytes: Int64
    /// The SHA-256 of the package, in hexadecimal digits.
    package let packageDigest: String

    package init(packageBytes: Int64, packageDigest: String) {
        self.packageBytes = packageBytes
        self.packageDigest = packageDigest
    }
}

/// A package on its way, part by part.
package struct ContentUploadAnswer: Codable, Hashable, Sendable {
    /// A part that broke off.
    package struct BegunPart: Codable, Hashable, Sendable {
        package let part: Int
        /// How many of its bytes are there; what follows them is enough.
        package let bytes: Int64

        package init(part: Int, bytes: Int64) {
            self.part = part
            self.bytes = bytes
        }
    }

    package let uploadId: String
    package let packageBytes: Int64
    package let packageDigest: String
    /// How many bytes each part has; the last may have fewer.
    package let partBytes: Int
    package let partCount: Int
    /// The parts that are there, by their numbers from 1 on.
    package let received: [Int]
    /// The parts of which something is there.
    package let begun: [BegunPart]
    /// Until when parts are kept without news.
    package let expiresAt: Instant

    package init(
        uploadId: String, packageBytes: Int64, packageDigest: String, partBytes: Int, partCount: Int, received: [Int],
        begun: [BegunPart], expiresAt: Instant
    ) {
        self.uploadId = uploadId
        self.packageBytes = packageBytes
        self.packageDigest = packageDigest
        self.partBytes = partBytes
        self.partCount = partCount
        self.received = received
        self.begun = begun
        self.expiresAt = expiresAt
    }
}

/// A version of the hosted content of a product.
package struct ContentVersionAnswer: Codable, Hashable, Sendable {
    /// What a package does not keep to.
    package struct Finding: Codable, Hashable, Sendable {
        /// The file in the package; nil for the package as a whole.
        package let path: String?
        package let rule: String
        package let message: String

        package init(path: String?, rule: String, message: String) {
            self.path = path
            self.rule = rule
            self.message = message
        }
    }

    package struct File: Codable, Hashable, Sendable {
        package let path: String
        package let bytes: Int64

        package init(path: String, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    /// Counts the uploads of the product from 1 on: a package that failed may have no version that can be read.
    package let number: Int
    /// Nil until the package was read.
    package let contentVersion: ContentVersion?
    /// `processing`, `failed`, `ready_to_submit`, `approved`, `rejected`, `withdrawn`, `replaced`, `unhosted`.
    package let state: String
    package let packageBytes: Int64
    package let packageDigest: String
    /// What is delivered, and what it holds; nil until it was processed.
    package let deliveredBytes: Int64?
    package let unpackedBytes: Int64?
    package let fileCount: Int?
    package let uploadedAt: Instant
    package let uploadedBy: String
    package let processedAt: Instant?
    package let approvedAt: Instant?
    /// Whether sandbox and production deliver it to those who ask now.
    package let isDeliveredInSandbox: Bool
    package let isDeliveredInProduction: Bool
    /// What is wrong with a package that failed.
    package let findings: [Finding]
    /// The table of contents; only where one version is asked for.
    package let files: [File]?

    package init(
        number: Int, contentVersion: ContentVersion?, state: String, packageBytes: Int64, packageDigest: String,
        deliveredBytes: Int64?, unpackedBytes: Int64?, fileCount: Int?, uploadedAt: Instant, uploadedBy: String,
        processedAt: Instant?, approvedAt: Instant?, isDeliveredInSandbox: Bool, isDeliveredInProduction: Bool,
        findings: [Finding], files: [File]? = nil
    ) {
        self.number = number
        self.contentVersion = contentVersion
        self.state = state
        self.packageBytes = packageBytes
        self.packageDigest = packageDigest
        self.deliveredBytes = deliveredBytes
        self.unpackedBytes = unpackedBytes
        self.fileCount = fileCount
        self.uploadedAt = uploadedAt
        self.uploadedBy = uploadedBy
        self.processedAt = processedAt
        self.approvedAt = approvedAt
        self.isDeliveredInSandbox = isDeliveredInSandbox
        self.isDeliveredInProduction = isDeliveredInProduction
        self.findings = findings
        self.files = files
    }
}

extension ContentVersionAnswer {
    init(_ details: ContentDetails) {
        let (content, delivered, files) = (details.content, details.delivered, details.files)
        self.init(
            number: content.number, contentVersion: content.version, state: content.state.rawValue,
            packageBytes: content.packageBytes, packageDigest: content.packageDigestText,
            deliveredBytes: content.archive?.bytes, unpackedBytes: content.archive?.unpackedBytes,
            fileCount: content.archive?.fileCount, uploadedAt: content.uploadedAt ?? content.begunAt,
            uploadedBy: content.uploadedBy, processedAt: content.processedAt, approvedAt: content.approvedAt,
            isDeliveredInSandbox: delivered.sandbox == content.number,
            isDeliveredInProduction: delivered.production == content.number,
            findings: content.findings.map { Finding(path: $0.path, rule: $0.rule, message: $0.message) },
            files: files.map { $0.map { File(path: $0.path, bytes: $0.bytes) } })
    }
}

extension ContentUploadAnswer {
    init(_ upload: ContentUploadDetails) {
        let content = upload.content
        self.init(
            uploadId: "\(content.number)", packageBytes: content.packageBytes,
            packageDigest: content.packageDigestText,
            partBytes: content.partBytes, partCount: content.partCount,
            received: upload.received,
            begun: upload.begun.sorted { $0.key < $1.key }.map { BegunPart(part: $0.key, bytes: $0.value) },
            expiresAt: content.touchedAt + HostingLimits.uploadLife)
    }
}

extension ContentUploadRequest: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "packageBytes": .integer(minimum: 1, maximum: Int(HostingLimits.packageBytes)),
            "packageDigest": .string("The SHA-256 of the package.", pattern: "^[0-9a-f]{64}$"),
        ]
    }
}

extension ContentVersion: SchemaValue {
    package static var schema: JSONSchema {
        .string(example: "1.0", pattern: #"^[0-9]{1,6}(\.[0-9]{1,6}){0,3}$"#)
    }
}

extension ContentVersionAnswer: SchemaMessage {
    package static var schemas: [String: JSONSchema] {
        [
            "state": .string(among: [
                "uploading", "processing", "failed", "ready_to_submit", "approved", "rejected",
                "withdrawn", "replaced", "unhosted",
            ])
        ]
    }
}
