import Glibc
import StoreFoundation
import StoreModel

/// What was found out about content: everything that is wrong with it at once, and what it is.
///
/// ```swift
/// let validation = try ContentValidation.ofPackage(path, expecting: ContentExpectation(product: product))
/// for finding in validation.findings { print(finding) }
/// ```
package struct ContentValidation: Sendable {
    package private(set) var findings: [ContentFinding]
    /// The description; nil if it is missing or cannot be read.
    package let info: ContentInfo?
    /// What there is, in the order of the package.
    package let entries: [ContentEntry]
    /// The bytes of all files together.
    package let unpackedBytes: Int64
    /// The bytes of the package; nil for a folder.
    package let packageBytes: Int64?

    package var isValid: Bool { findings.isEmpty }

    fileprivate init(_ rules: ContentRules, info: ContentInfo?, packageBytes: Int64?) {
        findings = rules.findings
        self.info = info
        entries = rules.entries
        unpackedBytes = rules.unpackedBytes
        self.packageBytes = packageBytes
    }

    /// Looks at a package or a folder, whichever it is.
    package static func of(
        _ path: String, expecting expectation: ContentExpectation = ContentExpectation(),
        limits: ContentLimits = ContentLimits(), work: ContentWork = ContentWork()
    ) throws -> ContentValidation {
        var status = stat()
        guard stat(path, &status) == 0 else { throw ContentError(FileFailure("reading", path)) }
        if status.st_mode & S_IFMT == S_IFDIR {
            return try ofFolder(path, expecting: expectation, limits: limits, work: work)
        }
        var validation = try ofPackage(path, expecting: expectation, limits: limits, work: work)
        if let finding = ContentFinding(ofPackageCalled: path) { validation.findings.insert(finding, at: 0) }
        return validation
    }
}

// MARK: - Folders

extension ContentValidation {
    /// Looks at a folder with `ContentInfo.plist` and `Contents`. Throws only where the disk does.
    package static func ofFolder(
        _ folder: String, expecting expectation: ContentExpectation = ContentExpectation(),
        limits: ContentLimits = ContentLimits(), work: ContentWork = ContentWork()
    ) throws -> ContentValidation {
        let tree = try ContentTree(folder, limits: limits)
        var rules = ContentRules(limits)
        for name in tree.unreadable { rules.find(name, .nameNotUnicode, "the name is not UTF-8; rename it") }
        var total: Int64 = 0
        for entry in tree.entries { if !rules.enter(entry) { break } }
        rules.finish(storedBytes: nil)
        let buffer = PieceBuffer(ExecutableCode.bytesNeeded)
        for (index, entry) in rules.entries.enumerated()
        where entry.isFile && entry.path.hasPrefix(ContentRoot.contents) {
            let (file, bytes) = try SystemFile.opening(folder + "/" + entry.path)
            rules.begins(entry.path, with: try buffer.fill(from: file, at: 0))
            total += bytes
            if index % 100 == 0 { try work.advance(to: total, of: rules.unpackedBytes) }
        }
        let info = try info(in: folder, entries: rules.entries, &rules)
        info?.check(expectation, into: &rules)
        return ContentValidation(rules, info: info, packageBytes: nil)
    }

    private static func info(
        in folder: String, entries: [ContentEntry], _ rules: inout ContentRules
    ) throws -> ContentInfo? {
        guard entries.contains(where: { $0.path == ContentRoot.info && $0.isFile }) else { return nil }
        let (file, _) = try SystemFile.opening(folder + "/" + ContentRoot.info)
        let bytes = try ContentError.catching { try file.read(count: rules.limits.infoBytes + 1) }
        return read(bytes, &rules)
    }

    fileprivate static func read(_ bytes: [UInt8], _ rules: inout ContentRules) -> ContentInfo? {
        let info = ContentInfo(bytes, limits: rules.limits)
        if info == nil {
            rules.find(
                ContentRoot.info, .infoMalformed,
                "this is no property list with a dictionary, in XML or binary, of up to \(rules.limits.infoBytes) bytes"
            )
        }
        return info
    }
}

// MARK: - Packages

