import TestSupport
import Testing

@testable import StoreSigning

@Suite struct HexadecimalTests {
    @Test("Every byte has two digits in lower case and is read back, in either case") func everyByteHas() {
        let every = Array(UInt8.min ... .max)
        let text = Hexadecimal.encode(every)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff") && text.utf8.count == 512)
        #expect(Hexadecimal.decode(text) == every)
        #expect(Hexadecimal.decode(text.uppercased()) == every)
        #expect(Hexadecimal.decode("") == [])
    }

    @Test(
        "Anything else is refused",
        arguments: ["0", "000", "0g", "0x", " 00", "00 ", "0-1", "+1", "é1", "１２", "0\u{301}"])
    func anythingElseRefused(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test("Damaged text is refused or is the text of other bytes", .mutationTimeLimit) func damagedTextRefused() {
        let genuine = "00ff7f80deadbeef"
        #expect(Hexadecimal.decode(genuine).map { Hexadecimal.encode($0) } == genuine)
        for mutant in Mutants("Hexadecimal", of: [genuine], rounds: 2000) {
            guard let decoded = Hexadecimal.decode(mutant.text) else { continue }
            #expect(Hexadecimal.encode(decoded) == mutant.text.lowercased(), "\(mutant)")
        }
    }
}
