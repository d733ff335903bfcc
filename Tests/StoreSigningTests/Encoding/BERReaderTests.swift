import TestSupport
import Testing

@testable import StoreSigning

/// Foreign bytes: whatever they are, reading them ends with a value or an error (P39).
@Suite struct BERReaderTests {
    private func element(_ hex: String) throws -> BERElement {
        var reader = BERReader(bytes(hex: hex))
        return try reader.next()
    }

    @Test("Walks over values one after another") func walksOverValues() throws {
        var reader = BERReader(bytes(hex: "3007 020105 0c026869 0500"))
        let sequence = try reader.next()
        #expect(sequence.tag == .sequence)
        #expect(sequence.whole == 0..<9)
        #expect(sequence.content == 2..<9)
        #expect(reader.nextTag == .null)
        expectRefusal(.malformed) { try reader.requireEnd(of: "the sequence") }
        let null = try reader.next(.null, "the end")
        #expect(null.content.isEmpty)
        #expect(reader.isAtEnd)
        #expect(reader.nextTag == nil)
        try reader.requireEnd(of: "everything")
        expectRefusal(.malformed) { try reader.next() }

        var contents = try reader.contents(of: sequence)
        #expect(try contents.integer(contents.next()) == 5)
        #expect(try contents.text(contents.next(), "a greeting") == "hi")
        #expect(contents.isAtEnd)
    }

    @Test("Compares content byte by byte") func comparesContentByte() throws {
        var reader = BERReader(bytes(hex: "0403010203"))
        let element = try reader.next()
        #expect(reader.hasContent(element, [1, 2, 3]))
        #expect(!reader.hasContent(element, [1, 2]))
        #expect(!reader.hasContent(element, [1, 2, 3, 4]))
        #expect(!reader.hasContent(element, [1, 2, 4]))
    }

    @Test("A value of another type than the expected one is refused by its name") func valueAnotherType() throws {
        var reader = BERReader(bytes(hex: "020105"))
        let error = #expect(throws: SigningError.self) { try reader.next(.octetString, "the payload") }
        #expect(error == SigningError(.malformed, "the payload is missing or of another type"))
        // The refused value is still there.
        #expect(try reader.integer(reader.next()) == 5)
    }

    // MARK: Lengths

    @Test(
        "Lengths of BER may be longer than they need to be",
        arguments: ["0401ff", "048101ff", "04820001ff", "0483000001ff", "048400000001ff"])
    func lengthsBERMay(hex: String) throws {
        let input = bytes(hex: hex)
        var reader = BERReader(input)
        #expect(try reader.octets(reader.next(), "octets") == [0xFF])
        #expect(reader.isAtEnd)
    }

    @Test(
        "Impossible lengths are refused",
        arguments: [
            "", "04", "0401", "0481", "048101", "048201", "04820001", "0484000000", "300302010504",
            "0402ff", "0485000000000100", "0488000000000000000100", "04ff", "04847fffffff00", "0484ffffffff00",
            "0480", "02800101", "04800000",
        ])
    func impossibleLengthsRefused(hex: String) {
        expectRefusal(.malformed, hex) {
            var reader = BERReader(bytes(hex: hex))
            while !reader.isAtEnd || hex.isEmpty { _ = try reader.next() }
        }
    }

    @Test("A value may not reach beyond the value it is in") func valueMayNot() throws {
        // The inner string promises three octets where its sequence has two left.
        var reader = BERReader(bytes(hex: "3004 04036162 630000"))
        var contents = try reader.enter(.sequence, "a sequence")
        expectRefusal(.malformed) { try contents.next() }
    }

    @Test(
        "Long tags and end-of-contents as a value are refused",
        arguments: ["1f810100", "3f0100", "bf1f0100", "9f8181810100", "ff0100", "0000", "000100"])
    func longTagsEnd(hex: String) {
        expectRefusal(.malformed, hex) { try element(hex) }
    }

    // MARK: Lengths left open

    @Test("A length left open ends at the end-of-contents of its own level") func lengthLeftOpen() throws {
        // SEQUENCE { [0] { OCTET STRING 00 00 } INTEGER 7 } NULL; the zeros inside the string end nothing.
        var reader = BERReader(bytes(hex: "3080 a080 04020000 0000 020107 0000 0500"))
        var sequence = try reader.enter(.sequence, "the outer")
        var wrapper = try sequence.enter(.context0, "the inner")
        #expect(try wrapper.octets(wrapper.next(), "octets") == [0, 0])
        #expect(wrapper.isAtEnd)
        #expect(try sequence.integer(sequence.next()) == 7)
        #expect(sequence.isAtEnd)
        #expect(try reader.next().tag == .null)
        #expect(reader.isAtEnd)
    }

