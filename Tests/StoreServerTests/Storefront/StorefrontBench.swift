import Foundation
import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreModel
import StoreService
import StoreTestSupport
import Testing

/// A listener with a book that has a file, and customers who come to its pages.
struct StorefrontBench {
    let bench: ListenerBench
    /// Of the book.
    let book: Int64
    /// An album, and the song on it.
    let album: Int64
    let song: Int64
    let file: [UInt8]
    private let folder: String

    static let title = "Walden"

    static func with<Result>(
        _ environment: StoreEnvironment = .sandbox, _ body: (StorefrontBench) async throws -> Result
    ) async throws -> Result {
        let folder = NSTemporaryDirectory() + "till-storefront-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(StorefrontBench(environment, folder))
    }

    private init(_ environment: StoreEnvironment, _ folder: String) async throws {
        let blobs = try FolderBlobStore(folder: folder)
        let bench = try await ListenerBench(environment, blobs: blobs)
        (self.bench, self.folder) = (bench, folder)
        file = Array("The mass of men lead lives of quiet desperation.".utf8)
        let (database, now) = (bench.databases.catalogue, bench.time.current)
        book = try await ItemSample.enter(
            .book, Self.title, genre: try Self.genre(.book), price: "4.99", in: database, at: now
        ).storeID
        album = try await ItemSample.enter(
            .album, "Night Bus", genre: try Self.genre(.album), price: "9.99", in: database, at: now
        ).storeID
        song = try await ItemSample.enter(
            .song, "Depot", genre: try Self.genre(.song), parent: album, price: nil, in: database, at: now
        ).storeID
        let blob = try blobs.keep(file)
        let row = (items: [book, song], count: file.count)
        try await database.write { transaction in
            for item in row.items {
                try transaction.insert(
                    into: "item_file",
                    [
                        "store_id": item, "role": "package", "version": "", "position": 1, "is_draft": false,
                        "digest": blob, "media_type": "application/epub+zip", "bytes": row.count,
                        "file_name": "Wäl\"den.epub", "added_at": now,
                    ])
            }
        }
    }

    private static func genre(_ kind: ItemKind) throws -> Int { try #require(Genre.all(of: kind).first).id }

    // MARK: Customers

    /// Makes an account that can pay, and signs it in on a page; gives the cookie.
    func customer(_ email: String) async throws -> String {
        let account: [String: Any] = [
            "email": email, "password": ListenerBench.password, "paymentMethod": "test_approved",
        ]
        #expect(try await bench.control("POST", "/customers", account).status == 201)
        return try #require(try await signIn(email))
    }

    /// Signs in on a page; gives the cookie, if there is one.
    func signIn(_ email: String, _ password: String = ListenerBench.password) async throws -> String? {
        let answer = try await bench.browse("/us/sign-in?to=/library", ["email": email, "password": password])
        guard answer.status == 303 else { return nil }
        #expect(answer.fields["Location"] == "/us/library")
        return Self.cookie(in: answer)
    }

    static func cookie(in answer: ListenerBench.Answer) -> String? {
        answer.fields["Set-Cookie"].map { String($0.prefix { $0 != ";" }) }
    }

    func get(_ path: String, as cookie: String?, _ more: [String: String] = [:]) async throws -> ListenerBench.Answer {
        try await bench.browse(path, nil, more.merging(cookie.map { ["Cookie": $0] } ?? [:]) { $1 })
    }

    func send(_ path: String, _ form: [String: String], as cookie: String?) async throws -> ListenerBench.Answer {
        try await bench.browse(path, form, cookie.map { ["Cookie": $0] } ?? [:])
    }

    /// Buys an item on its page and on the sheet.
    func buy(_ item: Int64, as cookie: String) async throws {
        let opened = try await send("/us/buy", ["item": "\(item)"], as: cookie)
        let sheet = try #require(opened.fields["Location"], "\(opened.text)")
        // What proves the password on the sheet comes beside the session.
        let proof = Self.cookie(in: opened).map { "\(cookie); \($0)" } ?? cookie
        let form = try #require(
            ShownForm.all(in: try await get(sheet, as: proof).text).first { $0.action == "\(sheet)/confirmation" })
        let fields = Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(try await send(form.action, fields, as: proof).status == 303)
    }

    func download(_ item: Int64) -> String { "/us/library/\(item)/file/package/1" }
}
