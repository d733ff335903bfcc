import StoreFoundation
import StoreModel
import Testing

@Suite("Refusals are declared once")
struct RefusalCodeTests {
    @Test(
        "What customers are told of has words in every language, and what has words is told", arguments: Texts.languages
    )
    func texts(language: String) {
        let texts = Texts.best(for: [language])
        for code in RefusalCode.allCases {
            #expect((texts.find(code) != nil) == code.declaration.isShown, "\(code) in \(language)")
            if texts.find("error.\(code)") != nil { #expect(code.declaration.isShown, "\(code) is told to nobody") }
        }
    }

    @Test("A code has the form of all codes, and its advice is a sentence", arguments: RefusalCode.allCases)
    func form(code: RefusalCode) {
        #expect(code.rawValue.wholeMatch(of: #/[a-z]+(_[a-z]+)*/#) != nil)
        let advice = code.declaration.advice
        #expect(advice.first?.isUppercase == true && advice.hasSuffix(".") && !advice.dropLast().contains("."))
    }
}
