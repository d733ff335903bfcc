package import StoreModel

/// What content is held against, beside the rules that hold for all.
package struct ContentExpectation: Hashable, Sendable {
    /// The product that it has to be for.
    package var product: ProductID?
    /// The version that it has to be above.
    package var previousVersion: ContentVersion?

    package init(product: ProductID? = nil, previousVersion: ContentVersion? = nil) {
        self.product = product
        self.previousVersion = previousVersion
    }
}

/// Applies the rules to entry after entry: those of a folder, of a package, and of a delivered archive alike.
struct ContentRules {
    let limits: ContentLimits
    private(set) var findings: [ContentFinding] = []
    private(set) var entries: [ContentEntry] = []
    private(set) var unpackedBytes: Int64 = 0
    /// Paths as they are written, by what they are on a file system that does not tell capitals apart.
    private var written: [String: String] = [:]
    /// What was entered, by its path as bytes.
    private var kinds: [[UInt8]: ContentEntry.Kind] = [:]

    init(_ limits: ContentLimits) {
        self.limits = limits
    }

    mutating func find(_ path: String?, _ rule: ContentRule, _ message: String) {
        if findings.count < limits.findings { findings.append(ContentFinding(path, rule, message)) }
    }

    /// Takes an entry in. False if there are too many, and the rest needs no look.
    mutating func enter(_ entry: ContentEntry) -> Bool {
        guard entries.count < limits.entries else {
            find(nil, .tooManyFiles, "there are more than \(limits.entries) files and folders")
            return false
        }
        entries.append(entry)
        let (sum, overflows) = unpackedBytes.addingReportingOverflow(entry.bytes)
        unpackedBytes = overflows ? .max : sum
        let path = ContentPath(entry.path)
        guard isPlaced(path, entry), checkNames(path, entry) else { return true }
        checkCollisions(path, entry)
        checkKind(path, entry)
        return true
    }

    /// Looks at the first bytes of a file.
    mutating func begins(_ path: String, with bytes: some Collection<UInt8>) {
        guard let name = ExecutableCode.name(of: bytes) else { return }
        find(path, .executableCode, "this is \(name), and content may not contain programs; take it out")
    }

    /// What can only be said when all entries are known.
    ///
    /// - Parameter storedBytes: what the entries take up in a package; nil for a folder.
    mutating func finish(storedBytes: Int64?) {
        for entry in entries {
            // The last step is the entry itself.
            let above = ContentPath(entry.path).steps.dropLast().first {
                kinds[Array($0.path.utf8)].map { $0 != .folder } ?? false
            }
            if let above { find(entry.path, .belowFile, "it lies below \(above.path), which is no folder") }
        }
        if case .file = kinds[Array(ContentRoot.info.utf8)] {
        } else {
            find(ContentRoot.info, .infoMissing, "there is no such file; it says the product and the version")
        }
        let isBelow: (ContentEntry) -> Bool = { $0.path.utf8.starts(with: (ContentRoot.contents + "/").utf8) }
        if kinds[Array(ContentRoot.contents.utf8)] != .folder, !entries.contains(where: isBelow) {
            find(ContentRoot.contents, .contentsMissing, "there is no such folder; what is delivered belongs into it")
        } else if !entries.contains(where: { isBelow($0) && $0.kind != .folder }) {
            find(ContentRoot.contents, .contentsEmpty, "there is no file in it, so nothing would be delivered")
        }
        checkAmounts(storedBytes)
    }

    // MARK: Places and names

