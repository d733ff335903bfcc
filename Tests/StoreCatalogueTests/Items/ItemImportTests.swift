import StoreDatabase
import StoreFoundation
import StoreModel
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreCatalogue

@Suite("Items in files of a whole catalogue", .bounded)
struct ItemImportTests {
    private static func run(_ text: String, _ scene: ItemScene, by actor: Actor = .owner) async throws -> ImportReports
    {
        try await scene.editing(by: actor).run(
            CatalogueImport(CatalogueFile(Array(text.utf8)), isApproved: actor == .owner, by: actor))
    }

    private static func file(_ items: String) -> String {
        #"{"format":"till-catalogue","version":1,"apps":[],"items":[\#(items)]}"#
    }

    private static func book(_ more: String = "", id: Int64 = 900) -> String {
        #"""
        {"storeId":\#(id),"kind":"book","name":"A Book","artist":"Maker","genreId":9031\#(more),
         "product":{"productId":"item.\#(id)","type":"Non-Consumable","texts":{"en-US":{"title":"A Book","description":""}}}}
        """#
    }

    @Test("X2: A file carries all items with their store ids into an empty store", arguments: StoreEngine.usual)
    func roundTrip(engine: StoreEngine) async throws {
        var text = ""
        try await ItemScene.with { scene in
            try await DemoCatalogue.enter(into: scene.catalogue, numbers: Numbers(scene.catalogue), at: ItemScene.now)
            try await DemoItems.enter(into: scene.catalogue, files: scene.store, at: ItemScene.now)
            text = try await scene.editing.export().text
        }
        let whole = text
        try await ItemScene.with(engine) { scene in
            let report = try #require(try await Self.run(whole, scene).items)
            #expect(report.added.count == DemoItem.all.count && report.unapproved == report.added)
            #expect(Set(report.files.values.joined()) == Set(report.added))
            let node = try JSONNode(Array(whole.utf8), depth: 100)
            let ids = (node.members["items"]?.nodes ?? []).compactMap { item -> Int64? in
                if case .number(let id) = item.members["storeId"] { Int64(id) } else { nil }
            }
            #expect(Set(ids) == Set(report.added))
            for item in DemoItem.all {
                let found = try #require(try await scene.catalogue.read { try DemoItems.find(item, in: $0) })
                for file in item.files where file.new.place.role != .package || item.kind != .app {
                    let bytes = try ItemScene.file(file.file)
                    _ = try await scene.editing.putFile(file.new, bytes, of: found.storeID, in: scene.blobs)
                }
            }
            let again = try #require(try await Self.run(whole, scene).items)
            #expect(again.unapproved == [] && again.added == [])
            let last = try await Self.run(whole, scene)
            #expect(last.changedNothing && last.items?.unchanged.count == DemoItem.all.count)
            let song = try #require(DemoItem.all.first { $0.key == "ebb" })
            let entered = try #require(try await scene.catalogue.read { try DemoItems.find(song, in: $0) })
            #expect(try await scene.listing(entered.storeID)?.price?.description == "0.99 USD")
        }
    }

    @Test("What contradicts the catalogue is refused as a whole, with its place in the file")
    func refusals() async throws {
        try await ItemScene.with { scene in
            let cases = [
                (Self.book().replacing("\"book\"", with: "\"poster\""), "items[0].kind"),
                (Self.book(#","colour":"red""#), "items[0].colour"),
                (Self.book().replacing("9031", with: "36"), "items[0].genreId"),
                (Self.book(#","parent":4"#), "items[0].parent"),
                (Self.book() + "," + Self.book(), "items[1].storeId"),
                (Self.book() + "," + Self.book(#","isbn":"123""#, id: 901), "items[1].isbn"),
                (Self.book(#","files":[{"role":"artwork","digest":"abc"}]"#), "items[0].files[0].digest"),
                (
                    #"{"kind":"app","name":"X","product":{"productId":"a","type":"Non-Consumable"}}"#,
                    "items[0].bundleId"
                ),
            ]
            for (items, place) in cases {
                let error = await #expect(throws: CatalogueError.self) { try await Self.run(Self.file(items), scene) }
                #expect(error?.parameter == place, "\(error?.message ?? "")")
            }
            let items = try await scene.editing.items(limit: 1)
            #expect(items.isEmpty)
            #expect(try await Self.run(Self.file(Self.book()), scene).items?.added == [900])
            let kind = Self.book().replacing("\"book\"", with: "\"audiobook\"").replacing("9031", with: "50000049")
            #expect(try await ItemScene.refusal { _ = try await Self.run(Self.file(kind), scene) } == .kindFixed)
        }
    }

    @Test("A team brings items of its own only")
    func teams() async throws {
        try await ItemScene.with { scene in
            let (one, two) = (try await scene.developer(of: "one"), try await scene.developer(of: "two"))
            let first = try await Self.run(Self.file(Self.book(#","teamId":"two""#)), scene, by: one)
            #expect(first.items?.added == [900])
            #expect(try await scene.editing.itemDetails(900).item.teamID.text == "one")
            #expect(
                try await ItemScene.refusal { _ = try await Self.run(Self.file(Self.book()), scene, by: two) }
                    == .valueInvalid)
        }
    }
}
