import Foundation

/// The files that make up the repository, as they lie in the tree.
struct Repository: Sendable {
    /// Where the tree is; nil for one made by a test.
    let root: URL?
    let files: [RepositoryFile]

    /// The repository this test belongs to.
    static let this = Repository(at: URL(filePath: #filePath).deletingLastPathComponents(4))

    /// Folders that hold what was built or installed, wherever they lie.
    private static let skipped: Set<String> = [
        ".git", ".build", ".venv", ".swiftpm", "__pycache__", ".pytest_cache", "till_data",
    ]

    /// A small tree for one test.
    init(_ files: [RepositoryFile]) {
        root = nil
        self.files = files
    }

    init(at root: URL) {
        self.root = root
        files = Self.paths(in: root, below: "").map { path in
            let data = FileManager.default.contents(atPath: root.appending(path: path).path) ?? Data()
            return RepositoryFile(path: path, data: data)
        }
    }

    private static func paths(in root: URL, below folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return names.sorted().flatMap { name -> [String] in
            guard !skipped.contains(name) else { return [] }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            let attributes = try? FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory: return paths(in: root, below: path)
            case .typeRegular: return [path]
            default: return []
            }
        }
    }

    func file(_ path: String) -> RepositoryFile? { files.first { $0.path == path } }

    /// Whether a file or a folder has this path.
    func contains(_ path: String) -> Bool { files.contains { $0.path == path || $0.path.hasPrefix("\(path)/") } }
}

extension URL {
    fileprivate func deletingLastPathComponents(_ count: Int) -> URL {
        (0..<count).reduce(self) { url, _ in url.deletingLastPathComponent() }
    }
}
