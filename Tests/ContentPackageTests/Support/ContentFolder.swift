import Foundation
import TestSupport

/// A folder of a test. Content is made in it, and everything that is made of that.
struct ContentFolder {
    let path = NSTemporaryDirectory() + "till-content-" + UUID().uuidString
    var project: String { path + "/project" }
    var package: String { path + "/made.pkg" }
    var archive: String { path + "/made.zip" }
    var unpacked: String { path + "/unpacked" }

    init() throws {
        try FileManager.default.createDirectory(atPath: project + "/Contents", withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file of the project, and the folders it is in.
    @discardableResult
    func write(_ name: String, _ bytes: [UInt8], mode: Int = 0o644) throws -> Self {
        let place = project + "/" + name
        try FileManager.default.createDirectory(
            atPath: (place as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        guard
            FileManager.default.createFile(atPath: place, contents: Data(bytes), attributes: [.posixPermissions: mode])
        else { throw CocoaError(.fileWriteUnknown) }
        return self
    }

    @discardableResult
    func write(_ name: String, _ text: String, mode: Int = 0o644) throws -> Self {
        try write(name, Array(text.utf8), mode: mode)
    }

    @discardableResult
    func link(_ name: String, to target: String) throws -> Self {
        try FileManager.default.createSymbolicLink(atPath: project + "/" + name, withDestinationPath: target)
        return self
    }

    static func info(version: String = "1.0", product: String = "com.example.book.chapter1") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>ContentVersion</key><string>\(version)</string>
        <key>IAPProductIdentifier</key><string>\(product)</string></dict></plist>
        """
    }

    /// A small content with a bit of everything: text that is deflated, a picture that is stored, folders, a link, an empty file.
    static func sample() throws -> ContentFolder {
        let folder = try ContentFolder()
        try folder.write("ContentInfo.plist", info())
            .write("Contents/1.html", String(repeating: "<p>Call me Ishmael.</p>\n", count: 200))
            .write("Contents/images/whale.png", [0x89, 0x50, 0x4E, 0x47, 1, 2, 3, 4, 5])
            .write("Contents/images/größe & <höhe>.txt", "ünïcode")
            .write("Contents/empty", "")
            .link("Contents/images/first", to: "../1.html")
        try FileManager.default.createDirectory(
            atPath: folder.project + "/Contents/void", withIntermediateDirectories: true)
        return folder
    }

    /// Every path below a folder with what is there, links unresolved.
    static func contents(of folder: String) throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            let place = folder + "/" + name
            let attributes = try FileManager.default.attributesOfItem(atPath: place)
            switch attributes[.type] as? FileAttributeType {
            case .typeRegular?: found[name] = Array(try Data(contentsOf: URL(fileURLWithPath: place)))
            case .typeSymbolicLink?:
                found[name] =
                    Array("-> ".utf8)
                    + Array(try FileManager.default.destinationOfSymbolicLink(atPath: place).utf8)
            default: found[name] = Array("folder".utf8)
            }
        }
        return found
    }
}

extension ContentFolder {
    func bytes(of path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

    func put(_ bytes: [UInt8], at path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

    /// The names directly in the folder of the test.
    func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
}
