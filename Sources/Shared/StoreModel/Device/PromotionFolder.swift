package import Foundation

/// The folder of an app for purchases that were started outside it, one file each.
///
/// Files are added atomically. A reader holds a lock on a file until its purchase is settled.
package struct PromotionFolder: Hashable, Sendable {
    package let path: String

    /// The most purchases that wait for one app.
    package static let longest = 100
    private static let ending = ".json"

    package init(of app: BundleID, in folders: DeviceFolders) {
        path = folders.folder(of: app) + "/promoted"
    }

    /// The files, the oldest first.
    package var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(Self.ending) }.sorted().map { path + "/" + $0 }
    }

    /// Adds a purchase for the app, readable for the user alone.
    package func add(_ purchase: PromotedPurchase, at time: Instant) throws(PromotionError) {
        guard files.count < Self.longest else {
            throw PromotionError(.full, "\(Self.longest) purchases wait for the app already; start it")
        }
        // The name begins with the time, with leading zeros, so names sort by it.
        let digits = String(time.millisecondsSinceEpoch)
        let name = String(repeating: "0", count: max(0, 15 - digits.count)) + digits + "-" + UUID().uuidString
        let draft = path + "/" + name
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard
                FileManager.default.createFile(
                    atPath: draft, contents: try JSONEncoder().encode(purchase), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            try FileManager.default.moveItem(atPath: draft, toPath: draft + Self.ending)
        } catch {
            try? FileManager.default.removeItem(atPath: draft)
            throw PromotionError(.unwritable, "\(path) cannot be written")
        }
    }
}

/// Why a purchase cannot be added for an app.
package struct PromotionError: Error, Hashable, Sendable, CustomStringConvertible {
    package struct Code: Hashable, Sendable {
        let name: String

        /// Too many wait already.
        package static let full = Code(name: "full")
        /// The folder cannot be written.
        package static let unwritable = Code(name: "unwritable")
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description)
    }
}

/// A purchase that is started outside an app: `till device promote` writes it, the app's StoreKit takes it.
///
/// ```json
/// {"productId": "com.example.monkeycredits.credits5"}
/// ```
package struct PromotedPurchase: Codable, Hashable, Sendable {
    package var productId: ProductID

    package init(_ productId: ProductID) {
        self.productId = productId
    }

    /// The most bytes of its file.
    package static let longestFile = 4 * 1024

    /// Reads its file; nil if it is malformed.
    package init?(_ data: Data) {
        guard data.count <= Self.longestFile, let read = try? JSONDecoder().decode(Self.self, from: data) else {
            return nil
        }
        self = read
    }
}
