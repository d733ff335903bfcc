import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite("The search API (R7.3, R7.4)")
struct SearchAPITests {
    /// A store that is searched over the transport in memory.
    private struct Searched {
        let sample: SearchSample
        let transport: InMemoryTransport
        static let now = CatalogueSample.now

        init(_ databases: StoreDatabases, rate: SearchRate? = nil) async throws {
            sample = try await SearchSample(in: databases.catalogue)
            let store = try EnvironmentStore.sample(
                .sandbox, of: databases, processor: ApprovingProcessor(), wall: { Self.now })
            let address = StoreAddress("https://store.example")
            let service = HTTPService(
                SearchRoutes(store, prices: PriceText(), rate: rate, address: { address }).routes, middleware: [],
                errors: JSONErrorForm(), report: { _, _ in })
            #expect(service.problems == [])
            transport = InMemoryTransport(service, clock: { 0 })
        }

        func get(_ target: String, from peer: String = "192.0.2.1") async throws -> (TransportResponse, String) {
            var request = TransportRequest.get(target)
            request.peer = PeerAddress(host: peer, port: nil)
            let response = try await transport.send(request)
            return (response, String(decoding: try await response.body.collect(), as: UTF8.self))
        }

        /// What was found, which is as many as the answer says.
        func results(_ target: String) async throws -> [[String: Any]] {
            let (response, text) = try await get(target)
            #expect(response.status == .ok)
            #expect(response.fields["Content-Type"] == "text/javascript; charset=utf-8")
            let answer = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let results = try #require(answer["results"] as? [[String: Any]])
            #expect(answer["resultCount"] as? Int == results.count)
            return results
        }

        func names(_ target: String) async throws -> [String] {
            try await results(target).compactMap {
                ($0["trackName"] ?? $0["collectionName"] ?? $0["artistName"]) as? String
            }
        }
    }

    private static func on<Result>(
        _ engine: StoreEngine = .memory, rate: SearchRate? = nil, _ body: (Searched) async throws -> Result
    ) async throws -> Result {
        try await engine.withStore { try await body(Searched($0, rate: rate)) }
    }

