import StoreWeb
import Testing

@Suite("Pages are put together without a text becoming markup")
struct HTMLTests {
    private static func written(_ piece: some HTML) -> String {
        var output = HTMLOutput()
        piece.write(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    private static let box = Tag("div")
    private static let anchor = Tag("a")
    private static let field = Tag("input", isVoid: true)

    @Test("What a text has of markup is shown as it is, between tags and in attributes")
    func escaping() {
        let text = #"<script>alert("x" & 'y')</script>"#
        let shown = "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;"
        #expect(Self.written(Self.box { text }) == "<div>\(shown)</div>")
        #expect(Self.written(Self.field(.value(text))) == "<input value=\"\(shown)\">")
        #expect(
            Self.written(Self.box(.class("a b"), .isHidden) { "\u{0}\u{1B}Grüße\n" })
                == "<div class=\"a b\" aria-hidden=\"true\">Grüße\n</div>")
    }

    @Test("Pieces follow one another as the program says, with those that are there")
    func building() {
        let (names, missing): ([String], String?) = (["a", "b"], nil)
        let piece = Self.box {
            for name in names { Self.box { name } }
            if names.isEmpty { "none" } else { "some" }
            missing
        }
        #expect(Self.written(piece) == "<div><div>a</div><div>b</div>some</div>")
    }

    @Test(
        "Only paths of the store and addresses of the web are links",
        arguments: [
            ("/pay/1-x", true), ("//evil.example/", false), ("/\\evil.example", false), ("javascript:alert(1)", false),
            ("/a b", false), ("https://evil.example", false), ("", false), ("/\u{9}/x", false),
        ])
    func paths(text: String, isPath: Bool) {
        #expect((Link(path: text) != nil) == isPath)
    }

    @Test(
        "Addresses of the web begin with its schemes",
        arguments: [
            ("https://bank.example/3ds?x=1", true), ("HTTP://127.0.0.1:1/", true), ("javascript:alert(1)", false),
            ("data:text/html,x", false), (" https://x", false), ("https://x\n", false),
        ])
    func addresses(text: String, isWeb: Bool) {
        #expect((Link(web: text) != nil) == isWeb)
        if let link = Link(web: text) { #expect(Self.written(Self.anchor(.href(link))).contains(#"href=""#)) }
    }
}
