import Testing

@testable import StoreModel

@Suite("Links to the store")
struct StoreLinkTests {
    @Test(
        "The id is taken from each link of the documents (R7.3)",
        arguments: [
            ("http://itunes.apple.com/us/app/angry-birds/id343200656?mt=8", 343_200_656),
            ("http://itunes.apple.com/us/app/ibooks/id364709193?mt=8", 364_709_193),
            ("http://itunes.apple.com/us/app/mwc-2012-unofficial/id496963922?mt=8", 496_963_922),
        ] as [(String, Int64)])
    func documents(text: String, id: Int64) throws {
        let link = try StoreLink(parsing: text)
        #expect(link.storeID == id)
        #expect(link.storefront?.alpha3 == "USA")
        #expect(link.page == .app)
        #expect("http://itunes.apple.com" + link.path == text)
    }

    struct Form: Sendable, CustomTestStringConvertible {
        let text: String
        let country: String?
        let page: StorePage?
        let item: Int64?
        var testDescription: String { text }

        init(_ text: String, _ country: String?, _ page: StorePage?, item: Int64? = nil) {
            (self.text, self.country, self.page, self.item) = (text, country, page, item)
        }
    }

    static let forms = [
        Form("https://apps.apple.com/us/app/ibooks/id123456789", "us", .app),
        Form("https://apps.apple.com/US/app/id123456789", "us", .app),
        Form("https://apps.apple.com/app/id123456789", nil, .app),
        Form("https://apps.apple.com/de/app/some-name/id123456789/?l=en#see-all", "de", .app),
        Form("https://itunes.apple.com/us/album/some-album/id123456789?i=77", "us", .album, item: 77),
        Form("https://itunes.apple.com/us/album/some-album/123456789?i=77&uo=4", "us", .album, item: 77),
        Form("https://itunes.apple.com/us/artist/some-one/id123456789", "us", .artist),
        Form("https://itunes.apple.com/us/developer/some-one/id123456789", "us", .developer),
        Form("https://itunes.apple.com/jp/book/%E6%9C%AC/id123456789", "jp", .book),
        Form("https://itunes.apple.com/us/movie/a/id123456789", "us", .movie),
        Form("https://itunes.apple.com/us/tv-season/a/id123456789?i=5", "us", .season, item: 5),
        Form("https://itunes.apple.com/us/music-video/a/id123456789", "us", .musicVideo),
        Form("https://itunes.apple.com/us/podcast/a/id123456789", "us", .podcast),
        Form("https://itunes.apple.com/us/audiobook/a/id123456789", "us", .audiobook),
        Form("https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=123456789&mt=8", nil, .app),
        Form("https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewAlbum?id=123456789&i=9", nil, .album, item: 9),
        Form("https://itunes.apple.com/us/id123456789?mt=11", "us", .book),
        Form("https://itunes.apple.com/us/id123456789?mt=12", "us", .app),
        Form("https://itunes.apple.com/id123456789", nil, nil),
        Form("itms://itunes.apple.com/us/app/a/id123456789", "us", .app),
        Form("itms-apps://itunes.apple.com/app/id123456789?at=11l&ct=c&pt=1", nil, .app),
        Form("itms-appss://apps.apple.com/us/app/a/id123456789", "us", .app),
        Form("itms-books://itunes.apple.com/us/book/a/id123456789", "us", .book),
        Form("HTTPS://127.0.0.1:8080/us/app/a/id123456789", "us", .app),
        Form("itunes.apple.com/us/app/a/id123456789", "us", .app),
        Form("/us/app/id5/id123456789?id=3", "us", .app),
    ]

    @Test("Every form of link is read, whatever host and scheme it has (R7.3)", arguments: forms)
    func everyForm(form: Form) throws {
        let link = try StoreLink(parsing: form.text)
        #expect(link.storeID == 123_456_789)
        #expect(link.country == form.country)
        #expect(link.page == form.page)
        #expect(link.item == form.item)
    }

    @Test(
        "What has no number of an item is refused",
        arguments: [
            "", "/", "/us/app", "/us/app/ibooks", "/us/app/x/id0", "/us/app/x/id-4", "/us/app/x/id007",
            "/us/app/x/id99999999999999999999", "/us/app/x/12a", "https://", "https://a.example", "?id=", "us",
            "ftp://itunes.apple.com/us/app/x/id5", "javascript://x/us/app/x/id5", "/us/app/x/%69d5", "ibooks",
        ])
    func refused(text: String) {
        #expect(throws: InvalidValue.self) { try StoreLink(parsing: text) }
    }

    @Test("A link with a bundle id in place of the number says that it is one (R1.12)")
    func bundleID() {
        for text in ["/us/app/com.example.app", "com.example.app", "/wa/viewSoftware?id=com.example.app"] {
            let error = #expect(throws: InvalidValue.self) { try StoreLink(parsing: text) }
            #expect(error?.rule.contains("bundle id") == true, "\(text)")
        }
        let error = #expect(throws: InvalidValue.self) { try StoreLink.storeID(in: "com.example.app") }
        #expect(error?.rule.contains("bundle id") == true)
    }

    @Test("A number is taken as people paste it, alone or in a link")
    func pasted() throws {
        #expect(try StoreLink.storeID(in: "364709193") == 364_709_193)
        #expect(try StoreLink.storeID(in: "https://a.example/us/app/ibooks/id364709193?mt=8") == 364_709_193)
        #expect(throws: InvalidValue.self) { try StoreLink.storeID(in: "12x") }
    }

    @Test("A link that is too long is refused before it is read")
    func tooLong() {
        let text = "/us/app/" + String(repeating: "x", count: StoreLink.longest) + "/id5"
        let error = #expect(throws: InvalidValue.self) { try StoreLink(parsing: text) }
        #expect(error?.code == .outOfRange)
    }

    @Test("A link that is made leads to the same page when it is read")
    func made() throws {
        let japan = StorefrontRecord.storefront(alpha2: "JP")
        let song = StoreLink(.album, named: "Dot & the Kangaroo", storeID: 12, item: 13, in: japan)
        #expect(song.path == "/jp/album/dot-the-kangaroo/id12?i=13")
        let book = StoreLink(.book, named: "吾輩は猫である", storeID: 14, in: japan)
        #expect(book.path.hasPrefix("/jp/book/%E5%90%BE") && book.path.hasSuffix("/id14"))
        #expect(book.path.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        let app = StoreLink(.app, named: "★", storeID: 15, in: nil)
        #expect(app.path == "/app/id15?mt=8")
        for link in [song, book, app] {
            let read = try StoreLink(parsing: link.path)
            #expect(read.path == link.path)
            #expect(read.slug == link.slug)
        }
    }

    @Test(
        "The slug keeps the letters and digits of every script",
        arguments: [
            ("iBooks", "ibooks"), ("MWC 2012 Unofficial", "mwc-2012-unofficial"), ("Don't — stop!", "dont-stop"),
            ("Beyoncé", "beyoncé"), ("../../etc", "etc"), ("<script>", "script"), ("東京 物語", "東京-物語"), ("", ""),
        ])
    func slug(name: String, slug: String) {
        #expect(StoreSlug.of(name) == slug)
    }

    @Test("A slug is never longer than its limit")
    func longSlug() {
        #expect(StoreSlug.of(String(repeating: "word ", count: 100)).count <= StoreSlug.longest)
    }
}
