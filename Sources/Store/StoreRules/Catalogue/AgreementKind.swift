import StoreModel

/// What a team agrees to before it may sell.
package struct AgreementKind: WireValue {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// For apps and products that cost nothing.
    package static let free = AgreementKind(rawValue: "free")
    /// For whatever costs money.
    package static let paid = AgreementKind(rawValue: "paid")

    package static let known: Set<AgreementKind> = [.free, .paid]
}

/// The forms of the numbers of banks and tax offices.
package enum BankFormats {
    /// Whether a text is an IBAN: the length of its country, and ISO 7064's MOD 97-10 over all of it.
    package static func isIBAN(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 5, bytes.allSatisfy({ isLetter($0) || isDigit($0) }), bytes[..<2].allSatisfy(isLetter),
            bytes[2..<4].allSatisfy(isDigit), lengths[String(text.prefix(2))] == bytes.count
        else { return false }
        let rest = (bytes[4...] + bytes[..<4]).reduce(0) { rest, byte in
            isDigit(byte) ? (rest * 10 + Int(byte - 0x30)) % 97 : (rest * 100 + Int(byte - 0x41) + 10) % 97
        }
        return rest == 1
    }

    /// Whether a text is a BIC (ISO 9362): bank, country, place, and a branch if there is one.
    package static func isBIC(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return [8, 11].contains(bytes.count) && bytes[..<6].allSatisfy(isLetter)
            && bytes[6...].allSatisfy { isLetter($0) || isDigit($0) }
    }

    package static func isInTaxNumber(_ byte: UInt8) -> Bool {
        isLetter(byte & 0xDF) || isDigit(byte) || [0x20, 0x2D, 0x2E, 0x2F].contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The lengths of the registry of IBANs, by country.
    private static let lengths: [String: Int] = {
        let rows = """
            AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 \
            FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 \
            LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 \
            RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30
            """
        return Dictionary(
            uniqueKeysWithValues: rows.split(separator: " ").map { (String($0.prefix(2)), Int($0.dropFirst(2)) ?? 0) })
    }()
}
