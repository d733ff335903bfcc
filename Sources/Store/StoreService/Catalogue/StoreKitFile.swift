package import StoreFoundation
import StoreHTTP
package import StoreModel

/// The products of a `.storekit` file, as Xcode writes it for tests on a Mac.
///
/// Such a file has one price for each product, in the currency of its storefront; everywhere else products cost what that comes
/// to.
package struct StoreKitFile: Hashable, Sendable {
    /// The products in the order of the file.
    package let products: [ProductDraft]
    /// The storefront of the file's settings, else that of the United States.
    package let storefront: StorefrontRecord
    /// The language of the file's settings, else American English.
    package let language: String
    /// What the file says and the catalogue does not keep yet.
    package let omissions: [FileFinding]
    /// What the file has and what says nothing, or not what it seems to.
    package let noise: [FileFinding]

    /// Reads a file. Throws a ``CatalogueError`` of all mistakes at once, with the paths of the fields that are wrong:
    /// `products[3].displayPrice`.
    ///
    /// - Parameter other: the storefront whose prices these are, in the place of that of the file's settings.
    package init(_ bytes: [UInt8], in other: StorefrontRecord? = nil) throws(CatalogueError) {
        guard bytes.count <= StoreKitFileLimits.bytes else {
            throw CatalogueError(.limitReached, "the file has more than \(StoreKitFileLimits.bytes) bytes")
        }
        let findings = FileFindings()
        var reader = StoreKitFileReader(FileObject(try Self.members(bytes), findings), storefront: other)
        reader.read()
        if let error = findings.error { throw error }
        products = reader.products
        storefront = reader.storefront
        language = reader.language
        omissions = findings.omissions
        noise = findings.noise
    }

    /// The settings of a file that was found to be one, by their names.
    package static func settings(_ bytes: [UInt8]) -> [String: JSONNode] {
        guard case .object(let settings) = (try? members(bytes))?["settings"] else { return [:] }
        return settings
    }

    private static func members(_ bytes: [UInt8]) throws(CatalogueError) -> [String: JSONNode] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        do {
            guard case .object(let members) = try JSONNode(text, depth: HTTPLimits.jsonDepth) else {
                throw CatalogueError(.valueInvalid, "the file is not an object of JSON")
            }
            return members
        } catch let error as JSONReader.Fault {
            throw CatalogueError(.valueInvalid, fault(error, in: text))
        } catch let error as CatalogueError {
            throw error
        } catch {
            throw CatalogueError(.valueInvalid, "the file is not JSON in UTF-8")
        }
    }

    private static func fault(_ fault: JSONReader.Fault, in text: [UInt8]) -> String {
        let line = text.prefix(fault.position - 1).count { $0 == UInt8(ascii: "\n") } + 1
        return switch fault.kind {
        case .malformed: "the file is not JSON in UTF-8: \(fault.reason), in line \(line)"
        case .tooDeep: "the file has more than \(HTTPLimits.jsonDepth) objects and arrays within one another"
        case .repeated: "an object in the file has two members of one name, in line \(line)"
        }
    }
}

/// The limits of files that products are imported from. The largest public ones have 30 kilobytes and 25 products.
package enum StoreKitFileLimits {
    /// The whole file, in bytes.
    package static let bytes = 4 << 20
    /// Products of all kinds in one file.
    package static let products = 1000
    /// Groups of subscriptions.
    package static let groups = 500
    /// The versions of the format that are read, by their first number.
    package static let versions = 1...6
    /// Mistakes that are told at once.
    package static let mistakes = 100
    /// Names of those that have one and the same thing.
    package static let names = 2000
}

/// Something that a file has, how often, and where.
package struct FileFinding: Codable, Hashable, Sendable {
    /// In words, in the plural.
    package let what: String
    package internal(set) var count: Int
    /// The products, groups or settings that have it, each once.
    package internal(set) var of: [String]
}

/// What is found while a file is read.
final class FileFindings {
    private var mistakes: [CatalogueError] = []
    private var mistakeCount = 0
    private var named: Set<[String]> = []
    private(set) var omissions: [FileFinding] = []
    private(set) var noise: [FileFinding] = []

    func refuse(_ error: CatalogueError) {
        mistakeCount += 1
        if mistakes.count < StoreKitFileLimits.mistakes { mistakes.append(error) }
    }

    func omit(_ what: String, _ count: Int = 1, of name: String) { add(what, count, name, to: \.omissions) }
    func ignore(_ what: String, _ count: Int = 1, of name: String) { add(what, count, name, to: \.noise) }

