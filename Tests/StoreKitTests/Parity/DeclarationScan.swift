import Foundation

/// The public declarations of the original API, as its sources have them.
struct DeclarationScan {
    struct Declaration: Hashable {
        /// The type it belongs to; empty for globals.
        let type: String
        let text: String
    }

    /// A type whose body the scan is in.
    private struct Body {
        /// How far its members are indented.
        let depth: Int
        let type: String
        let isProtocol: Bool
        /// Whether its members count.
        let isCounted: Bool
    }

    private(set) var declarations: [Declaration] = []
    private var bodies: [Body] = []

    /// Reads the Swift files of a folder, and, if there is one, the C header of the open enumerations.
    init(sources: URL, header: URL?) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        for path in paths.sorted() {
            bodies = []
            try read(swift: String(contentsOf: sources.appending(path: path), encoding: .utf8))
        }
        if let header { try read(header: String(contentsOf: header, encoding: .utf8)) }
    }

    private mutating func read(swift source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let depth = line.prefix { $0 == " " }.count
            bodies.removeAll { $0.depth > depth }
            // What lies deeper than the members of a type is the body of one of them.
            guard depth == bodies.last?.depth ?? 0, let first = line.dropFirst(depth).first, first != "}" else {
                continue
            }
            read(line.dropFirst(depth), depth: depth, lines[index...])
        }
    }

    private static let keywords: Set = ["class", "struct", "enum", "protocol", "extension"]

    private mutating func read(_ line: Substring, depth: Int, _ rest: ArraySlice<String>) {
        guard !line.hasPrefix("//"), bodies.allSatisfy(\.isCounted) else { return }
        let words = line.split { " :{".contains($0) }.map(String.init)
        // Attributes and access come before it; after a function or a variable it is a name.
        let keyword = words.prefix { !["func", "var", "let", "case", "init", "import"].contains($0) }
            .firstIndex { Self.keywords.contains($0) }
        if let keyword, words.count > keyword + 1, words[keyword + 1] != "func", words[keyword + 1] != "var" {
            readType(line, words, keyword, depth: depth, rest)
        } else if bodies.isEmpty {
            guard line.contains("public "), !line.contains("import ") else { return }
            declarations.append(Declaration(type: "", text: Self.signature(rest)))
        } else {
            readMember(rest)
        }
    }

    private mutating func readType(
        _ line: Substring, _ words: [String], _ keyword: Int, depth: Int, _ rest: ArraySlice<String>
    ) {
        let own = String(words[keyword + 1].prefix { $0 != "<" })
        var type = (bodies.last.map { "\($0.type)." } ?? "") + own
        let isOpen = words.contains("public") || words.contains("open")
        // The defaults of optional methods stand in extensions of the protocols.
        let hasDefaults = type.hasSuffix("Delegate") || type.hasSuffix("Observer")
        let isCounted = words[keyword] == "extension" ? !hasDefaults : isOpen
        if words[keyword] == "extension", let condition = line.firstRange(of: " where "), line.contains("==") {
            type += line[condition.lowerBound...].prefix { $0 != "{" }.trimmingCharacters(in: .newlines)
            type = type.trimmingCharacters(in: .whitespaces)
        }
        if isOpen { declarations.append(Declaration(type: type, text: Self.signature(rest))) }
        guard !line.hasSuffix("}") else { return }
        bodies.append(
            Body(depth: depth + 4, type: type, isProtocol: words[keyword] == "protocol", isCounted: isCounted))
    }

    private mutating func readMember(_ rest: ArraySlice<String>) {
        guard let body = bodies.last, let first = rest.first else { return }
        var line = first.trimmingCharacters(in: .whitespaces)
        while line.hasPrefix("@"), let space = line.firstIndex(of: " ") { line = String(line[space...].dropFirst()) }
        let starts = ["open ", "public ", "weak open ", "case "]
        let isDeclared = starts.contains { line.hasPrefix($0) }
        guard isDeclared || body.isProtocol && line.hasPrefix("func ") else { return }
        let text = Self.signature(rest)
        // What begins with a line below is for the bridge to Foundation.
        if text.contains(" _") && !text.contains("(_") || text.contains("(_ns") || text.contains("func ==") { return }
        declarations.append(Declaration(type: body.type, text: text))
    }

    /// A declaration on one line, without its body.
    private static func signature(_ rest: ArraySlice<String>) -> String {
        var text = ""
        for line in rest {
            let line = line.trimmingCharacters(in: .whitespaces)
            text += text.isEmpty || text.hasSuffix("(") || line.hasPrefix(")") ? line : " \(line)"
            let opened = text.filter { $0 == "(" }.count
            if opened == text.filter({ $0 == ")" }).count { break }
        }
        if let body = text.range(of: " {") { text = String(text[..<body.lowerBound]) }
        if text.contains(" let "), let value = text.range(of: " = ") { text = String(text[..<value.lowerBound]) }
        return text
    }

    private mutating func read(header: String) {
        let names = [
            "SKProductPeriodUnit": "SKProduct.PeriodUnit", "SKProductDiscountType": "SKProductDiscount.Type",
            "SKProductDiscountPaymentMode": "SKProductDiscount.PaymentMode", "SKErrorCode": "SKError.Code",
        ]
        var name = ""
        for line in header.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            let words = line.split { " ,".contains($0) }.map(String.init)
            if line.hasPrefix("typedef enum"), words.count > 5 {
                name = words[3]
                let raw = words.contains("unsigned") ? "UInt" : "Int"
                let type = names[name] ?? name
                declarations.append(Declaration(type: type, text: "public enum \(type): \(raw)"))
            } else if line.hasPrefix("SK"), words.count == 3, words[1] == "=" {
                let prefix = name == "SKErrorCode" ? "SKError" : name
                let short = words[0].dropFirst(prefix.count)
                let text = "case \(short.prefix(1).lowercased())\(short.dropFirst()) = \(words[2])"
                declarations.append(Declaration(type: names[name] ?? name, text: text))
            }
        }
    }
}
