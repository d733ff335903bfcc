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

/// Pages of the store that apps show: the device's interface to them, and their addresses.
@Suite("Pages of the store that apps show", .bounded)
struct VisitTests {
    private static let jungle = "\(ListenerBench.bundle).jungle"

    /// A store with the page of the demo's app and a song, and a device.
    private struct Scene {
        let bench: ListenerBench
        let device: BenchDevice
        let waiters: SignalWaiters
        let app: Int64

        /// - Parameter wait: for how long a page may be without a window.
        init(
            wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            isSignedIn: Bool = false
        ) async throws {
            // Nobody is woken by time here.
            waiters = SignalWaiters(pause: { _ in try await Task.sleep(for: .seconds(3600)) })
            bench = try await ListenerBench(waiters: waiters, wait: wait)
            let catalogue = bench.databases.catalogue
            app = try await ItemSample.enter(
                .app, "MonkeyCredits", genre: 6014, app: ListenerBench.bundle, price: nil, in: catalogue
            ).storeID
            try await ItemSample.enter(.song, "Ebb", genre: 20, storeID: 364_709_193, in: catalogue)
            if isSignedIn {
                device = try await bench.device()
            } else {
                var known = try BenchDevice(bench)
                _ = try await known.register()
                device = known
            }
        }

        func open(_ item: String) async throws -> ListenerBench.Answer {
            try await device.ask("POST", "/visits", ["itemId": item])
        }

        /// Does something while what is signalled of visits is heard.
        func following(_ body: () async throws -> Void) async throws {
            let (waiters, database) = (waiters, bench.store.database)
            let follower = Task { try await waiters.follow(.visits, of: database) }
            defer { follower.cancel() }
            try await waiters.untilFollowing(.visits, of: database)
            try await body()
        }

        func state(_ visit: Int, wait: Int = 0) async throws -> ListenerBench.Answer {
            try await device.ask("GET", "/visits/\(visit)?wait=\(wait)")
        }
    }

