import StoreSigning

/// Which of its forms a receipt has, by its first byte.
enum ReceiptForm {
    // Closed: the store makes these two forms of receipts.
    /// PKCS#7, as apps have it since iOS 7.
    case signedData
    /// The property list of iOS 6.
    case propertyList

    private static let sequence: UInt8 = 0x30
    private static let brace = UInt8(ascii: "{")

    init(of bytes: [UInt8]) throws(ReceiptRefusal) {
        switch bytes.first(where: { !Self.isSpace($0) }) {
        case nil: throw ReceiptRefusal(.malformed, "receipt-data is empty")
        case Self.sequence where bytes[0] == Self.sequence: self = .signedData
        case Self.brace: self = .propertyList
        case _ where Self.isBase64(bytes):
            throw ReceiptRefusal(.malformed, "receipt-data is Base64 of Base64: it was encoded twice")
        case .some(let byte):
            let start = "receipt-data begins with the byte 0x" + Hexadecimal.encode([byte])
            throw ReceiptRefusal(.malformed, "\(start): it is neither PKCS#7 nor a property list")
        }
    }

    private static func isBase64(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 4
            && bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: isSpace(byte)
                }
            }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