    @Test("The searches of the documents find what they find there", arguments: StoreEngine.allCases)
    func documents(engine: StoreEngine) async throws {
        try await Self.on(engine) { searched in
            let app = try #require(
                try await searched.results("/search?term=ibooks&entity=software&country=us").first)
            #expect(app["trackId"] as? Int == 364_709_193)
            #expect(app["trackName"] as? String == "iBooks" && app["bundleId"] as? String == "com.apple.iBooks")
            #expect(app["wrapperType"] as? String == "software" && app["kind"] as? String == "software")
            #expect(app["price"] as? Double == 0 && app["formattedPrice"] as? String == "Free")
            #expect(app["currency"] as? String == "USD" && app["genres"] as? [String] == ["Books"])
            #expect(app["genreIds"] as? [String] == ["6018"] && app["primaryGenreId"] as? Int == 6018)
            let link = try #require(app["trackViewUrl"] as? String)
            #expect(link == "https://store.example/us/app/ibooks/id364709193?mt=8")
            #expect(try StoreLink(parsing: link).storeID == 364_709_193)

            let books = try await searched.results("/search?term=dot+and+the+kangaroo&entity=ebook&country=us")
            let book = try #require(books.first)
            #expect(books.count == 1 && book["kind"] as? String == "ebook" && book["wrapperType"] == nil)
            #expect(book["trackId"] as? Int64 == SearchSample.kangarooBook)
            #expect(book["artistName"] as? String == "Ethel C. Pedley" && book["price"] as? Double == 0.99)
            #expect(book["trackViewUrl"] as? String == "https://store.example/us/book/dot-and-the-kangaroo/id395000001")
        }
    }

    @Test("Media and entities say what is found")
    func media() async throws {
        try await Self.on { searched in
            let found: [(String, [String])] = [
                ("term=kangaroo&media=ebook", ["Dot and the Kangaroo", "Kangaroos of the World"]),
                ("term=kangaroo&media=movie", ["Dot and the Kangaroo"]),
                ("term=kangaroo&media=tvShow", ["The Kangaroo Court"]),
                ("term=harbour&media=tvShow&entity=tvSeason", ["Harbour Lights"]),
                ("term=beyonce&media=music", ["Ĺa Última Parada", "Terminus"]),
                ("term=beyonce&media=music&explicit=No", ["Terminus"]),
                ("term=beyonce&media=music&entity=album", ["Night Bus"]),
                ("term=beyonce&media=music&entity=album,musicArtist", ["Beyoncé", "Night Bus"]),
                ("term=beyonce&entity=allArtist", ["Beyoncé"]),
                ("term=%E7%BA%A2%E6%A5%BC&media=audiobook", ["红楼梦"]),
                ("term=kangaroo&media=podcast", []), ("term=kangaroo&entity=macSoftware", []),
                ("term=dot&media=ebook&limit=1", ["Dot and the Kangaroo"]), ("media=ebook", []),
                ("term=&media=ebook", []),
                ("term=kangaroo&media=ebook&limit=1&offset=1", ["Kangaroos of the World"]),
                ("term=kangaroo&media=ebook&genreId=9019", ["Kangaroos of the World"]),
                ("term=dot&media=all&attribute=authorTerm&entity=ebook", ["Kangaroos of the World"]),
            ]
            for (query, names) in found {
                let answered = try await searched.names("/search?\(query)")
                #expect(answered == names, "\(query)")
            }
            for (query, name) in [
                ("country=us", "Tokyo Story"), ("country=jp", "東京物語"), ("country=jp&lang=en_us", "Tokyo Story"),
                ("country=us&lang=ja_jp", "東京物語"), ("country=us&lang=1", "Tokyo Story"),
            ] {
                #expect(try await searched.names("/search?term=tokyo&media=movie&\(query)") == [name])
            }
            // Without a name of what is wanted, everything that is played, read or run is found.
            #expect(try await searched.names("/search?term=kangaroo").count == 4)
            #expect(try await searched.names("/search/?term=ibooks") == ["iBooks"])
        }
    }

    @Test("A song says what it is part of, and costs -1 where the album alone is sold")
    func songs() async throws {
        try await Self.on { searched in
            let album = try #require(searched.sample.ids["Night Bus"])
            let song = try #require(try await searched.results("/search?term=terminus&entity=song").first)
            #expect(song["wrapperType"] as? String == "track" && song["kind"] as? String == "song")
            #expect(song["trackPrice"] as? Double == -1 && song["collectionPrice"] as? Double == 9.99)
            #expect(song["collectionId"] as? Int64 == album && song["collectionName"] as? String == "Night Bus")
            #expect(song["trackNumber"] as? Int == 2 && song["trackCount"] as? Int == 2)
            #expect(song["country"] as? String == "USA" && song["artistName"] as? String == "Beyoncé")
            let link = try #require(song["trackViewUrl"] as? String)
            #expect(link.hasSuffix("/us/album/night-bus/id\(album)?i=\(song["trackId"] as? Int64 ?? 0)"))
            let explicit = try #require(try await searched.results("/search?term=parada&entity=song").first)
            #expect(explicit["trackExplicitness"] as? String == "explicit")
            let former = try #require(try await searched.results("/search?term=terminus&entity=song&version=1").first)
            #expect(former["itemName"] as? String == "Terminus" && former["itemParentName"] as? String == "Night Bus")
            #expect(former["trackName"] == nil && former["mediaType"] as? String == "song")
        }
    }

    @Test("Items and artists are looked up by every number that names them")
    func lookup() async throws {
        try await Self.on { searched in
            let album = try #require(searched.sample.ids["Night Bus"])
            let artist = try #require(try await searched.results("/lookup?id=\(album)").first?["artistId"] as? Int64)
            let found: [(String, [String])] = [
                ("id=364709193", ["iBooks"]), ("id=364709193&country=de", ["iBooks"]),
                ("id=395000001,364709193", ["Dot and the Kangaroo", "iBooks"]),
                ("bundleId=com.apple.iBooks", ["iBooks"]), ("isbn=9780192793737", ["Dot and the Kangaroo"]),
                ("isbn=978-0-306-40615-7", ["Kangaroos of the World"]), ("upc=036000291452", ["Dot and the Kangaroo"]),
                ("id=\(album)&entity=song", ["Night Bus", "Ĺa Última Parada", "Terminus"]),
                ("id=\(album)&entity=song&limit=1", ["Night Bus", "Ĺa Última Parada"]),
                ("id=\(artist)", ["Beyoncé"]), ("id=\(artist)&entity=album", ["Beyoncé", "Night Bus"]),
                ("id=364709193&entity=software", ["iBooks"]), ("amgArtistId=468749", []), ("id=1", []), ("id=", []),
                ("", []), ("id=com.apple.iBooks", []), ("isbn=1&upc=2&bundleId=.", []),
            ]
            for (query, names) in found {
                #expect(try await searched.names("/lookup?\(query)") == names, "\(query)")
            }
            let (response, _) = try await searched.get("/lookup?id=com.apple.iBooks")
            #expect(response.fields["Till-Reason"]?.contains("bundleId") == true)
            let maker = try #require(try await searched.results("/lookup?id=\(artist)").first)
            #expect(maker["wrapperType"] as? String == "artist" && maker["artistType"] as? String == "Artist")
            #expect(maker["primaryGenreName"] as? String == "Pop")
        }
    }

    @Test("An answer is a call of the function that is named, and of nothing else")
    func callbacks() async throws {
        try await Self.on { searched in
            for name in ["found", "$", "app.found", "_a1.b2"] {
                let (response, text) = try await searched.get("/search?term=ibooks&callback=\(name)")
                #expect(response.status == .ok && text.hasPrefix("\(name)({") && text.hasSuffix("});"))
                // Else no browser lets another page load it.
                #expect(response.fields["Cross-Origin-Resource-Policy"] == "cross-origin")
            }
            for name in ["alert(1)//", "a%20b", "1a", "a.", "a..b", "%3Cscript%3E", String(repeating: "a", count: 129)]
            {
                let (response, text) = try await searched.get("/search?term=ibooks&callback=\(name)")
                #expect(response.status == .badRequest && text.contains("[callback]"), "\(name)")
            }
        }
    }

    @Test(
        "A value that a parameter does not take is named",
        arguments: [
            ("media=games", "[mediaType]"), ("entity=game", "[resultEntity]"),
            ("media=ebook&entity=song", "[resultEntity]"),
            ("entity=album,game", "[resultEntity]"), ("country=zz", "[country]"),
            ("attribute=colour", "[attributeType]"),
            ("media=ebook&attribute=songTerm", "[attributeType]"), ("limit=0", "[limit]"), ("limit=many", "[limit]"),
            ("version=3", "[version]"), ("explicit=maybe", "[explicit]"), ("offset=-1", "[offset]"),
            ("media=games&limit=x", "[limit, mediaType]"),
        ])
    func faults(query: String, keys: String) async throws {
        try await Self.on { searched in
            let (response, text) = try await searched.get("/search?term=ibooks&\(query)")
            #expect(response.status == .badRequest)
            #expect(text.hasPrefix("{\"errorMessage\":\"Invalid value(s) for key(s): \(keys)\",\"queryParameters\":{"))
            #expect(response.fields["Content-Type"] == "text/javascript; charset=utf-8")
        }
    }

    @Test("What nobody may say is written so that it is text")
    func hostile() async throws {
        try await Self.on { searched in
            for term in ["%22%27%3C%3E", "*", "%00", "a%20OR%20b", "NEAR(", "%F0%9F%8E%89", "%E2%80%AE"] {
                let (response, _) = try await searched.get("/search?term=\(term)")
                #expect(response.status == .ok, "\(term)")
            }
            let (response, _) = try await searched.get("/search?term=%FF")
            #expect(response.status == .badRequest)
            #expect(try await searched.names("/search?limit=100000&term=kangaroo").count == 4)
        }
    }

    @Test("One address asks so often in a minute, of both paths together; others are not kept from it")
    func rate() async throws {
        let time = Mutex(Int64(0))
        let rate = SearchRate(perMinute: 20) { time.withLock { $0 } }
        try await Self.on(rate: rate) { searched in
            for number in 0..<20 {
                let path = number.isMultiple(of: 2) ? "/search?term=ibooks" : "/lookup?id=364709193"
                #expect(try await searched.get(path).0.status == .ok)
            }
            let (refused, text) = try await searched.get("/search?term=ibooks")
            #expect(refused.status == .forbidden && ["3", "4"].contains(refused.fields["Retry-After"]))
            #expect(text.contains("errorMessage"))
            #expect(try await searched.get("/search?term=ibooks", from: "198.51.100.7").0.status == .ok)
            time.withLock { $0 = 4_000_000_000 }
            #expect(try await searched.get("/search?term=ibooks").0.status == .ok)
            #expect(try await searched.get("/search?term=ibooks").0.status == .forbidden)
        }
    }
}