    private static func visit(_ answer: ListenerBench.Answer) throws -> (id: Int, page: String) {
        (try #require(answer.json["visitId"] as? Int, "\(answer.text)"), try #require(answer.json["page"] as? String))
    }

    @Test(
        "R7.1: a page is opened by the number of an item, has its name, maker and price, and leads to the item's own page"
    )
    func opened() async throws {
        let scene = try await Scene()
        let answer = try await scene.open("364709193")
        #expect(answer.status == 201 && answer.json["title"] as? String == "Ebb", "\(answer.text)")
        #expect(answer.json["maker"] as? String == "Maker of Ebb")
        #expect((answer.json["price"] as? [String: Any])?["display"] as? String == "$1.99")
        #expect((answer.json["products"] as? [Any])?.isEmpty == true)
        let visit = try Self.visit(answer)
        let page = try await scene.bench.browse(visit.page)
        let location = try #require(page.fields["Location"])
        #expect(page.status == 303 && location.hasPrefix("/us/song/ebb/id364709193?view=\(visit.id)-"), "\(location)")
        #expect(try await scene.state(visit.id).json["state"] as? String == "open")
    }

    @Test("R7.1: on the app's own page are its products, and the one that is chosen is told to the app")
    func chosen() async throws {
        let scene = try await Scene()
        let answer = try await scene.open("\(scene.app)")
        let products = try #require(answer.json["products"] as? [[String: Any]])
        #expect(products.contains { $0["productId"] as? String == Self.jungle && $0["title"] as? String == "Jungle" })
        let visit = try Self.visit(answer)
        let location = try #require(try await scene.bench.browse(visit.page).fields["Location"])
        let page = try await scene.bench.browse(location).text
        #expect(page.contains("action=\"\(visit.page)/choice\"") && page.contains("value=\"\(Self.jungle)\""))
        #expect(page.contains("action=\"\(visit.page)/done\"") && !page.contains("itms-services:"))
        let chosen = try await scene.bench.browse(visit.page + "/choice", ["productId": Self.jungle])
        #expect(chosen.status == 303 && chosen.fields["Location"] == visit.page)
        let state = try await scene.state(visit.id)
        #expect(state.json["state"] as? String == "chosen" && state.json["productId"] as? String == Self.jungle)
        // A page that is loaded again says where it goes on; what is chosen then changes nothing.
        #expect(try await scene.bench.browse(visit.page).text.contains("The app goes on with what you chose"))
        let again = ["productId": "\(ListenerBench.bundle).credits5"]
        #expect(try await scene.bench.browse(visit.page + "/choice", again).status == 409)
        #expect(try await scene.state(visit.id).json["productId"] as? String == Self.jungle)
    }

    @Test("R1.12: the page of an app that is no item of the storefront opens by its number too, with its products")
    func outside() async throws {
        let bench = try await ListenerBench()
        let device = try await bench.device()
        let app = try await bench.databases.catalogue.read { transaction in
            try Catalogue.app(BundleID(parsing: ListenerBench.bundle), in: transaction)
        }
        let answer = try await device.ask("POST", "/visits", ["itemId": "\(try #require(app).id)"])
        #expect(answer.status == 201 && answer.json["title"] as? String == app?.name, "\(answer.text)")
        let products = try #require(answer.json["products"] as? [[String: Any]])
        #expect(products.contains { $0["productId"] as? String == Self.jungle })
        let visit = try Self.visit(answer)
        let location = try #require(try await bench.browse(visit.page).fields["Location"])
        let page = try await bench.browse(location)
        #expect(page.status == 200 && page.text.contains("action=\"\(visit.page)/choice\""), "\(location)")
    }

    @Test("P41: the page of an app in a browser of its own has links that begin the purchases of its products")
    func links() async throws {
        let scene = try await Scene()
        let page = try await scene.bench.browse("/us/app/monkeycredits/id\(scene.app)?mt=8").text
        let link = PurchaseIntentLink(
            try #require(ProductID(Self.jungle)), of: try #require(BundleID(ListenerBench.bundle)))
        #expect(page.contains("href=\"" + "\(link)".replacing("&", with: "&amp;") + "\""), "\(page)")
        #expect(!page.contains("/choice"))
    }

    @Test("R7.1: an app is offered its own products only, and none that it does not sell")
    func foreign() async throws {
        let scene = try await Scene()
        let own = try Self.visit(try await scene.open("\(scene.app)"))
        for product in ["com.example.other.thing", "\(ListenerBench.bundle).jungle2", ""] {
            let answer = try await scene.bench.browse(own.page + "/choice", ["productId": product])
            #expect((400..<500).contains(answer.status), "\(product)")
        }
        #expect(try await scene.state(own.id).json["state"] as? String == "open")
    }

    @Test("R7.1: Done on the page ends it once, and a device that waits hears of it at once")
    func done() async throws {
        let scene = try await Scene()
        let visit = try Self.visit(try await scene.open("364709193"))
        try await scene.following {
            async let ended = scene.state(visit.id, wait: 25)
            for _ in 1...2 {
                let done = try await scene.bench.browse(visit.page + "/done", [:])
                #expect(done.status == 303)
            }
            let answer = try await ended
            #expect(answer.json["state"] as? String == "closed")
        }
        #expect(try await scene.device.ask("POST", "/visits/\(visit.id)/closing").json["state"] as? String == "closed")
        #expect(try await scene.bench.browse(visit.page).text.contains("You can close this page."))
    }

    @Test("R7.1: a window that is closed ends the page, unless another one shows it or something is being bought there")
    func left() async throws {
        let patience = Observed(0)
        let scene = try await Scene(wait: { _ in patience.update { $0 += 1 } }, isSignedIn: true)
        let visit = try Self.visit(try await scene.open("364709193"))
        let location = try #require(try await scene.bench.browse(visit.page).fields["Location"])
        func window() async throws -> String {
            let page = try await scene.bench.browse(location).text
            #expect(page.contains("data-closing=\"\(visit.page)/closing\""))
            return try String(#require(page.firstMatch(of: /data-view="(\d+)"/)).1)
        }
        func close(_ window: String) async throws {
            let before = patience.value
            #expect(try await scene.bench.browse(visit.page + "/closing", ["view": window]).status == 204)
            try await patience.wait { $0 > before }
        }
        let (one, two) = (try await window(), try await window())
        try await close(one)
        #expect(try await scene.state(visit.id).json["state"] as? String == "open")
        // It waits for its moment, which is over at once here; then the device is told.
        try await scene.following {
            async let ended = scene.state(visit.id, wait: 25)
            try await close(two)
            let answer = try await ended
            #expect(answer.json["state"] as? String == "closed")
        }
    }

    @Test("R7.1: a page that nobody ends is over after an hour, and forgotten a day later")
    func expired() async throws {
        let scene = try await Scene()
        let visit = try Self.visit(try await scene.open("364709193"))
        scene.bench.time.pass(VisitLimits.life)
        #expect(try await scene.state(visit.id).json["state"] as? String == "expired")
        #expect(try await scene.bench.browse(visit.page).status == 200)
        scene.bench.time.pass(VisitLimits.memory + .seconds(1))
        let removal = Removal(.standard, of: scene.bench.store.database)
        _ = try await removal.turn(at: scene.bench.time.current)
        #expect(try await scene.state(visit.id).code == "visit_unknown")
    }

    @Test(
        "R7.2, R1.12: what is no number of an item is refused, a bundle id with the number that was meant",
        arguments: [
            ("1", 404, "item_unknown", "no item 1"), ("", 400, "value_invalid", "number"),
            ("com.xamarin.mwc2012", 400, "value_invalid", "bundle id"),
            (ListenerBench.bundle, 400, "value_invalid", "is a bundle id; the number of this app in the store is"),
        ])
    func refused(item: String, status: Int, code: String, text: String) async throws {
        let scene = try await Scene()
        let answer = try await scene.open(item)
        #expect(
            answer.status == status && answer.code == code && answer.message?.contains(text) == true, "\(answer.text)")
        if item == ListenerBench.bundle { #expect(answer.message?.contains("\(scene.app)") == true) }
    }

    @Test("R7.1: a visit is its device's alone, and its secret cannot be guessed from another")
    func secrets() async throws {
        let scene = try await Scene()
        let (one, two) = (
            try Self.visit(try await scene.open("364709193")), try Self.visit(try await scene.open("364709193"))
        )
        var other = try BenchDevice(scene.bench)
        _ = try await other.register()
        for path in ["/visits/\(one.id)", "/visits/\(one.id)/closing"] {
            let method = path.hasSuffix("closing") ? "POST" : "GET"
            #expect(try await other.ask(method, path).code == "visit_unknown", "\(path)")
        }
        let mixed = one.page.replacing("/\(one.id)-", with: "/\(two.id)-")
        for path in [mixed, "/view/1-AAAA", "/view/x", "/view/\(one.id)"] {
            #expect(try await scene.bench.browse(path).status == 404, "\(path)")
            #expect(try await scene.bench.browse(path + "/done", [:]).status == 404, "\(path)")
        }
        #expect(try await scene.state(two.id).json["state"] as? String == "open")
    }

    @Test("R7.1: of many pages of a device the oldest make room, and none of them can be used any more")
    func room() async throws {
        let scene = try await Scene()
        let first = try Self.visit(try await scene.open("364709193"))
        for _ in 1...VisitLimits.open { #expect(try await scene.open("364709193").status == 201) }
        #expect(try await scene.state(first.id).json["state"] as? String == "expired")
        #expect(try await scene.bench.browse(first.page + "/choice", ["productId": Self.jungle]).status == 409)
    }

    @Test("R7.1: what is bought on the page ends it, and the app hears that it was bought")
    func bought() async throws {
        let scene = try await Scene(isSignedIn: true)
        let visit = try Self.visit(try await scene.open("364709193"))
        let token = String(visit.page.dropFirst("/view/".count))
        let visits = Visits(scene.bench.store)
        let shown = try await visits.require(token)
        #expect(shown.buyer != nil)
        let opened = try await scene.bench.browse("/us/buy?view=\(token)", ["item": "364709193"])
        let sheet = try #require(opened.fields["Location"], "\(opened.text)")
        #expect(try await scene.state(visit.id).json["state"] as? String == "open")
        let form = try #require(
            ShownForm.all(in: try await scene.bench.browse(sheet).text).first { $0.action.hasSuffix("/confirmation") })
        let fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(try await scene.bench.browse(form.action, fields).status == 303)
        #expect(try await scene.state(visit.id).json["state"] as? String == "bought")
        // That was the end: the page is no more, and nothing that is pressed there is another end.
        #expect(try await scene.bench.browse("/us/buy?view=\(token)", ["item": "\(scene.app)"]).status == 409)
        #expect(try await scene.bench.browse(visit.page + "/done", [:]).status == 303)
        #expect(try await scene.bench.browse(visit.page).text.contains("You can close this page."))
        scene.bench.time.pass(VisitLimits.life)
        #expect(try await scene.state(visit.id).json["state"] as? String == "bought")
        // Another page that the app opens says nothing of what the customer has.
        let next = try Self.visit(try await scene.open("364709193"))
        let location = try #require(try await scene.bench.browse(next.page).fields["Location"])
        let page = try await scene.bench.browse(location)
        #expect(
            page.status == 200 && !page.text.contains("In library") && page.text.contains("/us/buy"), "\(page.text)")
    }
}