    private mutating func isPlaced(_ path: ContentPath, _ entry: ContentEntry) -> Bool {
        if path.names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
            find(entry.path, .pathUnsafe, "the path has an empty name, . or .. in it; paths lead down from the package")
            return false
        }
        let root = path.names[0]
        if root == ContentRoot.contents { return true }
        if root == ContentRoot.info, path.names.count == 1 {
            if !entry.isFile { find(entry.path, .infoMissing, "this has to be a file") }
            return true
        }
        find(entry.path, .outsideContents, "only ContentInfo.plist and Contents are delivered; move it into Contents")
        return false
    }

    private mutating func checkNames(_ path: ContentPath, _ entry: ContentEntry) -> Bool {
        let before = findings.count
        if entry.path.utf8.count > limits.pathBytes {
            find(entry.path, .pathTooLong, "the path has more than \(limits.pathBytes) bytes")
        }
        if path.names.count > limits.depth {
            find(entry.path, .tooDeep, "it lies more than \(limits.depth) folders deep")
        }
        // Folders above are entries of their own, or have no entry.
        for name in path.names {
            if name.utf8.count > limits.nameBytes {
                find(entry.path, .pathTooLong, "a name in it has more than \(limits.nameBytes) bytes")
            }
            if let reason = Self.unsafe(name) { find(entry.path, .nameUnsafe, reason) }
        }
        return findings.count == before
    }

    /// Why some system would not take a name as it is; nil if all would.
    static func unsafe(_ name: String) -> String? {
        for scalar in name.unicodeScalars {
            if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value & 0xFFFE == 0xFFFE {
                return "a name in it has a control character"
            }
            if scalar == "\\" { return "a name in it has a backslash, which separates folders elsewhere" }
        }
        if name.utf8.last == UInt8(ascii: " ") || name.utf8.last == UInt8(ascii: ".") {
            return "a name in it ends with a space or a period, which some systems drop"
        }
        return nil
    }

    private mutating func checkCollisions(_ path: ContentPath, _ entry: ContentEntry) {
        for (step, folded) in path.steps {
            guard let known = written.updateValue(step, forKey: folded), !ContentPath.isSame(known, step) else {
                continue
            }
            written[folded] = known
            find(
                entry.path, .nameCollision,
                "\(known) is the same to systems that do not tell capitals or ways of writing accents apart; rename one"
            )
            return
        }
        if kinds.updateValue(entry.kind, forKey: Array(entry.path.utf8)) != nil {
            find(entry.path, .duplicate, "it is there twice")
        }
    }

    // MARK: Kinds and amounts

    private mutating func checkKind(_ path: ContentPath, _ entry: ContentEntry) {
        switch entry.kind {
        case .file:
            if entry.isExecutable {
                find(entry.path, .executableBit, "it may be run as a program; clear the bit with: chmod a-x")
            }
        case .folder: break
        case .link(let target):
            if path.names.count == 1 || !Self.stays(target, from: path) {
                find(entry.path, .linkLeaves, "the link points out of Contents, or not plainly into it")
            }
        case .other(let name):
            find(entry.path, .kindRefused, "this is \(name); content is files, folders and links")
        }
    }

    /// Whether a link leads to a place in `Contents`. Steps up are allowed at the beginning only: behind a name that is a link
    /// itself, they would lead up from wherever that points.
    static func stays(_ target: String, from path: ContentPath) -> Bool {
        let names = ContentPath(target).names
        let up = names.prefix { $0 == ".." }.count
        let down = names.dropFirst(up)
        let isPlain = down.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && unsafe($0) == nil }
        // The link lies in a folder of Contents, which is the first name of its path.
        return isPlain && target.utf8.count <= 1024 && up <= path.names.count - 2
    }

    private mutating func checkAmounts(_ storedBytes: Int64?) {
        if unpackedBytes > limits.unpackedBytes {
            find(nil, .unpackedTooLarge, "the files have \(unpackedBytes) bytes, and may have \(limits.unpackedBytes)")
        }
        guard let storedBytes else { return checkFolder() }
        guard unpackedBytes > limits.bytesBelowRatio else { return }
        if unpackedBytes / max(storedBytes, 1) >= limits.ratio {
            find(
                nil, .ratioTooHigh,
                "\(storedBytes) bytes would become \(unpackedBytes), more than \(limits.ratio) times as many")
        }
    }

    /// What is compressed already is packed as it is, so that a folder may be known to be too large before it is packed.
    private mutating func checkFolder() {
        let least = entries.reduce(0) { $0 + (Compression.isCompressed($1.path) ? $1.bytes : 0) }
        if least > limits.packageBytes {
            find(
                nil, .packageTooLarge,
                "the package would have \(least) bytes or more, and may have \(limits.packageBytes)")
        }
    }
}
