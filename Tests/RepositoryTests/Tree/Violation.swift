/// A place where a rule is broken.
struct Violation: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let message: String

    init(_ file: RepositoryFile, _ line: Int, _ message: String) {
        path = file.path
        self.line = line
        self.message = message
    }

    /// A violation by a file as a whole.
    init(_ file: RepositoryFile, _ message: String) {
        self.init(file, 1, message)
    }

    /// A violation by a file that is not in the tree.
    init(path: String, _ message: String) {
        self.path = path
        line = 1
        self.message = message
    }

    var description: String { "\(path):\(line): \(message)" }
}
