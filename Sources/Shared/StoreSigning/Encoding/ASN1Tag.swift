/// The identifier octet of an ASN.1 value. Numbers above 30, which take more octets, occur nowhere in receipts.
struct ASN1Tag: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt8

    static let integer = ASN1Tag(rawValue: 0x02)
    static let octetString = ASN1Tag(rawValue: 0x04)
    static let null = ASN1Tag(rawValue: 0x05)
    static let objectIdentifier = ASN1Tag(rawValue: 0x06)
    static let utf8String = ASN1Tag(rawValue: 0x0C)
    static let ia5String = ASN1Tag(rawValue: 0x16)
    /// BER may cut an octet string into pieces.
    static let constructedOctetString = ASN1Tag(rawValue: 0x24)
    static let sequence = ASN1Tag(rawValue: 0x30)
    static let set = ASN1Tag(rawValue: 0x31)
    /// `[0]`, constructed.
    static let context0 = ASN1Tag(rawValue: 0xA0)
    /// `[1]`, constructed.
    static let context1 = ASN1Tag(rawValue: 0xA1)
    static let endOfContents = ASN1Tag(rawValue: 0x00)

    var isConstructed: Bool { rawValue & 0x20 != 0 }
    var hasLongNumber: Bool { rawValue & 0x1F == 0x1F }
}
