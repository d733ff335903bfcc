import CommandOptions
import ContentPackage
import Foundation
import StoreFoundation
import StoreModel
import StoreSigning

/// What the commands on content tell programs.
struct ContentReport: Codable {
    struct Finding: Codable {
        let path: String?
        let rule: String
        let message: String
    }

    struct File: Codable {
        let path: String
        let bytes: Int64
    }

    /// What such a package is called on the pages of a store.
    static let packageKind = "In-App Purchase Content"

    let kind: String
    let productId: String?
    let contentVersion: String?
    let fileCount: Int
    let unpackedBytes: Int64
    let packageBytes: Int64?
    /// The SHA-256 of the package.
    let packageDigest: String?
    let isValid: Bool
    let findings: [Finding]
    let files: [File]?

    init(_ validation: ContentValidation, digest: String? = nil, packageBytes: Int64? = nil, withFiles: Bool = false) {
        kind = Self.packageKind
        productId = validation.info?.identifierText
        contentVersion = validation.info?.versionText
        let files = validation.entries.filter(\.isFile)
        fileCount = files.count
        unpackedBytes = validation.unpackedBytes
        self.packageBytes = packageBytes ?? validation.packageBytes
        packageDigest = digest
        isValid = validation.isValid
        findings = validation.findings.map { Finding(path: $0.path, rule: $0.rule.rawValue, message: $0.message) }
        self.files = withFiles ? files.map { File(path: $0.path, bytes: $0.bytes) } : nil
    }

    var lines: [String] {
        let text: (String?) -> String = { $0.map { "\(PrintableText($0, limit: 300))" } ?? "not said" }
        var lines = [
            "kind:        \(kind)",
            "product:     \(text(productId))",
            "version:     \(text(contentVersion))",
            "package:     \(ByteText(packageBytes ?? 0)), \(packageBytes ?? 0) bytes",
            "unpacked:    \(ByteText(unpackedBytes)) in \(fileCount) files",
            "SHA-256:     \(packageDigest ?? "")",
            "contents:",
        ]
        for file in files ?? [] {
            let bytes = "\(file.bytes)"
            let space = String(repeating: " ", count: max(0, 14 - bytes.count))
            lines.append("\(space)\(bytes)  \(PrintableText(file.path, limit: 400))")
        }
        for finding in findings {
            lines.append(
                "\(PrintableText(finding.path ?? "the package", limit: 400)): \(finding.rule): \(PrintableText(finding.message, limit: 400))"
            )
        }
        return lines
    }
}

/// A number of bytes as people read it.
struct ByteText: CustomStringConvertible {
    let description: String

    init(_ bytes: Int64) {
        let units = ["kB", "MB", "GB", "TB"]
        guard bytes >= 1000 else {
            description = "\(bytes) bytes"
            return
        }
        var value = Double(bytes) / 1000
        var unit = 0
        // 999.95 would be shown as 1000.0.
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        description = String(format: "%.1f %@", value, units[unit])
    }
}

/// A package on the disk, with its length and digest.
struct PackageFile: Sendable {
    let path: String
    let bytes: Int64
    /// The SHA-256 in hexadecimal digits.
    let digest: String
    let file: SystemFile

    private static let piece: Int64 = 1 << 20

    /// Opens a package and computes its digest, on a thread that may wait.
    static func open(_ path: String) async throws -> PackageFile {
        try await OwnThread.run(named: "content") { () throws -> PackageFile in
            do {
                let file = try SystemFile(path, O_RDONLY | O_NONBLOCK, for: "reading")
                let bytes = Int64(try file.status().st_size)
                let digest = try RunningDigest(.sha256)
                for offset in stride(from: 0, to: bytes, by: Int(piece)) {
                    try digest.update(file.read(at: offset, count: Int(min(piece, bytes - offset))))
                }
                let digits = try digest.finish().map { String(format: "%02x", $0) }.joined()
                return PackageFile(path: path, bytes: bytes, digest: digits, file: file)
            } catch let failure as FileFailure {
                throw ContentError(failure)
            }
        }
    }
}
