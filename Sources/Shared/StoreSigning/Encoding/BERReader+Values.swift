extension BERElement {
    /// An INTEGER of at most 64 bits.
    @inline(__always)
    func integer(in bytes: [UInt8]) throws -> Int64 {
        guard tag == .integer, (1...8).contains(content.count) else {
            throw SigningError(.malformed, "an ASN.1 integer is missing or longer than 64 bits")
        }
        var number = Int64(Int8(bitPattern: bytes[content.lowerBound]))
        for index in (content.lowerBound + 1)..<content.upperBound { number = number << 8 | Int64(bytes[index]) }
        return number
    }

    /// The text of a UTF8String or IA5String.
    func text(in bytes: [UInt8], _ name: @autoclosure () -> String) throws -> String {
        let content = bytes[content]
        guard tag == .utf8String || tag == .ia5String else {
            throw SigningError(.malformed, "\(name()) is not text in UTF-8")
        }
        // Identifiers and dates are ASCII, which needs no validation; validating costs more than all the rest.
        if content.allSatisfy({ $0 < 0x80 }) { return String(decoding: content, as: UTF8.self) }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw SigningError(.malformed, "\(name()) is not text in UTF-8")
        }
        return text
    }
}

extension BERReader {
    /// An INTEGER of at most 64 bits.
    func integer(_ element: BERElement) throws -> Int64 { try element.integer(in: bytes) }

    /// The octets of an OCTET STRING, put together if BER cut it into pieces.
    ///
    /// Pieces of pieces are refused: nobody makes them, and each level would have the same bytes scanned again.
    func octets(_ element: BERElement, _ name: @autoclosure () -> String) throws -> ArraySlice<UInt8> {
        switch element.tag {
        case .octetString: return content(of: element)
        case .constructedOctetString:
            var pieces = try contents(of: element)
            var octets: [UInt8] = []
            while !pieces.isAtEnd {
                octets += try pieces.content(of: pieces.next(.octetString, "a piece of \(name())"))
            }
            return octets[...]
        default: throw SigningError(.malformed, "\(name()) is not an octet string")
        }
    }

    /// A reader for the values inside an OCTET STRING.
    func contents(ofOctets element: BERElement, _ name: @autoclosure () -> String) throws -> BERReader {
        if element.tag == .octetString { return try contents(of: element) }
        return try BERReader(Array(octets(element, name())))
    }

    /// The text of a UTF8String or IA5String.
    func text(_ element: BERElement, _ name: @autoclosure () -> String) throws -> String {
        try element.text(in: bytes, name())
    }
}
