/// Which parts of a body a client asks for.
enum ByteRanges: Equatable {
    /// Nothing that counts: the whole is the answer.
    case whole
    case parts([Range<Int>])
    /// None of the parts exists.
    case unsatisfiable

    /// Reads `bytes=0-99,200-,-100` for a body of a length.
    ///
    /// What cannot be read counts for nothing, as RFC 9110 §14.2 has it; and so do too many ranges, and ranges that
    /// overlap: nobody needs them but who wants to keep a server busy.
    init(_ text: String, length: Int) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, sides[0].trimmingHTTPSpace.lowercased() == "bytes" else {
            self = .whole
            return
        }
        let members = sides[1].split(separator: ",").map(\.trimmingHTTPSpace).filter { !$0.isEmpty }
        guard !members.isEmpty, members.count <= HTTPLimits.ranges else {
            self = .whole
            return
        }
        var parts: [Range<Int>] = []
        for member in members {
            guard let part = Self.part(member, length) else {
                self = .whole
                return
            }
            if !part.isEmpty { parts.append(part) }
        }
        let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
        let overlap = zip(sorted, sorted.dropFirst()).contains { $0.overlaps($1) }
        self = parts.isEmpty ? .unsatisfiable : overlap ? .whole : .parts(parts)
    }

    /// The bytes of one range, empty if there are none; nil if it is no range.
    private static func part(_ text: Substring, _ length: Int) -> Range<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let count?): return max(0, length - count)..<length
        case (let first?, nil): return min(first, length)..<length
        case (let first?, let last?):
            guard first <= last else { return nil }
            // Both ends within the body, for a range behind it as well.
            let start = min(first, length)
            return start..<max(start, last < length ? last + 1 : length)
        }
    }

    /// A number, which may be missing; nil if there is something else. What is too large for us is just very large.
    private static func number(_ text: Substring) -> Int?? {
        if text.isEmpty { return .some(nil) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return .some(Int(text) ?? .max)
    }
}
