import Foundation

/// The public declarations of the original API, as its sources have them.
struct DeclarationScan {
    struct Declaration: Hashable {
        /// The type it belongs to; empty for globals.
        let type: String
        let text: String
    }

    private(set) var declarations: [Declaration] = []
    private var type = ""
    private var isProtocol = false
    private var isCounted = false

    /// Reads the Swift files of a folder, and, if there is one, the C header of the open enumerations.
    init(sources: URL, header: URL?) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        for path in paths.sorted() {
            type = ""
            try read(swift: String(contentsOf: sources.appending(path: path), encoding: .utf8))
        }
        if let header { try read(header: String(contentsOf: header, encoding: .utf8)) }
    }

    private mutating func read(swift source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, line) in lines.enumerated() {
            let depth = line.prefix { $0 == " " }.count
            if depth == 0 { readTop(line, lines[index...]) } else if depth == 4 { readMember(lines[index...]) }
        }
    }

    private mutating func readTop(_ line: String, _ rest: ArraySlice<String>) {
        let words = line.split { " :{".contains($0) }.map(String.init)
        if let keyword = words.firstIndex(where: { ["class", "struct", "enum", "protocol", "extension"].contains($0) })
        {
            type = words.count > keyword + 1 ? words[keyword + 1] : ""
            isProtocol = words[keyword] == "protocol"
            let isOpen = words.contains("public") || words.contains("open")
            // The defaults of optional methods stand in extensions of the protocols.
            let hasDefaults = type.hasSuffix("Delegate") || type.hasSuffix("Observer")
            isCounted = words[keyword] == "extension" ? !hasDefaults : isOpen
            if isOpen { declarations.append(Declaration(type: type, text: Self.signature(rest))) }
        } else if line.contains("public ") && !line.hasPrefix("//") && !line.contains("import ") {
            declarations.append(Declaration(type: "", text: Self.signature(rest)))
        }
    }

    private mutating func readMember(_ rest: ArraySlice<String>) {
        guard isCounted, let line = rest.first?.trimmingCharacters(in: .whitespaces) else { return }
        let starts = ["open ", "public ", "weak open ", "@MainActor open "]
        let isDeclared = starts.contains { line.hasPrefix($0) } || line.hasPrefix("case ")
        guard isDeclared || isProtocol && line.hasPrefix("func ") else { return }
        let text = Self.signature(rest)
        // What begins with a line below is for the bridge to Foundation.
        if text.contains(" _") && !text.contains("(_") || text.contains("(_ns") || text.contains("==") { return }
        declarations.append(Declaration(type: type, text: text))
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
