import Foundation
import StoreModel
import Testing

@testable import StoreSigning

/// A key store in a folder of its own that goes away with it. All begin as copies of one, because making keys takes long.
final class TemporaryKeyStore: Sendable {
    let store: KeyStore
    private let folder: String

    /// A store with keys of the sandbox, or one with none.
    init(empty: Bool = false) throws {
        folder = Self.newFolder()
        store = KeyStore(dataDirectory: folder)
        if empty {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } else {
            try FileManager.default.copyItem(atPath: Self.original.get(), toPath: folder)
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    func path(_ name: String) -> String { "\(store.path)/sandbox/\(name)" }

    func read(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: path(name)))) }

    /// Overwrites a file in place, so that it keeps its permissions.
    func write(_ bytes: [UInt8], to name: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
        try handle.close()
    }

    var fileNames: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path("")).sorted() } }

    func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    func setMode(_ mode: Int, of name: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: NSNumber(value: mode)], ofItemAtPath: path(name))
    }

    private static func newFolder() -> String {
        FileManager.default.temporaryDirectory.path + "/till-keys-" + UUID().uuidString
    }

    /// Stays until the process ends; the system's temporary folder is its last owner.
    private static let original = Result<String, any Error> {
        let folder = newFolder()
        _ = try KeyStore(dataDirectory: folder).create(.sandbox, organization: "Corner Shop", at: Fixture.now)
        return folder
    }
}
