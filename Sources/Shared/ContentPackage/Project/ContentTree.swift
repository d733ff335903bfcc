import Glibc
import StoreFoundation

/// What is in a folder, as it is read from the disk: in the order of a package, which is each folder's names in the order of
/// their bytes, with what is in a folder right behind it.
struct ContentTree {
    let folder: String
    private(set) var entries: [ContentEntry] = []
    /// Names that are not UTF-8, made readable.
    private(set) var unreadable: [String] = []
    /// Whether there is more than the limit.
    private(set) var isCut = false

    /// - Parameter descendingEverywhere: whether folders beside `Contents` are read too.
    init(_ folder: String, limits: ContentLimits = ContentLimits(), descendingEverywhere: Bool = false) throws {
        self.folder = folder
        var status = stat()
        guard stat(folder, &status) == 0 else { throw ContentError(FileFailure("reading", folder)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw ContentError(.notAPackage, "\(folder) is not a folder") }
        // Folders that are still to be read; the last comes next.
        var waiting = try Self.names(in: folder, &unreadable).reversed().map { $0 }
        while let path = waiting.popLast() {
            guard entries.count <= limits.entries else {
                isCut = true
                return
            }
            let entry = try Self.lookUp(path, in: folder)
            entries.append(entry)
            let isBelow = path == ContentRoot.contents || path.utf8.contains(ContentPath.separator)
            // What lies beside Contents is one finding, whatever it holds; what lies too deep is too.
            guard entry.kind == .folder, isBelow || descendingEverywhere, ContentPath(path).names.count <= limits.depth
            else { continue }
            let names = try Self.names(in: folder + "/" + path, &unreadable)
            waiting += names.reversed().map { path + "/" + $0 }
        }
    }

    private static func names(in folder: String, _ unreadable: inout [String]) throws -> [String] {
        guard let stream = opendir(folder) else { throw ContentError(FileFailure("reading", folder)) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw ContentError(FileFailure("reading", folder)) }
                break
            }
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let name = String(validating: bytes, as: UTF8.self) {
                if name != ".", name != ".." { names.append(name) }
            } else {
                unreadable.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        return names.sorted(by: ContentPath.precedes)
    }

    /// What a path below a folder is.
    static func lookUp(_ path: String, in folder: String) throws -> ContentEntry {
        let place = folder + "/" + path
        var status = stat()
        guard lstat(place, &status) == 0 else { throw ContentError(FileFailure("reading", place)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            return ContentEntry(path, .file(bytes: Int64(status.st_size)), isExecutable: status.st_mode & 0o111 != 0)
        case S_IFDIR: return ContentEntry(path, .folder)
        case S_IFLNK:
            var target = [UInt8](repeating: 0, count: 4096)
            let count = readlink(place, &target, target.count)
            guard count >= 0 else { throw ContentError(FileFailure("reading", place)) }
            return ContentEntry(path, .link(target: String(decoding: target.prefix(count), as: UTF8.self)))
        case S_IFIFO: return ContentEntry(path, .other("a pipe"))
        case S_IFSOCK: return ContentEntry(path, .other("a socket"))
        default: return ContentEntry(path, .other("a device"))
        }
    }
}
