import TestSupport
import Testing

@testable import StoreSigning

@Suite struct DERTests {
    // From `openssl asn1parse -genstr INTEGER:… -noout -out /dev/stdout | xxd -p`.
    @Test(
        "Integers have the shortest form, and are read back",
        arguments: [
            (Int64(0), "020100"), (1, "020101"), (127, "02017f"), (128, "02020080"), (255, "020200ff"),
            (256, "02020100"),
            (-1, "0201ff"), (-128, "020180"), (-129, "0202ff7f"), (1703, "020206a7"),
            (.max, "02087fffffffffffffff"), (.min, "02088000000000000000"),
        ])
    func integersHaveShortest(number: Int64, encoded: String) throws {
        #expect(DER.integer(number) == bytes(hex: encoded))
        var reader = BERReader(bytes(hex: encoded))
        #expect(try reader.integer(reader.next(.integer, "a number")) == number)
    }

    @Test(
        "Lengths have the shortest form, and are read back",
        arguments: [
            (0, "0400"), (1, "0401"), (127, "047f"), (128, "048180"), (255, "0481ff"), (256, "04820100"),
            (65535, "0482ffff"), (65536, "0483010000"),
        ])
    func lengthsHaveShortest(count: Int, beginning: String) throws {
        let content = [UInt8](repeating: 0xA5, count: count)
        let value = DER.octetString(content)
        #expect(value == bytes(hex: beginning) + content)
        var reader = BERReader(value)
        #expect(try reader.octets(reader.next(), "octets") == content[...])
        #expect(reader.isAtEnd)
    }

    @Test("Texts, sequences and NULL have their golden bytes") func textsSequencesNULL() {
        #expect(DER.utf8String("Grüße") == bytes(hex: "0c07 4772c3bcc39f65"))
        #expect(DER.ia5String("4+") == bytes(hex: "1602 342b"))
        #expect(DER.null == bytes(hex: "0500"))
        #expect(DER.sequence(DER.integer(1), DER.null) == bytes(hex: "3005 020101 0500"))
        #expect(DER.sequence() == bytes(hex: "3000"))
    }

    @Test("A set is sorted by the bytes of its elements") func setSortedBy() {
        let elements = [DER.integer(2), DER.utf8String(""), DER.integer(1), DER.integer(300)]
        #expect(DER.set(elements) == bytes(hex: "310c 020101 020102 0202012c 0c00"))
    }

    @Test("A receipt's attribute has the bytes that a genuine receipt has") func receiptSAttribute() {
        // The quantity of a purchase in a receipt written by Xcode: 30 0c 02 02 06a5 02 01 01 04 03 02 01 01.
        let attribute = ReceiptAttribute(type: PurchaseAttribute.quantity, value: DER.integer(1))
        #expect(attribute.encoded == bytes(hex: "300c 020206a5 020101 0403020101"))
    }
}
