import Testing

@testable import StoreModel

@Suite("The rule of names")
struct NameRuleTests {
    @Test("Nothing that controls the direction of writing is in a name, and every script is")
    func directions() {
        let controls: [UInt32] = [0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
        for scalar in controls.compactMap(Unicode.Scalar.init) {
            let number = String(scalar.value, radix: 16, uppercase: true)
            let flaw = NameRule.flaw(of: "Chapter \(scalar)1")
            #expect(flaw?.contains(number) == true && flaw?.contains("direction of writing") == true, "\(number)")
        }
        for name in ["", "Chapter 1", "第一章", "פרק א", "الفصل ١", "Åsa Öz", "👩‍👩‍👧", "می‌خواهم"] {
            #expect(NameRule.flaw(of: name) == nil, "\(name)")
        }
        #expect(NameRule.flaw(of: "a\nb") == "a control character")
    }
}
