import StoreModel
import Testing

@Suite("Errors for bad input")
struct InvalidValueTests {
    @Test("The description names the thing, the value and the rule")
    func description() {
        let error = InvalidValue(subject: "product id", value: "a b", rule: "has only letters")
        #expect(error.description == "invalid product id \"a b\": it has only letters")
        #expect(error.code == .malformed)
        #expect(InvalidValue(.unknown, subject: "x", value: "y", rule: "z").code.name == "unknown")
    }

    @Test("The value is cut to 64 characters, so that no secret or log is flooded")
    func truncation() {
        let exact = String(repeating: "x", count: InvalidValue.longestExcerpt)
        #expect(InvalidValue(subject: "s", value: exact, rule: "r").excerpt == exact)
        #expect(InvalidValue(subject: "s", value: exact + "y", rule: "r").excerpt == exact + "...")
    }

    @Test("Nothing in the excerpt can forge a log line or hide text")
    func escaping() {
        let excerpt = InvalidValue(subject: "s", value: "a\nb\u{1B}[31m\"\\\u{202E}é", rule: "r").excerpt
        #expect(excerpt == "a\\u{a}b\\u{1b}[31m\\\"\\\\\\u{202e}\\u{e9}")
        #expect(excerpt.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }
}
