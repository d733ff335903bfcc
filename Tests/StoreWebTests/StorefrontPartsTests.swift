import Foundation
import StoreService
import Testing

@testable import StoreWeb

/// The parts of the storefront's pages that need no store.
@Suite("Parts of the storefront's pages")
struct StorefrontPartsTests {
    private static func written(_ piece: some HTML) -> String {
        var output = HTMLOutput()
        piece.write(to: &output)
        return String(decoding: output.bytes, as: UTF8.self)
    }

    @Test("What other programs read of a page leaves its element with no text, and is read as it was said")
    func structuredData() throws {
        let text = "</script><!--<script>\u{2028}\u{2029}&amp; \"ü\" \u{1F3B5}"
        let data = try #require(StructuredData("Book", ["name": .text(text), "isbn": nil]))
        let written = Self.written(data)
        let json = try #require(written.wholeMatch(of: #/<script type="application/ld\+json">([^<>&]*)</script>/#))
        let read = try JSONSerialization.jsonObject(with: Data(json.1.utf8)) as? [String: String]
        #expect(read == ["@context": "https://schema.org", "@type": "Book", "name": text])
    }

    @Test("A text of a developer is read as paragraphs, with a list where lines begin with a mark")
    func reading() {
        let text = "One.\n\nTwo:\n- a\n• b <i>\n-c\n"
        #expect(
            Self.written(StoreWeb.reading(text))
                == "<p>One.</p><p>Two:</p><ul><li>a</li><li>b &lt;i&gt;</li></ul><p>-c</p>")
        #expect(Self.written(StoreWeb.reading(" \n\n")) == "")
    }

    @Test(
        "Stars are drawn to the half",
        arguments: [(10, "s10"), (12, "s10"), (13, "s15"), (47, "s45"), (48, "s50"), (50, "s50")])
    func stars(tenths: Int, drawn: String) {
        #expect(Self.written(StoreWeb.stars(tenths, "x")).contains("class=\"stars \(drawn)\""))
    }

    @Test("What has no picture shows its first letter, which is read to nobody")
    func artwork() {
        let none = Artwork(outline: .film, link: nil, title: "Heron").element()
        #expect(Self.written(none) == "<span class=\"art film letter\" aria-hidden=\"true\">H</span>")
        let some = Artwork(outline: .book, link: Link("/files/1/a"), title: "Walden").element(words: "A pond")
        #expect(
            Self.written(some).contains(
                "class=\"art book\" src=\"/files/1/a\" width=\"240\" height=\"360\" alt=\"A pond\""))
    }

    @Test("What is chosen for the home page without a wide picture shows its artwork, and without that its letter")
    func features() {
        let (wide, cover) = (Link("/files/1/w"), Link("/files/1/a"))
        let cases: [(wide: Link?, cover: Link?, shown: String)] = [
            (wide, cover, "class=\"art wide\" src=\"/files/1/w\""),
            (nil, cover, "class=\"art wide boxed\" src=\"/files/1/a\""),
            (nil, nil, "<span class=\"art wide boxed letter\" aria-hidden=\"true\">H</span>"),
        ]
        for (wide, cover, shown) in cases {
            #expect(Self.written(Artwork(wide: wide, else: cover, title: "Heron").element()).contains(shown))
        }
    }

    @Test("Who wrote a review that is not on the page is told why")
    func standing() {
        let told = [CustomerReview.State.shown, .hidden, .held, nil].map(ReviewsPart.standing)
        #expect(told == [nil, "shop.review_hidden", "shop.review_held", nil])
    }

    @Test(
        "A form leads to pages of this store only",
        arguments: [
            ("", true), ("/library", true), ("/book/a/id1?mt=8", true), ("//evil.example", false),
            ("https://evil.example", false), ("/\\evil", false), ("javascript:alert(1)", false),
            ("/" + String(repeating: "a", count: StorefrontLimits.place), false),
        ])
    func places(text: String, isPlace: Bool) {
        #expect(EntryPages.isPlace(text) == isPlace)
    }

    @Test(
        "Samples and songs play for so long as lists have it",
        arguments: [(0, "0:00"), (59_500, "1:00"), (238_000, "3:58"), (3_723_000, "1:02:03")])
    func clock(milliseconds: Int64, shown: String) {
        #expect(StorefrontVisit.clock(milliseconds) == shown)
    }
}
