import StoreFoundation
import StoreModel

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
    /// Whether there are more mistakes than are told; nothing more is read then.
    private(set) var isFull = false
    private var named: Set<[String]> = []
    private(set) var omissions: [FileFinding] = []
    private(set) var noise: [FileFinding] = []

    func refuse(_ error: CatalogueError) {
        if mistakes.count < StoreKitFileLimits.mistakes { mistakes.append(error) } else { isFull = true }
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

    /// The mistakes as one error, with the lines that they are in; nil if there are none.
    func error(in bytes: [UInt8]) -> CatalogueError? {
        guard let first = mistakes.first else { return nil }
        let places = mistakes.map { Self.places(of: $0.parameter) }
        let lines = JSONReader.lines(of: Set(places.joined()), in: bytes, depth: CatalogueFile.depth)
        var sentences = zip(mistakes, places).map { mistake, places in
            places.lazy.compactMap { lines[$0] }.first.map { "line \($0), \(mistake.message)" } ?? mistake.message
        }
        guard sentences.count > 1 else {
            return CatalogueError(first.code, sentences[0], field: first.parameter, isNamed: true)
        }
        let count = isFull ? "more than \(mistakes.count)" : "\(mistakes.count)"
        if isFull { sentences.append("and more") }
        let list = sentences.map { "\n  \($0)" }.joined()
        return CatalogueError(
            first.code, "the file has \(count) mistakes:\(list)", field: first.parameter, isNamed: true)
    }

    /// A path and those of the values around it, the innermost first: what is missing has no line of its own.
    private static func places(of path: String?) -> [String] {
        var places: [String] = []
        var rest = path ?? ""
        while !rest.isEmpty {
            places.append(rest)
            rest = rest.lastIndex { $0 == "." || $0 == "[" }.map { String(rest[..<$0]) } ?? ""
        }
        return places
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

    func refuse(_ rule: @autoclosure () -> String, _ name: String, _ code: RefusalCode = .valueInvalid) {
        guard !findings.isFull else { return }
        let owner = product.map { " (product \($0))" } ?? ""
        findings.refuse(CatalogueError(code, rule() + owner, field: field(name)))
    }

    /// Does something with a member whose rules are told by an error.
    ///
    /// - Parameter names: the members that are meant by the fields of errors, if not this one.
    func check<Value>(_ name: String, _ names: [String: String] = [:], _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch let error as CatalogueError {
            refuse(error.rule, error.parameter.flatMap { names[$0] } ?? name, error.code)
        } catch let error as InvalidValue {
            refuse("it \(error.rule)", name)
        } catch {
            refuse("it is not a possible value", name)
        }
        return nil
    }

    /// Does something that may contradict the catalogue; all such mistakes of a file are told at once.
    func collect<Value>(_ name: String, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as CatalogueError {
            refuse(error.rule, error.parameter ?? name, error.code)
            return nil
        }
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

    /// What a text stands for.
    func value<Value>(_ name: String, isRequired: Bool = false, _ read: (String) throws -> Value) -> Value? {
        text(name, isRequired: isRequired).flatMap { text in check(name) { try read(text) } }
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

    /// The objects of a list; none if there is no list, or a longer one than any may be.
    func list(_ name: String, isRequired: Bool = false) -> [FileObject] {
        let nodes = member(name, "a list", isRequired: isRequired) {
            if case .list(let nodes) = $0 { nodes } else { nil }
        }
        guard let nodes else { return [] }
        guard nodes.count <= StoreKitFileLimits.entries else {
            refuse("it has more than \(StoreKitFileLimits.entries) entries", name, .limitReached)
            return []
        }
        var objects: [FileObject] = []
        for (index, node) in nodes.enumerated() {
            guard !findings.isFull else { break }
            if case .object(let members) = node {
                objects.append(FileObject(members, findings, at: "\(field(name))[\(index)]", of: product))
            } else {
                refuse("it must be an object", "\(name)[\(index)]")
            }
        }
        return objects
    }

    /// The texts of a list; none if there is no list.
    func words(_ name: String) -> [String] {
        let nodes = member(name, "a list of texts", isRequired: false) { node -> [JSONNode]? in
            guard case .list(let nodes) = node, nodes.allSatisfy({ $0.string != nil }) else { return nil }
            return nodes
        }
        return (nodes ?? []).compactMap(\.string)
    }

    /// The texts of an object, by their names; nil if there is no such object.
    func texts(_ name: String) -> [String: String]? {
        object(name).map { object in
            object.members.keys.sorted().reduce(into: [:]) { texts, key in
                texts[key] = object.text(key, isRequired: true)
            }
        }
    }

    /// The objects of an object, by their names; nil if there is no such object.
    func objects(_ name: String) -> [(String, FileObject)]? {
        object(name).map { object in
            object.members.keys.sorted().compactMap { key in object.object(key, isRequired: true).map { (key, $0) } }
        }
    }

    /// Refuses members that a format of our own does not have.
    func refuseUnknown(but known: Set<String>) {
        for name in members.keys.sorted() where !known.contains(name) {
            guard !findings.isFull else { break }
            refuse("there is no such member; there are \(known.sorted().joined(separator: ", "))", name)
        }
    }

    /// Tells of members that no version of the format is known to have.
    func tellUnknown(but known: Set<String>) {
        for (name, node) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) && !node.isBlank {
            findings.omit(
                "members that are not known, kept for the way back",
                of: product.map { "\(name) of \($0)" } ?? field(name))
        }
    }
}