    @Test(
        "A length left open that never ends is refused",
        arguments: ["3080", "308000", "3080020105", "30800201050", "3080a0800000", "3080 020105 00 01 00"])
    func lengthLeftOpenNever(hex: String) {
        expectRefusal(.malformed, hex) { try element(hex) }
    }

    @Test("An octet string may come in pieces, with its length left open") func octetStringMay() throws {
        let pieces = "2480 0402 6162 0401 63 0402 6465 0400 0000"
        var reader = BERReader(bytes(hex: pieces))
        #expect(try Array(reader.octets(reader.next(), "octets")) == Array("abcde".utf8))
        #expect(reader.isAtEnd)
        expectRefusal(.malformed) {
            var wrong = BERReader(bytes(hex: "2405 0c03616263"))
            _ = try wrong.octets(wrong.next(), "octets")
        }
    }

    // MARK: Depth

    private func nested(_ depth: Int, open: Bool) -> [UInt8] {
        if open {
            return Array([[UInt8]](repeating: [0x30, 0x80], count: depth).joined()) + [0x05, 0x00]
                + [UInt8](repeating: 0, count: 2 * depth)
        }
        return (0..<depth).reduce([0x05, 0x00]) { inner, _ in DER.value(.sequence, inner) }
    }

    private func descend(_ bytes: [UInt8]) throws -> Int {
        var reader = BERReader(bytes)
        var depth = 0
        while reader.nextTag == .sequence {
            reader = try reader.enter(.sequence, "a level")
            depth += 1
        }
        return depth
    }

    @Test("Depth is limited, with closed and with open lengths", arguments: [false, true])
    func depthLimitedWith(open: Bool) throws {
        let limit = SigningLimits.nestingDepth
        #expect(try descend(nested(limit, open: open)) == limit)
        expectRefusal(.tooLarge) { try descend(nested(limit + 1, open: open)) }
        // Deep enough to overflow any stack that followed it.
        expectRefusal(.tooLarge) { try descend(nested(open ? 500_000 : 2000, open: open)) }
    }

    @Test("An octet string is cut into pieces once, not into pieces of pieces") func octetStringCut() throws {
        func read(_ bytes: [UInt8]) throws -> [UInt8] {
            var reader = BERReader(bytes)
            return try Array(reader.octets(reader.next(), "octets"))
        }
        let piece: [UInt8] = [0x04, 0x01, 0xAA]
        let once = DER.value(.constructedOctetString, piece + piece)
        #expect(try read(once) == [0xAA, 0xAA])
        expectRefusal(.malformed) { try read(DER.value(.constructedOctetString, once)) }
    }

    // MARK: Values

    @Test(
        "Integers are one to eight octets",
        arguments: [
            ("0200", false), ("0209000000000000000001", false), ("0209008000000000000000", false), ("0c0101", false),
            ("02080000000000000001", true), ("02020001", true), ("0202ffff", true),
        ])
    func integersOneEight(hex: String, isRead: Bool) throws {
        var reader = BERReader(bytes(hex: hex))
        let element = try reader.next()
        let number = try? reader.integer(element).magnitude
        #expect(number == (isRead ? 1 : nil))
    }

    @Test("Text is UTF-8 in one of two types") func textUTF8() throws {
        func text(_ hex: String) throws -> String {
            var reader = BERReader(bytes(hex: hex))
            return try reader.text(reader.next(), "the name")
        }
        #expect(try text("0c05 4772c3bc21") == "Grü!")
        #expect(try text("1602 342b") == "4+")
        #expect(try text("0c00") == "")
        expectRefusal(.malformed) { try text("0c02 c328") }
        expectRefusal(.malformed) { try text("0c03 eda080") }
        expectRefusal(.malformed) { try text("1302 6869") }
        expectRefusal(.malformed) { try text("0402 6869") }
    }

    @Test("Damaged bytes never crash the reader", .mutationTimeLimit) func damagedBytesNever() throws {
        func walk(_ reader: BERReader, budget: inout Int) throws {
            var reader = reader
            while !reader.isAtEnd, budget > 0 {
                budget -= 1
                let element = try reader.next()
                #expect(element.whole.upperBound <= reader.cursor.end)
                #expect(element.content.upperBound <= element.whole.upperBound)
                _ = try? reader.integer(element)
                _ = try? reader.octets(element, "octets")
                _ = try? reader.text(element, "text")
                if element.tag.isConstructed { try walk(reader.contents(of: element), budget: &budget) }
            }
        }
        let genuine = bytes(hex: "3080 a080 2480 04020102 0000 0000 3106 020101 0c0141 0000 020107")
        var budget = 100
        try walk(BERReader(genuine), budget: &budget)
        for mutant in Mutants("BER", of: [genuine, nested(20, open: true)], rounds: 5000) {
            var budget = 1000
            _ = reading(mutant) { try walk(BERReader(mutant.bytes), budget: &budget) }
        }
    }
}
