import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

/// The pages of the storefront: their addresses, what they show, and for whom.
@Suite("Pages of the storefront", .bounded)
struct StorefrontPagesTests {
    private static let number: Int64 = 364_709_193
    private static let page = "/us/book/dot-and-the-kangaroo/id364709193"

    private static func bench() async throws -> ListenerBench {
        let bench = try await ListenerBench()
        try await enter(.book, "Dot and the Kangaroo", 9010, storeID: number, in: bench)
        return bench
    }

    @discardableResult
    private static func enter(
        _ kind: ItemKind, _ name: String, _ genre: Int, storeID: Int64? = nil, parent: Int64? = nil,
        price: String? = "1.99", in bench: ListenerBench
    ) async throws -> Int64 {
        try await ItemSample.enter(
            kind, name, genre: genre, storeID: storeID, parent: parent, price: price, in: bench.databases.catalogue
        ).storeID
    }

    // MARK: Addresses

    @Test(
        "R7.3: every other form of a link leads to the one address of an item",
        arguments: [
            "/us/book/id364709193", "\(page)/", "/us/book/another-name/id364709193", "/us/app/dot/id364709193?mt=8",
            "/book/dot/id364709193", "/app/id364709193", "\(page)?uo=4&at=11l&ct=x",
            "/WebObjects/MZStore.woa/wa/viewBook?id=364709193",
            "/WebObjects/MZStore.woa/wa/viewSoftware?id=364709193&mt=8",
        ])
    func forms(path: String) async throws {
        let bench = try await Self.bench()
        let answer = try await bench.browse(path)
        #expect(answer.status == 301 && answer.fields["Location"] == Self.page, "\(answer.text)")
        #expect(try await bench.browse(Self.page).status == 200)
    }

    @Test("R7.3: a link without a country leads to that of the browser, and of the United States without one")
    func country() async throws {
        let bench = try await Self.bench()
        let german = try await bench.browse("/book/id364709193", nil, ["Accept-Language": "de-AT,de;q=0.9"])
        #expect(german.fields["Location"] == "/at/book/dot-and-the-kangaroo/id364709193")
        #expect(try await bench.browse("/book/id364709193").fields["Location"] == Self.page)
    }

    @Test("R7.3: an app has the address of the documents, and a song that of its album")
    func kinds() async throws {
        let bench = try await Self.bench()
        let app = try await ItemSample.enter(
            .app, "iBooks", genre: 6018, app: ListenerBench.bundle, in: bench.databases.catalogue)
        let path = "/us/app/ibooks/id\(app.storeID)?mt=8"
        #expect(try await bench.browse("/us/app/ibooks/id\(app.storeID)").fields["Location"] == path)
        #expect(try await bench.browse(path).text.contains("<h1>iBooks</h1>"))
        let album = try await Self.enter(.album, "Night Bus", 5, in: bench)
        let song = try await Self.enter(.song, "Depot", 5, parent: album, in: bench)
        let place = "/us/album/night-bus/id\(album)?i=\(song)"
        #expect(try await bench.browse("/us/album/depot/id\(song)").fields["Location"] == place)
        let shown = try await bench.browse(place)
        #expect(shown.text.contains("<tr id=\"i\(song)\" class=\"chosen\">") && shown.text.contains("Buy Depot, $1.99"))
        // A song that is on no such album is nothing of it.
        let other = try await bench.browse("/us/album/night-bus/id\(album)?i=\(Self.number)")
        #expect(other.fields["Location"] == "/us/album/night-bus/id\(album)")
    }

    @Test("R1.12: the links of an app and its products open a page, also where the app is no item of the storefront")
    func outside() async throws {
        let bench = try await Self.bench()
        let app = try await bench.control("GET", "/apps/\(ListenerBench.bundle)")
        let location = try Self.path(app)
        let page = try await bench.browse(location)
        #expect(page.status == 200 && page.text.contains("This app is not sold here") && page.text.contains("Jungle"))
        let product = try await bench.control(
            "GET", "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).jungle")
        let path = try Self.path(product)
        #expect(try await bench.browse(path).fields["Location"] == "\(location)#\(ListenerBench.bundle).jungle")
    }

