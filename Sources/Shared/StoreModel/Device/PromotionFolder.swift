import Foundation

/// The folder of an app in which purchases wait that were begun outside it, one file each.
///
/// A file comes into it whole, and who takes what is in it holds a lock on it until that is settled.
package struct PromotionFolder: Hashable, Sendable {
    package let path: String

    /// The most that wait for one app.
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

    /// Leaves a purchase for the app, readable for the person alone.
    package func add(_ purchase: PromotedPurchase, at time: Instant) throws(PromotionError) {
        guard files.count < Self.longest else {
            throw PromotionError(.full, "\(Self.longest) purchases wait for the app already; start it")
        }
        // The time comes first in the name, with as many digits as any time has, so that names sort by it.
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

/// Why a purchase cannot be left for an app.
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
