import Foundation
import StoreFoundation

/// Content as it was unpacked.
package struct UnpackedContent: Sendable {
    package let info: ContentInfo
    package let files: [ContentManifest.File]
    package let unpackedBytes: Int64
}

extension DeliveredArchive {
    /// Where an archive is unpacked before the folder appears, in one step, with everything in it.
    package static func draft(of folder: String) -> String { folder + ".unpacking" }

    /// Unpacks an archive into a folder that is not there yet. It appears when it is complete and on the disk, or not at all;
    /// nothing is ever written beside it but its draft, which goes when it fails, and which the next call for the same
    /// folder removes if the process was ended in the middle.
    ///
    /// The archive is held against the rules for content, as the store held its package: names, kinds, links, amounts,
    /// programs. Nothing that is written may be executed.
    @discardableResult
    package static func unpack(
        _ path: String, into folder: String, limits: ContentLimits = ContentLimits(), work: ContentWork = ContentWork()
    ) throws -> UnpackedContent {
        let (file, bytes) = try SystemFile.opening(path)
        guard bytes <= limits.packageBytes else {
            throw ContentError(.tooLarge, "the archive has \(bytes) bytes, and may have \(limits.packageBytes)")
        }
        let directory = try ZipDirectory(file, bytes: bytes, limits: limits)
        var rules = ContentRules(limits)
        for entry in directory.entries where !rules.enter(entry.entry) { break }
        rules.finish(storedBytes: bytes)
        guard rules.findings.isEmpty else { throw ContentError.refused(rules.findings) }
        let parent = (folder as NSString).deletingLastPathComponent
        // A folder or link takes up a block.
        try DiskRoom.require(
            rules.unpackedBytes + Int64(rules.entries.count) * 4096, in: parent, for: "unpacking the content")
        let draft = draft(of: folder)
        return try ContentError.catching {
            try remove(draft)
            guard mkdir(draft, 0o700) == 0 else { throw FileFailure("making", draft) }
            do {
                let unpacking = Unpacking(
                    file: file, draft: draft, work: work, total: rules.unpackedBytes, limits: limits)
                let info = try unpacking.run(directory.entries)
                try place(draft, at: folder)
                let files = directory.entries.filter(\.entry.isFile)
                return UnpackedContent(
                    info: info, files: files.map { ContentManifest.File(path: $0.entry.path, bytes: $0.entry.bytes) },
                    unpackedBytes: rules.unpackedBytes)
            } catch {
                try? remove(draft)
                throw error
            }
        }
    }

    private static func place(_ draft: String, at folder: String) throws {
        guard rename(draft, folder) == 0 else {
            if errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR {
                throw ContentError(.occupied, "there is something at \(folder) already")
            }
            throw FileFailure("making", folder)
        }
        try SystemFile.synchronizeFolder(of: folder)
    }

    /// Removes a folder with everything in it; links are removed, not followed.
    private static func remove(_ folder: String) throws {
        var status = stat()
        guard lstat(folder, &status) == 0 else { return }
        do {
            try FileManager.default.removeItem(atPath: folder)
        } catch {
            throw FileFailure("removing", folder, EIO)
        }
    }
}

/// The unpacking of one archive whose directory was found good.
private final class Unpacking {
    private let file: SystemFile
    private let draft: String
    private let work: ContentWork
    private let total: Int64
    private let limits: ContentLimits
    private let buffer = PieceBuffer()
    private var done: Int64 = 0
    private var folders: Set<[UInt8]> = []

    init(file: SystemFile, draft: String, work: ContentWork, total: Int64, limits: ContentLimits) {
        (self.file, self.draft, self.work, self.total, self.limits) = (file, draft, work, total, limits)
    }

    /// Folders and files first. As long as files are written there is no link that a path could lead through.
    func run(_ entries: [ZipDirectory.Entry]) throws -> ContentInfo {
        var info: ContentInfo?
        for entry in entries {
            switch entry.entry.kind {
            case .folder: try makeFolder(entry.entry.path)
            case .file:
                try makeFolder(above: entry.entry.path)
                let beginning = try write(entry)
                if entry.entry.path == ContentRoot.info { info = ContentInfo(beginning, limits: limits) }
            default: break
            }
        }
        guard let info else {
            throw ContentError.refused([ContentFinding(ContentRoot.info, .infoMalformed, "this is no property list")])
        }
        for entry in entries {
            guard case .link(let target) = entry.entry.kind else { continue }
            try makeFolder(above: entry.entry.path)
            let place = draft + "/" + entry.entry.path
            guard symlink(target, place) == 0 else { throw FileFailure("making", place) }
        }
        for folder in folders {
            try SystemFile.synchronizeFolder(draft + "/" + String(decoding: folder, as: UTF8.self))
        }
        try SystemFile.synchronizeFolder(draft)
        return info
    }

    private func makeFolder(above path: String) throws {
        guard let slash = path.utf8.lastIndex(of: ContentPath.separator) else { return }
        try makeFolder(String(path.utf8[..<slash]) ?? "")
    }

    private func makeFolder(_ path: String) throws {
        guard folders.insert(Array(path.utf8)).inserted else { return }
        try makeFolder(above: path)
        guard mkdir(draft + "/" + path, 0o700) == 0 else { throw FileFailure("making", path) }
    }

    /// Writes a file; gives its beginning.
    private func write(_ entry: ZipDirectory.Entry) throws -> [UInt8] {
        let path = entry.entry.path
        let output = try SystemFile(making: draft + "/" + path)
        let kept = path == ContentRoot.info ? limits.infoBytes + 1 : ExecutableCode.bytesNeeded
        var beginning: [UInt8] = []
        var crc = CRC32()
        var made: Int64 = 0
        let take: (UnsafeRawBufferPointer) throws -> Void = { [self] piece in
            made += Int64(piece.count)
            guard made <= entry.record.bytes else {
                throw ZipDirectory.damaged("\(path) is longer than it is said to be")
            }
            if beginning.count < kept { beginning += piece.prefix(kept - beginning.count) }
            crc.update(piece)
            try output.write(piece)
            done += Int64(piece.count)
            try work.advance(to: done, of: total)
        }
        let decompressor = entry.record.isDeflated ? try Decompressor(.bare) : nil
        try file.forEachPiece(of: entry.data, in: buffer) { piece in
            if let decompressor { try decompressor.add(piece, take) } else { try take(piece) }
        }
        guard made == entry.record.bytes, crc.value == entry.record.crc, decompressor?.isComplete ?? true else {
            throw ZipDirectory.damaged("\(path) is not what its checksum says")
        }
        if path != ContentRoot.info, let name = ExecutableCode.name(of: beginning) {
            throw ContentError.refused([ContentFinding(path, .executableCode, "this is \(name)")])
        }
        try output.synchronize()
        return beginning
    }
}
