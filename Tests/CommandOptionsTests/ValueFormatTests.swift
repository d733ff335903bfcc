import Testing

@testable import CommandOptions

@Suite("Values and their formats")
struct ValueFormatTests {
    @Test("Whole numbers keep to their range, ends included")
    func integers() throws {
        let format = ValueFormat.integer(in: -2...3)
        for number in -2...3 { #expect(try format.value(of: String(number)) == number) }
        for text in ["-3", "4", "", "-", "1.0", "1_0", "0b1", "½", "１", "-0x1"] {
            #expect(throws: ValueRefusal.self, "\(text)") { try format.value(of: text) }
        }
        #expect(try format.value(of: "-0") == 0)
        #expect(try format.value(of: "003") == 3)
        #expect(format.rule == "a whole number from -2 to 3")
        let any = ValueFormat.integer(in: .min ... .max)
        #expect(try any.value(of: "-9223372036854775808") == .min)
        #expect(throws: ValueRefusal.self) { try any.value(of: "9223372036854775808") }
    }

    @Test("Choices are exact words")
    func choices() throws {
        let format = ValueFormat.choice("COLOUR", ["red", "green"])
        #expect(try format.value(of: "red") == "red")
        for text in ["Red", "red ", "re", "", "blue"] {
            #expect(throws: ValueRefusal.self, "\(text)") { try format.value(of: text) }
        }
        #expect(format.completion == .words(["red", "green"]))
        let world = ValueFormat<SampleWorld>.choice("WORLD")
        #expect(try world.value(of: "sandbox") == .sandbox)
        #expect(world.text(of: .production) == "production")
    }

    @Test("Flags understand the usual words and no others")
    func booleans() throws {
        for text in ["true", "yes", "1"] { #expect(try ValueFormat.boolean.value(of: text)) }
        for text in ["false", "no", "0"] { #expect(try !ValueFormat.boolean.value(of: text)) }
        for text in ["TRUE", "on", "2", "", " 1"] {
            #expect(throws: ValueRefusal.self, "\(text)") { try ValueFormat.boolean.value(of: text) }
        }
    }

    @Test("Lists are written as they are read")
    func lists() throws {
        let format = ValueFormat.list(of: ValueFormat.integer(in: 0...99))
        #expect(try format.value(of: "1,2,30") == [1, 2, 30])
        #expect(format.text(of: [1, 2, 30]) == "1,2,30")
        #expect(format.placeholder == "N,…")
        #expect(throws: ValueRefusal.self) { try format.value(of: "") }
    }

    @Test("A refusal carries the text, the rule and the words that would do")
    func refusal() {
        let refusal = #expect(throws: ValueRefusal.self) { try ValueFormat.choice("C", ["a", "b"]).value(of: "c") }
        #expect(refusal?.text == "c")
        #expect(refusal?.rule == "one of a, b")
        #expect(refusal?.words == ["a", "b"])
        #expect(refusal?.isSecret == false)
        let secret = #expect(throws: ValueRefusal.self) { try ValueFormat.secret("S").value(of: "") }
        #expect(secret?.isSecret == true)
    }

    @Test("A format of one's own is a closure and a sentence")
    func custom() throws {
        let even = ValueFormat("EVEN", rule: "an even number") { text in
            Int(text).flatMap { $0.isMultiple(of: 2) ? $0 : nil }
        }
        let option = Option.required("size", even, help: "How large.")
        let program = Program(Command<String>("grow", "Grow.", options: [option], action: "grow"))
        #expect(Outcome(words: ["--size", "4"], program: program).arguments?[option] == 4)
        #expect(
            Outcome(words: ["--size", "5"], program: program).error?.message
                == "--size cannot be \"5\": expected an even number.")
        #expect(program.help()?.contains("--size EVEN  How large. An even number. Required.") == true)
    }
}
