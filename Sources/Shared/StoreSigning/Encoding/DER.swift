/// Writes the few structures of ASN.1 that receipts are made of, in DER.
enum DER {
    /// One value: tag, length in its shortest form, content.
    static func value(_ tag: ASN1Tag, _ content: [UInt8]) -> [UInt8] { value(tag, of: [content]) }

    /// The same, with the content in parts.
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

/// The object identifiers of receipts, as the content of their DER.
enum SignedDataIdentifier {
    /// 1.2.840.113549.1.7.1
    static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    /// 1.2.840.113549.1.7.2
    static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    /// 1.2.840.113549.1.9.3
    static let contentTypeAttribute: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03]
    /// 1.2.840.113549.1.9.4
    static let messageDigestAttribute: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04]
    /// 2.16.840.1.101.3.4.2.1
    static let sha256: [UInt8] = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
    /// 1.3.14.3.2.26
    static let sha1: [UInt8] = [0x2B, 0x0E, 0x03, 0x02, 0x1A]
    /// 1.2.840.113549.1.1.1
    static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    /// 1.2.840.113549.1.1.5
    static let sha1WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    /// 1.2.840.113549.1.1.11
    static let sha256WithRSA: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
}