    private func add(
        _ what: String, _ count: Int, _ name: String, to list: ReferenceWritableKeyPath<FileFindings, [FileFinding]>
    ) {
        guard count > 0 else { return }
        let known = self[keyPath: list].firstIndex { $0.what == what }
        if known == nil { self[keyPath: list].append(FileFinding(what: what, count: 0, of: [])) }
        let index = known ?? self[keyPath: list].count - 1
        self[keyPath: list][index].count += count
        guard self[keyPath: list][index].of.count < StoreKitFileLimits.names, named.insert([what, name]).inserted else {
            return
        }
        self[keyPath: list][index].of.append(name)
    }

    /// All mistakes as one error; nil if there are none.
    var error: CatalogueError? {
        guard let first = mistakes.first, mistakes.count > 1 else { return mistakes.first }
        var lines = mistakes.map { "\n  \($0.message)" }
        if lines.count < mistakeCount { lines.append("\n  and \(mistakeCount - lines.count) more") }
        return CatalogueError(
            first.code, "the file has \(mistakeCount) mistakes:\(lines.joined())", field: first.parameter, isNamed: true
        )
    }
}

/// An object of a file and its place in it. What is wrong with its members is collected.
struct FileObject {
    let members: [String: JSONNode]
    /// The path of the object; empty for the whole file.
    let place: String
    /// The product that it is part of.
    let product: String?
    let findings: FileFindings

    init(_ members: [String: JSONNode], _ findings: FileFindings, at place: String = "", of product: String? = nil) {
        self.members = members
        self.place = place
        self.findings = findings
        let isShown = { (id: String) in
            id.utf8.count <= ProductID.longest
                && !id.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        if case .text(let id) = members["productID"], isShown(id) { self.product = id } else { self.product = product }
    }

    func field(_ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }

    func refuse(_ rule: String, _ name: String, _ code: RefusalCode = .valueInvalid) {
        let owner = product.map { " (product \($0))" } ?? ""
        findings.refuse(CatalogueError(code, rule + owner, field: field(name)))
    }

    /// Does something with a member whose rules are told by an error.
    func check<Value>(_ name: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch let error as CatalogueError {
            refuse(error.rule, name, error.code)
        } catch let error as InvalidValue {
            refuse("it \(error.rule)", name)
        } catch {
            refuse("it is not a possible value", name)
        }
        return nil
    }

    private func member<Value>(
        _ name: String, _ kind: String, isRequired: Bool, _ read: (JSONNode) -> Value?
    ) -> Value? {
        switch members[name] {
        case nil:
            if isRequired { refuse("it is missing", name) }
        case .null:
            if isRequired { refuse("it must not be null but \(kind)", name) }
        case let node?:
            if let value = read(node) { return value }
            refuse("it must be \(kind)", name)
        }
        return nil
    }

    func text(_ name: String, isRequired: Bool = false) -> String? {
        member(name, "a text", isRequired: isRequired) { if case .text(let text) = $0 { text } else { nil } }
    }

    func flag(_ name: String) -> Bool? {
        member(name, "true or false", isRequired: false) { if case .flag(let flag) = $0 { flag } else { nil } }
    }

    func number(_ name: String, isRequired: Bool = false) -> Int? {
        member(name, "a whole number", isRequired: isRequired) {
            if case .number(let text) = $0 { Int(text) } else { nil }
        }
    }

    func object(_ name: String, isRequired: Bool = false) -> FileObject? {
        member(name, "an object", isRequired: isRequired) { node in
            guard case .object(let members) = node else { return nil }
            return FileObject(members, findings, at: field(name), of: product)
        }
    }

    /// The objects of a list; none if there is no list.
    func list(_ name: String, isRequired: Bool = false) -> [FileObject] {
        let nodes = member(name, "a list", isRequired: isRequired) {
            if case .list(let nodes) = $0 { nodes } else { nil }
        }
        return (nodes ?? []).enumerated().compactMap { index, node in
            guard case .object(let members) = node else {
                refuse("it must be an object", "\(name)[\(index)]")
                return nil
            }
            return FileObject(members, findings, at: "\(field(name))[\(index)]", of: product)
        }
    }

    /// Tells of members that no version of the format is known to have.
    func tellUnknown(but known: Set<String>) {
        for (name, node) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) && !node.isBlank {
            findings.omit("members that are not known", of: product.map { "\(name) of \($0)" } ?? field(name))
        }
    }
}
