extension BERReader {
    /// An INTEGER of at most 64 bits.
    func integer(_ element: BERElement) throws -> Int64 {
        let content = content(of: element)
        guard element.tag == .integer, (1...8).contains(content.count), let first = content.first else {
            throw SigningError(.malformed, "an ASN.1 integer is missing or longer than 64 bits")
        }
        var number: Int64 = first & 0x80 != 0 ? -1 : 0
        for byte in content { number = number << 8 | Int64(byte) }
        return number
    }

    /// The octets of an OCTET STRING, put together if BER cut it into pieces.
    func octets(_ element: BERElement, _ name: @autoclosure () -> String) throws -> ArraySlice<UInt8> {
        switch element.tag {
        case .octetString: return content(of: element)
        case .constructedOctetString:
            var pieces = try contents(of: element)
            var octets: [UInt8] = []
            while !pieces.isAtEnd { octets += try pieces.octets(pieces.next(), name()) }
            return octets[...]
        default: throw SigningError(.malformed, "\(name()) is not an octet string")
        }
    }

    /// The text of a UTF8String or IA5String.
    func text(_ element: BERElement, _ name: @autoclosure () -> String) throws -> String {
        guard element.tag == .utf8String || element.tag == .ia5String,
            let text = String(validating: content(of: element), as: UTF8.self)
        else { throw SigningError(.malformed, "\(name()) is not text in UTF-8") }
        return text
    }
}
