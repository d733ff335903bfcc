import StoreModel
import Testing

@Suite("The name somebody probably meant")
struct NearestNameTests {
    static let names = ["init", "show", "rotate", "root", "products", "approve"]

    @Test(
        "One slip is forgiven: a letter too many, too few, another one, or two in the wrong order",
        arguments: [
            ("inits", "init"), ("int", "init"), ("inot", "init"), ("inti", "init"), ("rotaet", "rotate"),
            ("product", "products"), ("porducts", "products"), ("aprove", "approve"),
        ])
    func oneSlip(typed: String, meant: String) {
        #expect(NearestName.of(typed, among: Self.names) == meant)
    }

    @Test("Long names are forgiven more slips than short ones")
    func slipsByLength() {
        #expect(NearestName.of("prodcutss", among: Self.names) == "products")
        #expect(NearestName.of("shwo", among: Self.names) == "show")
        #expect(NearestName.of("5", among: ["3", "16", "off"]) == nil)
        #expect(NearestName.of("swoh", among: Self.names) == nil)
    }

    @Test("The closest name wins, the first of equals")
    func closest() {
        #expect(NearestName.of("rot", among: ["root", "rots", "rotate"]) == "root")
        #expect(NearestName.of("root", among: ["rooty", "root"]) == "root")
    }

    @Test("Nothing is near to nothing", arguments: ["", "x", "zzzz", "--------"])
    func nothing(typed: String) {
        #expect(NearestName.of(typed, among: Self.names) == nil)
        #expect(NearestName.of(typed, among: []) == nil)
    }

    @Test("Words too long to be a slip are not compared")
    func long() {
        #expect(NearestName.of(String(repeating: "init", count: 100_000), among: Self.names) == nil)
    }
}
