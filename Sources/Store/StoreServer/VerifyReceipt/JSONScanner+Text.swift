extension JSONScanner {
    /// What a text means whose escapes are still there; nil if one is none.
    static func unescape(_ content: ArraySlice<UInt8>) -> [UInt8]? {
        var meaning: [UInt8] = []
        meaning.reserveCapacity(content.count)
        var at = content.startIndex
        while at < content.endIndex {
            guard content[at] == UInt8(ascii: "\\") else {
                meaning.append(content[at])
                at += 1
                continue
            }
            guard at + 1 < content.endIndex else { return nil }
            if content[at + 1] == UInt8(ascii: "u") {
                guard let (scalar, count) = scalar(content[at...]) else { return nil }
                meaning += String(scalar).utf8
                at += count
            } else {
                guard let byte = short[content[at + 1]] else { return nil }
                meaning.append(byte)
                at += 2
            }
        }
        return meaning
    }

    /// Where in a text a backslash has something behind it that JSON does not know.
    static func wrongEscape(in content: ArraySlice<UInt8>) -> Int? {
        var at = content.startIndex
        while let backslash = content[at...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let kind = content[backslash...].dropFirst().first else { return backslash }
            if kind == UInt8(ascii: "u") {
                guard unit(content[backslash...]) != nil else { return backslash }
                at = backslash + 6
            } else {
                guard short[kind] != nil else { return backslash }
                at = backslash + 2
            }
        }
        return nil
    }

    private static let short: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]

    /// The scalar of one `\uXXXX`, or of two that belong together, and how many bytes that takes.
    private static func scalar(_ content: ArraySlice<UInt8>) -> (Unicode.Scalar, Int)? {
        guard let first = unit(content) else { return nil }
        if let scalar = Unicode.Scalar(UInt32(first)) { return (scalar, 6) }
        guard UTF16.isLeadSurrogate(first), let second = unit(content.dropFirst(6)), UTF16.isTrailSurrogate(second)
        else { return nil }
        let number = 0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00)
        return Unicode.Scalar(number).map { ($0, 12) }
    }

    private static func unit(_ content: ArraySlice<UInt8>) -> UInt16? {
        let start = content.startIndex
        guard content.count >= 6, content[start] == UInt8(ascii: "\\"), content[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for byte in content[(start + 2)..<(start + 6)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
