/// The part of a whole that a message carries, its field `Content-Range`: `bytes 0-499/1234`, or `bytes */1234` if there is none.
package struct ContentRange: Hashable, Sendable {
    /// nil for a range that cannot be had.
    package let range: Range<Int>?
    /// nil if the sender does not know it.
    package let total: Int?

    package init?(_ text: String) {
        guard text.utf8.count <= 100, text.lowercased().hasPrefix("bytes ") else { return nil }
        let sides = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = Self.number(sides[1])
        guard total != nil || sides[1] == "*" else { return nil }
        if sides[0] == "*" {
            range = nil
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? Int.max
        else { return nil }
        range = first..<(last + 1)
    }

    private static func number(_ text: Substring) -> Int? {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
