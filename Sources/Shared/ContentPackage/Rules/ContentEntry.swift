/// A file, folder or link of content.
package struct ContentEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file(bytes: Int64)
        case folder
        /// A symbolic link and where it points.
        case link(target: String)
        /// What content cannot have, in words such as "a device".
        case other(String)
    }

    /// From the root of the package, such as `Contents/1/a.png`.
    package let path: String
    package let kind: Kind
    /// Whether the file may be run as a program.
    package let isExecutable: Bool

    package init(_ path: String, _ kind: Kind, isExecutable: Bool = false) {
        self.path = path
        self.kind = kind
        self.isExecutable = isExecutable
    }

    /// The bytes of a file; 0 for anything else.
    package var bytes: Int64 {
        if case .file(let bytes) = kind { return bytes }
        return 0
    }

    package var isFile: Bool {
        if case .file = kind { return true }
        return false
    }
}

/// The two things at the root of a package.
enum ContentRoot {
    static let info = "ContentInfo.plist"
    static let contents = "Contents"
}

/// The names that a path is made of. Everything is done with bytes: to Swift, a slash with a combining mark behind it is
/// not a slash, and two names that differ in their bytes may be equal.
struct ContentPath {
    static let separator = UInt8(ascii: "/")

    let names: [String]

    init(_ path: String) {
        names = path.utf8.split(separator: Self.separator, omittingEmptySubsequences: false).map { String($0) ?? "" }
    }

    /// The paths of the folders it lies in, from the outermost, and itself; with each what it is on a file system that
    /// tells neither capitals nor ways of writing an accent apart.
    var steps: [(path: String, folded: String)] {
        var path = ""
        var folded = ""
        return names.map { name in
            path += path.isEmpty ? name : "/" + name
            folded += folded.isEmpty ? Self.fold(name) : "/" + Self.fold(name)
            return (path, folded)
        }
    }

    /// Strings are equal where they are canonically equivalent, so what is left to do is to fold capitals. Capitals first,
    /// since some letters have none of their own: ß is SS.
    static func fold(_ name: String) -> String { name.uppercased().lowercased() }

    /// Whether two paths have the same bytes.
    static func isSame(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    /// The order of entries in a folder.
    static func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}
