import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreLog
import StoreModel
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreServer

@Suite("Files that forms of the console send", .bounded)
struct ConsoleUploadTests {
    private static let product = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).jungle"

    private static func send(
        _ file: [UInt8], by visitor: ConsoleVisitor, to form: String = "/image", called name: String = "p.png",
        proof: String? = nil
    ) async throws -> ListenerBench.Answer {
        let own = try OperatorSessions.proof(of: String(visitor.cookie.dropFirst("till_console=".count)))
        return try await visitor.bench.upload(
            "/console/sandbox" + product + form, ["proof": proof ?? own], file: file, called: name,
            cookie: visitor.cookie)
    }

    @Test("A picture that is sent is shown in the sandbox, and what is none is told so on the page")
    func pictures() async throws {
        let folder = NSTemporaryDirectory() + "till-upload-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await ListenerBench(blobs: FolderBlobStore(folder: folder))
        let owner = try await ConsoleVisitor.owner(bench)
        let picture = try #require(try DemoCatalogue.pictures.values.first)
        #expect(try await owner.get(Self.product + "/image").status == 404)
        #expect(try await Self.send(picture, by: owner).status == 303)
        #expect(try await owner.get(Self.product + "/image").fields["Content-Type"] == "image/png")
        #expect(try await owner.get(Self.product).text.contains("in review"), "production waits for the approval")

        let wrong = try await Self.send(Array("<script>".utf8), by: owner)
        #expect(wrong.status == 200 && wrong.text.contains("PNG or a JPEG") && wrong.text.contains(#"role="alert""#))
        let cut = try await Self.send(Array(picture.dropLast(20)), by: owner)
        #expect(cut.status == 200 && cut.text.contains("cut off"), "\(cut.text)")
        let none = try await Self.send([], by: owner, called: "")
        #expect(none.status == 200 && none.text.contains("Choose a file first"))
        let large = Array(repeating: UInt8(1), count: ProductImages.mostBytes + 1)
        #expect(try await Self.send(large, by: owner).status == 413)
    }

    @Test("X9: A damaged picture is not sent, named in the overview, and mended when it is given once more")
    func damaged() async throws {
        let folder = NSTemporaryDirectory() + "till-upload-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let blobs = try FolderBlobStore(folder: folder)
        let bench = try await ListenerBench(blobs: blobs)
        let owner = try await ConsoleVisitor.owner(bench)
        func named() async throws -> [String] {
            let found = try await bench.control("GET", "/overview").json["damagedBlobs"] as? [[String: Any]]
            return try #require(found).compactMap { $0["digest"] as? String }
        }
        let picture = try #require(try DemoCatalogue.pictures.values.first)
        #expect(try await Self.send(picture, by: owner).status == 303)
        let id = try BlobID(of: picture)
        var flipped = picture
        flipped[picture.count / 2] ^= 1
        try Data(flipped).write(to: URL(fileURLWithPath: blobs.path(of: id)))
        #expect(try await owner.get(Self.product + "/image").status == 500)
        let scrub = BlobScrub(
            bench.databases.catalogue, blobs: { blobs }, log: Log(time: { bench.time.current }, sink: { _ in }))
        _ = try await scrub.turn(at: bench.time.current)
        #expect(try await named() == [id.text])
        #expect(try await owner.get("").text.contains("picture of \(ListenerBench.bundle).jungle"))
        #expect(try await Self.send(picture, by: owner).status == 303)
        #expect(try await owner.get(Self.product + "/image").status == 200)
        #expect(try await named() == [])
    }

    @Test("Nobody sends a file without a session, without its proof, or without the role")
    func strangers() async throws {
        let folder = NSTemporaryDirectory() + "till-upload-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await ListenerBench(blobs: FolderBlobStore(folder: folder))
        let picture = try #require(try DemoCatalogue.pictures.values.first)
        let owner = try await ConsoleVisitor.owner(bench)
        #expect(try await Self.send(picture, by: owner, proof: "guess").status == 403)
        let nobody = ConsoleVisitor(bench: bench, cookie: "till_console=guess")
        #expect(try await Self.send(picture, by: nobody).fields["Location"] == "/console/sign-in")
        let reviewer = try await ConsoleVisitor.visitor(bench, .reviewer)
        #expect(try await Self.send(picture, by: reviewer).status == 403)
        #expect(try await owner.get(Self.product + "/image").status == 404)
    }

    @Test("R6.2: a package is a file whose name ends in .pkg")
    func packageName() async throws {
        let bench = try await ListenerBench()
        let owner = try await ConsoleVisitor.owner(bench)
        let refused = try await Self.send([1], by: owner, to: "/content", called: "chapter1.zip")
        #expect(refused.status == 200 && refused.text.contains("ends in .pkg"))
    }

    /// A product that was never on sale, whose content the store hosts.
    private static func hosted(_ bench: ListenerBench, _ owner: ConsoleVisitor) async throws -> String {
        let path = "/apps/\(ListenerBench.bundle)/products/\(ListenerBench.bundle).hosted"
        let put = try await bench.control("PUT", path, ["type": "Non-Consumable", "referenceName": "Hosted"])
        #expect(put.status == 200, "\(put.text)")
        #expect(try await owner.send(path + "/hosting/on").status == 303)
        return path
    }

    /// Files that look like something they are not, or would cost much to look at.
    private static func hostile() throws -> [(name: String, bytes: [UInt8])] {
        let picture = try #require(try DemoCatalogue.pictures.values.first)
        // The width and the height of a PNG follow the name of its first chunk.
        var huge = picture
        huge.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        let page = Array("<html><script>alert(1)</script></html>".utf8)
        return [
            ("page.png", page),
            ("drawing.svg", Array("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8)),
            ("huge.png", huge), ("cut.png", Array(picture.prefix(picture.count / 2))),
            ("head.png", Array(picture.prefix(8))), ("nothing.png", [0]),
            ("deep.json", Array(repeating: UInt8(ascii: "["), count: 200_000)),
            ("bomb.gz", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Array(repeating: 0xFF, count: 1_000)),
            ("../../etc/passwd\"><script>alert(1)</script>", page),
            ("=cmd|x.csv", Array("storefront,price\n=1+1,=cmd|x\n".utf8)),
        ]
    }

    @Test(
        "R1.12: Nothing that is sent to a form for files is taken for what it is not, shown as markup, or kept",
        arguments: ["/image", "/screenshot", "/prices/file", "/content", "/import"])
    func hostileFiles(_ form: String) async throws {
        let folder = NSTemporaryDirectory() + "till-upload-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bench = try await ListenerBench(blobs: FolderBlobStore(folder: folder))
        let owner = try await ConsoleVisitor.owner(bench)
        let product = form == "/content" ? try await Self.hosted(bench, owner) : Self.product
        let before = try await bench.databases.catalogue.read { try CatalogueAudit.last(in: $0) }
        let own = try OperatorSessions.proof(of: String(owner.cookie.dropFirst("till_console=".count)))
        let path = "/console/sandbox" + (form == "/import" ? form : product + form)
        for file in try Self.hostile() {
            let fields = ["proof": own, "bundleId": ListenerBench.bundle]
            let answer = try await bench.upload(path, fields, file: file.bytes, called: file.name, cookie: owner.cookie)
            #expect([200, 303, 400, 413, 415, 422].contains(answer.status), "\(form) \(file.name): \(answer.text)")
            #expect(!answer.text.contains("<script>alert"), "\(form) \(file.name)")
            // Content is looked at after it has arrived, and a preview changes nothing.
            if answer.status == 303 { #expect(["/content", "/import"].contains(form), "\(form) \(file.name)") }
        }
        let after = try await bench.databases.catalogue.read { try CatalogueAudit.last(in: $0) }
        if form != "/content" { #expect(after == before, "\(form)") }
        if form == "/image" { #expect(try await owner.get(Self.product + form).status == 404) }
    }
}
