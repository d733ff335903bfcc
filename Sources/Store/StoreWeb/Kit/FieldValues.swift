import StoreHTTP

/// The values that the fields of a form have, by the names of the fields: those that a page shows, or those that were sent.
struct FieldValues: Hashable, Sendable {
    private(set) var values: [String: [String]] = [:]
    /// The names in the order of the form.
    private(set) var names: [String] = []

    /// What the fields of a form show that somebody fills in. Passwords and files show nothing.
    init(of pieces: [any HTML]) {
        for field in Element.all(in: pieces, where: \.isFilledIn) {
            guard let name = field["name"] else { continue }
            if values[name] == nil { names.append(name) }
            switch field["type"] {
            case "password", "file":
                names.removeAll { $0 == name }
                values[name] = nil
            case "checkbox", "radio":
                values[name, default: []] += field.has("checked") ? [field["value"] ?? "on"] : []
            default: values[name, default: []].append(Self.plain(field.shownValue))
            }
        }
    }

    subscript(name: String) -> [String] { values[name] ?? [] }

    /// A text as a browser sends it, whatever it makes of the ends of lines.
    static func plain(_ text: String) -> String {
        String(text.replacing("\r\n", with: "\n").trimmingPrefix("\n"))
    }

    // MARK: Digests

    /// The values as a form carries them, a few characters for each field: it tells whether another value is the same.
    var digest: String { names.map { Self.digest($0) + Self.digest(self[$0]) }.joined() }

    /// What a form has carried: the digests of values by those of names. Nil for what no page has made.
    static func shown(in digest: String) -> [String: String]? {
        guard digest.utf8.count.isMultiple(of: 2 * length), digest.utf8.count <= FormInput.limit else { return nil }
        var (shown, rest): ([String: String], Substring) = ([:], digest[...])
        while !rest.isEmpty {
            shown[String(rest.prefix(length))] = String(rest.dropFirst(length).prefix(length))
            rest = rest.dropFirst(2 * length)
        }
        return shown
    }

    static func digest(_ values: [String]) -> String { digest(values.sorted().joined(separator: "\u{1F}")) }

    /// FNV-1a, folded: it tells two values apart, and protects nothing.
    static func digest(_ text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let folded = String((hash >> 32 ^ hash) & 0xFFFF_FFFF, radix: 36)
        return String(repeating: "0", count: length - folded.utf8.count) + folded
    }

    /// The characters of 32 bits in base 36.
    private static let length = 7
}

extension Element {
    /// Whether somebody fills it in.
    var isFilledIn: Bool {
        isNamed("select") || isNamed("textarea")
            || isNamed("input") && !["hidden", "submit", "button", "image", "reset"].contains(self["type"] ?? "text")
    }

    fileprivate func has(_ name: String) -> Bool { attributes.contains { "\($0.name)" == name } }

    /// What a field of text or a choice shows.
    fileprivate var shownValue: String {
        if isNamed("textarea") { return text }
        guard isNamed("select") else { return self["value"] ?? "" }
        let options = Element.all(in: content) { $0.isNamed("option") }
        let chosen = options.first { $0.has("selected") } ?? options.first
        return chosen.map { $0["value"] ?? $0.text } ?? ""
    }
}
