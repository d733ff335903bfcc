/// Writes the few structures of ASN.1 that receipts are made of, in DER.
enum DER {
    /// One value: tag, length in its shortest form, content.
    static func value(_ tag: ASN1Tag, _ content: [UInt8]) -> [UInt8] { value(tag, of: [content]) }

    /// The same, of which the content is there in parts.
    private static func value(_ tag: ASN1Tag, of parts: [[UInt8]]) -> [UInt8] {
        let count = parts.reduce(0) { $0 + $1.count }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 6)
        bytes.append(tag.rawValue)
        if count < 0x80 {
            bytes.append(UInt8(count))
        } else {
            let digits = bigEndian(UInt64(count))
            bytes.append(0x80 | UInt8(digits.count))
            bytes += digits
        }
        for part in parts { bytes += part }
        return bytes
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(.sequence, of: parts) }

    /// A SET OF in the order that DER demands: by the bytes of its elements.
    static func set(_ elements: [[UInt8]]) -> [UInt8] {
        value(.set, of: elements.sorted { $0.lexicographicallyPrecedes($1) })
    }

    static func integer(_ number: Int64) -> [UInt8] {
        var bytes = withUnsafeBytes(of: number.bigEndian) { Array($0) }
        while bytes.count > 1,
            bytes[0] == 0x00 && bytes[1] & 0x80 == 0 || bytes[0] == 0xFF && bytes[1] & 0x80 != 0
        {
            bytes.removeFirst()
        }
        return value(.integer, bytes)
    }

    static func octetString(_ content: [UInt8]) -> [UInt8] { value(.octetString, content) }

    static func utf8String(_ text: String) -> [UInt8] { value(.utf8String, Array(text.utf8)) }

    static func ia5String(_ text: String) -> [UInt8] { value(.ia5String, Array(text.utf8)) }

    static let null = value(.null, [])

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        Array(withUnsafeBytes(of: number.bigEndian) { Array($0) }.drop { $0 == 0 })
    }
}
