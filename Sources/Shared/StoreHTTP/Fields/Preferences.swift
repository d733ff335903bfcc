/// What a client prefers: `Accept`, `Accept-Encoding`, `Accept-Language`, with their weights.
package struct Preferences: Sendable {
    struct Choice: Sendable {
        let name: String
        /// 0 to 1000.
        let weight: Int
    }

    let choices: [Choice]

    /// Reads the values of all fields of one name. Malformed parts are ignored.
    package init(_ values: [String]) {
        let members = values.flatMap { $0.split(separator: ",") }.prefix(HTTPLimits.preferences)
        choices = members.compactMap(Self.choice)
    }

    private static func choice(_ text: Substring) -> Choice? {
        let parts = text.split(separator: ";").map(\.trimmingHTTPSpace)
        guard let name = parts.first, !name.isEmpty else { return nil }
        guard let weight = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
            return Choice(name: name.lowercased(), weight: 1000)
        }
        return parse(weight.dropFirst(2)).map { Choice(name: name.lowercased(), weight: $0) }
    }

    /// `0.25` as 250; nil if it is malformed.
    private static func parse(_ text: Substring) -> Int? {
        let sides = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides[0] == "0" || sides[0] == "1" else { return nil }
        let digits = sides.count == 2 ? sides[1] : ""
        guard digits.utf8.count <= 3, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let thousandths = Int(digits + String(repeating: "0", count: 3 - digits.utf8.count)) ?? 0
        let weight = (sides[0] == "1" ? 1000 : 0) + thousandths
        return weight <= 1000 ? weight : nil
    }

    /// The weight of a media type, 0 to 1000: that of the type itself, else of its kind, else of `*/*`.
    package func weight(ofMediaType essence: String) -> Int {
        guard !choices.isEmpty else { return 1000 }
        let kind = essence.prefix { $0 != "/" } + "/*"
        return weight(of: [essence, String(kind), "*/*"]) ?? 0
    }

    /// The weight of a content coding, 0 to 1000. `identity` is always acceptable, unless refused by name.
    package func weight(ofEncoding name: String) -> Int {
        if name == "identity" { return weight(of: ["identity", "*"]) ?? 1000 }
        return weight(of: [name, "*"]) ?? 0
    }

    private func weight(of names: [String]) -> Int? {
        names.lazy.compactMap { name in choices.first { $0.name == name }?.weight }.first
    }

    /// The media type that the client prefers, of several the first; nil if it accepts none.
    package func best(of essences: [String]) -> String? {
        let weighed = essences.map { (essence: $0, weight: weight(ofMediaType: $0)) }.filter { $0.weight > 0 }
        // The first of the greatest, where `max` would give the last.
        return weighed.reduce(nil as (essence: String, weight: Int)?) { best, next in
            guard let best, best.weight >= next.weight else { return next }
            return best
        }?.essence
    }
}