extension ContentValidation {
    /// Looks at a package, and reads all of it. What is wrong with the package as a file is a finding too: it throws only
    /// where the disk does, and where the caller stops it.
    package static func ofPackage(
        _ path: String, expecting expectation: ContentExpectation = ContentExpectation(),
        limits: ContentLimits = ContentLimits(), work: ContentWork = ContentWork()
    ) throws -> ContentValidation {
        let reader: PackageReader
        do {
            reader = try PackageReader(path, limits: limits)
        } catch let error as ContentError {
            let rule: ContentRule =
                switch error.code {
                case .notAPackage: .notAPackage
                case .tooLarge: .packageTooLarge
                case .damaged: .damaged
                default: throw error
                }
            var rules = ContentRules(limits)
            rules.find(nil, rule, error.message)
            return ContentValidation(rules, info: nil, packageBytes: nil)
        }
        return try PackageCheck(reader, work).run(expectation)
    }

    /// The look at one package.
    private struct PackageCheck {
        let reader: PackageReader
        let work: ContentWork
        var rules: ContentRules
        /// The files whose bytes lie well, in the order of the heap.
        var files: [(path: String, extent: PackageTable.Extent)] = []

        init(_ reader: PackageReader, _ work: ContentWork) {
            (self.reader, self.work, rules) = (reader, work, ContentRules(reader.limits))
        }

        func run(_ expectation: ContentExpectation) throws -> ContentValidation {
            var check = self
            check.enterRows()
            let info = try check.readFiles()
            info?.check(expectation, into: &check.rules)
            return ContentValidation(check.rules, info: info, packageBytes: reader.byteCount)
        }

        private mutating func enterRows() {
            for row in reader.table.rows {
                guard let path = row.path else {
                    rules.find(
                        row.name ?? nil, .nameNotUnicode, "a name in its path is not UTF-8, or has a slash in it")
                    continue
                }
                let entry = PackageReader.entry(row, path: path)
                guard rules.enter(entry) else { break }
                guard entry.isFile, let extent = row.extent else { continue }
                if !reader.isInHeap(extent.offset, extent.storedBytes) {
                    rules.find(path, .damaged, "its bytes lie outside of the package")
                } else if PackageReader.encoding(extent) == nil {
                    rules.find(path, .encodingUnknown, "it is compressed in a way that Till does not read; use gzip")
                } else {
                    files.append((path, extent))
                }
            }
            rules.finish(storedBytes: reader.byteCount)
            files.sort { ($0.extent.offset, $0.extent.storedBytes) < ($1.extent.offset, $1.extent.storedBytes) }
            checkOverlaps()
        }

        /// Bytes that belong to two files are how a short package becomes a very long one.
        private mutating func checkOverlaps() {
            let table = reader.table
            var taken = [
                (
                    start: table.checksumOffset, end: table.checksumOffset + table.checksumBytes,
                    path: "the table of contents"
                )
            ]
            taken += files.map { ($0.extent.offset, $0.extent.offset + $0.extent.storedBytes, $0.path) }
            taken.sort { $0.start < $1.start }
            var last: (end: Int64, path: String) = (0, "")
            for (start, end, path) in taken where end > start {
                if start < last.end { rules.find(path, .damaged, "its bytes are those of \(last.path) too") }
                if end > last.end { last = (end, path) }
            }
        }

        /// Reads every file once; gives the description.
        private mutating func readFiles() throws -> ContentInfo? {
            // Whoever brings a bomb does not get it unpacked.
            let refusals: Set<ContentRule> = [.damaged, .tooManyFiles, .unpackedTooLarge, .ratioTooHigh]
            let isSafe = !rules.findings.contains { refusals.contains($0.rule) }
            var info: ContentInfo?
            var done: Int64 = 0
            for (path, extent) in files where isSafe || path == ContentRoot.info {
                var beginning: [UInt8] = []
                let isInfo = path == ContentRoot.info
                let kept = isInfo ? rules.limits.infoBytes + 1 : ExecutableCode.bytesNeeded
                // Of a description that is too long, no more is read than shows it.
                if isInfo, extent.bytes > Int64(rules.limits.infoBytes) {
                    rules.find(path, .infoMalformed, "it has more than \(rules.limits.infoBytes) bytes")
                    continue
                }
                let advance: (UnsafeRawBufferPointer) throws -> Void = {
                    done += Int64($0.count)
                    try work.advance(to: done, of: reader.heapBytes)
                }
                do {
                    try reader.read(extent, stored: advance) { piece in
                        if beginning.count < kept { beginning += piece.prefix(kept - beginning.count) }
                    }
                } catch let error as ContentError where error.code == .damaged {
                    rules.find(path, .damaged, error.message)
                    continue
                }
                if isInfo {
                    info = ContentValidation.read(beginning, &rules)
                } else {
                    rules.begins(path, with: beginning)
                }
            }
            return info
        }
    }
}
