import CLinux
public import Foundation
import StoreFoundation

/// Tells programs that make backups to leave a folder out: what it holds can be had from the store again. Not known on Apple's
/// platforms, where a resource value of the URL does so.
///
/// ```swift
/// BackupExclusion.mark(folder)
/// ```
public enum BackupExclusion {
    /// The attribute that programs for backups look for.
    static let attribute = "user.xdg.robots.backup"
    /// The file by which others know a folder of that kind, and how it begins.
    static let tagName = "CACHEDIR.TAG"
    static let tag = """
        Signature: 8a477f597d28d172789f06886806bc55
        # Everything in this folder can be had from the store again.
        # For information about cache directory tags, see https://bford.info/cachedir/

        """

    /// Marks a folder that is there, in both of the ways that are used on Linux: the attribute `user.xdg.robots.backup`, where the
    /// file system has attributes, and a file `CACHEDIR.TAG`. Nothing else changes, and marking twice is marking once.
    ///
    /// - Returns: whether at least one of the two was made.
    @discardableResult
    public static func mark(_ folder: URL) -> Bool { mark(folder.path) }

    @discardableResult
    static func mark(_ folder: String) -> Bool {
        let value = Array("false".utf8)
        let isSet = setxattr(folder, attribute, value, value.count, 0) == 0
        let file = folder + "/" + tagName
        try? SystemFile.create(file, with: Array(tag.utf8), draft: file + "." + UUID().uuidString)
        return isSet || access(file, F_OK) == 0
    }

    /// Whether a folder was marked.
    public static func isMarked(_ folder: URL) -> Bool {
        var value = [UInt8](repeating: 0, count: 16)
        let count = getxattr(folder.path, attribute, &value, value.count)
        if count > 0, value.prefix(count).elementsEqual("false".utf8) { return true }
        let file = folder.appendingPathComponent(tagName)
        return (try? Data(contentsOf: file))?.starts(with: tag.utf8.prefix { $0 != 0x0A }) ?? false
    }
}
