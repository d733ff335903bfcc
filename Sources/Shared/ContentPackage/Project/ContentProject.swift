import Foundation
import StoreFoundation
package import StoreModel

/// A folder in which content is put together: `ContentInfo.plist` and `Contents`. It may be opened and edited again at any
/// time; a package is made of it when it is ready.
///
/// ```swift
/// let project = try ContentProject.make(at: "chapter1", for: product)
/// try project.add("1.html")
/// try project.add("pictures", to: "images")
/// ```
package struct ContentProject: Sendable {
    package let folder: String

    package var infoPath: String { folder + "/" + ContentRoot.info }
    package var contentsPath: String { folder + "/" + ContentRoot.contents }

    /// Makes a new one. The folder may be there already if it is empty.
    package static func make(
        at folder: String, for product: ProductID, version: ContentVersion = .first
    ) throws -> ContentProject {
        try ContentError.catching {
            if mkdir(folder, 0o777) != 0 {
                guard errno == EEXIST else { throw FileFailure("making", folder) }
                guard try ContentTree(folder).entries.isEmpty else {
                    throw ContentError(.occupied, "\(folder) is not empty")
                }
            }
            let project = ContentProject(folder: folder)
            guard mkdir(project.contentsPath, 0o777) == 0 else { throw FileFailure("making", project.contentsPath) }
            try project.save(ContentInfo(product: product, version: version))
            return project
        }
    }

    /// Opens one that is there.
    package init(opening folder: String) throws {
        self.init(folder: folder)
        var status = stat()
        guard lstat(infoPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ContentError(.notAPackage, "\(folder) is no content project: it has no \(ContentRoot.info)")
        }
    }

    private init(folder: String) {
        self.folder = folder
    }

    // MARK: The description

    package func info() throws -> ContentInfo {
        let bytes = try ContentError.catching {
            try SystemFile(reading: infoPath).read(count: ContentLimits().infoBytes + 1)
        }
        guard let info = ContentInfo(bytes) else {
            throw ContentError(.damaged, "\(infoPath) is no property list with a dictionary")
        }
        return info
    }

    package func save(_ info: ContentInfo) throws {
        try ContentError.catching {
            try SystemFile.replace(infoPath, with: info.xml(), draft: folder + "/.ContentInfo.draft")
            chmod(infoPath, 0o644)
        }
    }

    // MARK: The contents

    /// What is in the project, the description first.
    package func entries() throws -> [ContentEntry] {
        try ContentTree(folder).entries.filter {
            $0.path == ContentRoot.info || $0.path.hasPrefix(ContentRoot.contents)
        }
    }

    /// Copies a file, or a folder with everything in it, into the contents. A file of the same name is replaced.
    ///
    /// - Parameter subfolder: where in `Contents` it goes; it is made if it is not there.
    /// - Returns: the paths of the files that were copied, as the package will name them.
    @discardableResult
    package func add(_ source: String, to subfolder: String = "") throws -> [String] {
        let name = (source as NSString).standardizingPath.split(separator: "/").last.map(String.init) ?? ""
        let parents = subfolder.split(separator: "/").map(String.init)
        var rules = ContentRules(ContentLimits())
        var status = stat()
        guard lstat(source, &status) == 0 else { throw ContentError(FileFailure("reading", source)) }
        let target = ([ContentRoot.contents] + parents + [name]).joined(separator: "/")
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let inner = isFolder ? try Self.everything(in: source) : []
        let entries =
            isFolder
            ? [ContentEntry(target, .folder)] + inner.map { ContentEntry(target + "/" + $0.path, $0.kind) }
            : [try Self.single(source, at: target)]
        // The copy will have no executable bit, but a program is none the less one.
        for entry in entries where !rules.enter(entry) { break }
        if !rules.findings.isEmpty { throw ContentError.refused(rules.findings) }
        try ContentError.catching {
            var folder = contentsPath
            for parent in parents {
                folder += "/" + parent
                try Self.makeFolder(folder)
            }
            for entry in entries {
                let rest = entry.path.dropFirst(target.count)
                try copy(entry, from: source + rest)
            }
        }
        return entries.filter { $0.kind != .folder }.map(\.path)
    }

    private static func single(_ source: String, at target: String) throws -> ContentEntry {
        let folder = (source as NSString).deletingLastPathComponent
        let name = (source as NSString).lastPathComponent
        let found = try ContentTree.lookUp(name, in: folder.isEmpty ? "." : folder)
        return ContentEntry(target, found.kind)
    }

    /// Everything below a folder.
    private static func everything(in folder: String) throws -> [ContentEntry] {
        let tree = try ContentTree(folder, descendingEverywhere: true)
        guard !tree.isCut else { throw ContentError(.tooLarge, "\(folder) has too many files") }
        guard tree.unreadable.isEmpty else {
            throw ContentError(.refused, "\(folder) has names that are not UTF-8")
        }
        return tree.entries
    }

    private static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o777) == 0 { return }
        var status = stat()
        guard errno == EEXIST, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw FileFailure("making", path, EEXIST)
        }
    }

    private func copy(_ entry: ContentEntry, from source: String) throws {
        let destination = folder + "/" + entry.path
        switch entry.kind {
        case .folder: try Self.makeFolder(destination)
        case .link(let target):
            unlink(destination)
            guard symlink(target, destination) == 0 else { throw FileFailure("making", destination) }
        default:
            let draft = destination + ".draft"
            unlink(draft)
            do {
                let (input, bytes) = try SystemFile.opening(source)
                let output = try SystemFile(making: draft)
                try input.forEachPiece(of: 0..<bytes, in: PieceBuffer()) { try output.write($0) }
                guard fchmod(output.descriptor, 0o644) == 0 else { throw FileFailure("writing", draft) }
                try SystemFile.rename(draft, to: destination)
            } catch {
                unlink(draft)
                throw error
            }
        }
    }
}