    /// The link of an answer, without host.
    private static func path(_ answer: ListenerBench.Answer) throws -> String {
        let object = answer.json["product"] as? [String: Any] ?? answer.json
        let link = try #require(object["link"] as? String, "\(answer.text)")
        return try #require(
            URLComponents(string: link).map { $0.percentEncodedPath + ($0.query.map { "?\($0)" } ?? "") })
    }

    @Test(
        "Where nothing is, a page of the storefront says so, in the language of the browser",
        arguments: [
            "/us/book/x/id1", "/us/artist/x/id1", "/xx/apps", "/US/apps", "/us/app/com.example.app", "/us/reviews/1",
            "/us/apps?genre=38", "/us/report?review=1",
        ])
    func nothing(path: String) async throws {
        let bench = try await Self.bench()
        let answer = try await bench.browse(path, nil, ["Accept-Language": "fr"])
        let isForm = path.contains("report")
        #expect(answer.status == (isForm ? 303 : 404), "\(answer.text)")
        #expect(isForm || answer.text.contains("Il n’y a rien ici") && answer.text.contains("class=\"store sandbox\""))
    }

    @Test("A path of one word that is no country is what it was: nothing, for a program too")
    func words() async throws {
        let bench = try await Self.bench()
        let answer = try await bench.ask("GET", "/zz")
        #expect(answer.status == 404 && answer.code == "path_unknown")
        #expect(try await bench.ask("POST", "/nowhere").status == 404)
    }

    // MARK: What a page shows

    @Test("R7.3: a page names its item for other programs: address, picture, price, and what it is")
    func head() async throws {
        let bench = try await Self.bench()
        let page = try await bench.browse(Self.page)
        let address = "http://127.0.0.1:1\(Self.page)"
        #expect(page.text.contains("<link rel=\"canonical\" href=\"\(address)\">"))
        #expect(page.text.contains("<meta property=\"og:type\" content=\"book\">"))
        #expect(page.text.contains("<meta property=\"og:url\" content=\"\(address)\">"))
        let data = try Self.data(page.text)
        let offer = try #require(data["offers"] as? [String: Any])
        #expect(data["@type"] as? String == "Book" && data["name"] as? String == "Dot and the Kangaroo")
        #expect(offer["price"] as? String == "1.99" && offer["priceCurrency"] as? String == "USD")
        #expect(data["url"] as? String == address && data["aggregateRating"] == nil)
    }

    /// What is said for other programs on a page.
    private static func data(_ page: String) throws -> [String: Any] {
        let part = try #require(page.firstMatch(of: #/<script type="application/ld\+json">(.*?)</script>/#))
        return try #require(try JSONSerialization.jsonObject(with: Data(part.1.utf8)) as? [String: Any])
    }

    @Test("No text of a developer becomes markup or script, in the page and in what other programs read of it")
    func hostile() async throws {
        let bench = try await Self.bench()
        let name = "</script><script>alert(1)</script><!-- \"'&"
        let id = try await Self.enter(.film, name, 4401, in: bench)
        let found = try await bench.browse("/us/movie/id\(id)")
        let page = try await bench.browse(try #require(found.fields["Location"]))
        #expect(page.status == 200 && !page.text.contains("<script>") && !page.text.contains("<!-- "))
        #expect(try Self.data(page.text)["name"] as? String == name)
        let listed = try await bench.browse("/us/films")
        #expect(listed.text.contains("alert(1)") && !listed.text.contains("<script>"))
        let sought = try await bench.browse("/us/search?term=%3Cscript%3Ealert(1)")
        #expect(sought.status == 200 && !sought.text.contains("<script>alert"))
    }

    @Test("X9: pages have no inline style, no inline script and nothing of another host")
    func policy() async throws {
        let bench = try await Self.bench()
        for path in ["/us", "/us/books", Self.page, "/us/search?term=dot", "/us/countries", "/us/sign-in"] {
            let page = try await bench.browse(path)
            #expect(page.status == 200, "\(path): \(page.text)")
            #expect(page.fields["Content-Security-Policy"]?.contains("default-src 'self'") == true)
            #expect(!page.text.contains(" style=") && !page.text.contains(" onclick="))
            let scripts = page.text.matches(of: #/<script [^>]*>/#).map { String($0.0) }
            #expect(scripts.allSatisfy { $0.contains("src=\"/assets/") || $0.contains("ld+json") }, "\(scripts)")
        }
    }

    @Test("R7.3: the price is that of the country, and the language that which was chosen")
    func languages() async throws {
        let bench = try await Self.bench()
        let german = try await bench.browse("/de/book/dot-and-the-kangaroo/id364709193")
        #expect(german.text.contains("<html lang=\"de\">") && german.text.contains("€"), "\(german.text)")
        // The bar leads to the same page in another country.
        #expect(german.text.contains("href=\"/jp/book/dot-and-the-kangaroo/id364709193\""))
        let chosen = try await bench.browse(Self.page + "?l=tr")
        #expect(chosen.status == 303 && chosen.fields["Location"] == Self.page)
        let cookie = try #require(chosen.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init))
        let turkish = try await bench.browse(Self.page, nil, ["Cookie": cookie])
        #expect(turkish.text.contains("<html lang=\"tr\">") && turkish.text.contains("satın al"))
        // The texts of the item too, where there are any, in whichever country.
        let text = ["texts": ["tr": ["title": "Nokta ile Kanguru"]]]
        #expect(try await bench.control("PUT", "/items/\(Self.number)", text).status == 200)
        for place in [Self.page, "/us/books", "/us"] {
            let read = try await bench.browse(place, nil, ["Cookie": cookie])
            #expect(read.text.contains("Nokta ile Kanguru"), "\(place): \(read.text)")
        }
        #expect(try await bench.browse(Self.page + "?l=xx").fields["Set-Cookie"] == nil)
    }

    @Test("R7.3: home and lists have what is there, and leave out what is not")
    func lists() async throws {
        let bench = try await Self.bench()
        let home = try await bench.browse("/us")
        #expect(home.text.contains("href=\"\(Self.page)\"") && home.text.contains("All books"))
        #expect(!home.text.contains("All films"))
        let subject = try await bench.browse("/us/books?genre=9010")
        #expect(subject.text.contains("Books: Children") && subject.text.contains("Dot and the Kangaroo"))
        #expect(try await bench.browse("/us/books?genre=9002").text.contains("Nothing is sold here yet"))
        let artist = try await bench.browse(Self.page).text.firstMatch(of: #/href="(/us/artist/[^"]+)"/#)
        let maker = try await bench.browse(String(try #require(artist).1))
        #expect(maker.text.contains("<h1>Maker of Dot and the Kangaroo</h1>") && maker.text.contains(Self.page))
    }

    // MARK: Search

    @Test("R7.4: a search finds beginnings of words, a number leads to its page, and nothing says what to do")
    func search() async throws {
        let bench = try await Self.bench()
        let found = try await bench.browse("/us/search?term=kang")
        #expect(found.text.contains("Results for “kang”") && found.text.contains("href=\"\(Self.page)\""))
        #expect(found.text.contains("Buy for $1.99"))
        #expect(try await bench.browse("/us/search?term=364709193").fields["Location"] == Self.page)
        let none = try await bench.browse("/us/search?term=wombatorium")
        #expect(none.status == 200 && none.text.contains("Nothing is called “wombatorium”"))
        let suggested = try await bench.browse("/us/suggestions?term=dot")
        #expect(suggested.text.contains("<a href=\"\(Self.page)\">"), "\(suggested.text)")
        #expect(suggested.fields["Content-Type"]?.hasPrefix("text/html") == true)
        #expect(try await !bench.browse("/us/suggestions?term=").text.contains("<li"))
    }

    // MARK: Remembered

    @Test("A page that is remembered is another one as soon as the catalogue is, and the same for who has it")
    func remembered() async throws {
        let bench = try await Self.bench()
        let first = try await bench.browse(Self.page)
        let tag = try #require(first.fields["ETag"])
        #expect(first.fields["Cache-Control"] == "no-cache" && first.fields["Vary"]?.contains("Cookie") == true)
        #expect(try await bench.browse(Self.page, nil, ["If-None-Match": tag]).status == 304)
        try await Self.enter(.book, "Walden", 9010, in: bench)
        let second = try await bench.browse(Self.page, nil, ["If-None-Match": tag])
        #expect(second.status == 200 && second.text.contains("Walden"))
    }

    // MARK: People

    @Test("Who is not signed in is led to sign in, and from there to the library, which has what was got")
    func library() async throws {
        let bench = try await Self.bench()
        let account = ["email": "ada@example.com", "password": ListenerBench.password, "storefront": "USA"]
        #expect(try await bench.control("POST", "/customers", account).status == 201)
        let asked = try await bench.browse("/us/library")
        #expect(asked.status == 303 && asked.fields["Location"] == "/us/sign-in?to=%2Flibrary")
        let form = try await bench.browse("/us/sign-in?to=%2Flibrary")
        #expect(form.text.contains("action=\"/us/sign-in?to=%2Flibrary\"") && !form.text.contains("/us/sign-up"))
        let wrong = try await bench.browse(
            "/us/sign-in?to=%2Flibrary", ["email": "ada@example.com", "password": "wrong horse"])
        #expect(wrong.status == 400 && wrong.text.contains("value=\"ada@example.com\""))
        #expect(wrong.text.contains("The e-mail address or the password is wrong"))
        let right = try await bench.browse(
            "/us/sign-in?to=%2Flibrary", ["email": "ada@example.com", "password": ListenerBench.password])
        #expect(right.status == 303 && right.fields["Location"] == "/us/library")
        let cookie = try #require(right.fields["Set-Cookie"]?.split(separator: ";").first.map(String.init))
        let library = try await bench.browse("/us/library", nil, ["Cookie": cookie])
        #expect(library.status == 200 && library.text.contains("There is nothing in your library yet"))
        #expect(library.fields["Cache-Control"] == "no-store")
        let page = try await bench.browse(Self.page, nil, ["Cookie": cookie])
        #expect(page.text.contains("Sign out") && page.fields["Cache-Control"] == "no-store")
        let unowned = try await bench.browse("/us/review?item=364709193", nil, ["Cookie": cookie])
        #expect(unowned.text.contains("This is not in your library"))
        let refused = try await bench.browse(
            "/us/review", ["item": "364709193", "stars": "5", "title": "<b>", "body": "x", "nickname": "n"],
            ["Cookie": cookie])
        #expect(refused.text.contains("Only those who have it") && refused.text.contains("value=\"&lt;b&gt;\""))
    }
}
