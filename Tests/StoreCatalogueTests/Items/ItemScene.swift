import Foundation
import StoreDatabase
import StoreModel
import StoreRules
import StoreTestSupport
import Testing

@testable import StoreCatalogue

/// A catalogue with a team that prepares items, and where their files are kept.
struct ItemScene: Sendable {
    let databases: StoreDatabases
    let folder: String
    let store: FolderBlobStore

    static let now = CatalogueSample.now

    /// A scene on an engine, which goes away afterwards.
    static func with(_ engine: StoreEngine = .memory, _ body: (ItemScene) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "till-items-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await engine.withStore { databases in
            try await body(ItemScene(databases: databases, folder: folder, store: FolderBlobStore(folder: folder)))
        }
    }

    var catalogue: any Database { databases.catalogue }
    var blobs: CatalogueBlobs { CatalogueBlobs { [store] in store } }
    var editing: CatalogueEditing { editing(by: .owner) }

    func editing(by actor: Actor) -> CatalogueEditing {
        CatalogueEditing(catalogue, by: actor, request: "r") { Self.now }
    }

    /// A developer of a team, by a token.
    func developer(of team: String, in environment: StoreEnvironment = .production) async throws -> Actor {
        let id = try TeamID(parsing: team)
        let bytes = Array(team.utf8.prefix(30)) + Array(repeating: environment == .sandbox ? 1 : 2, count: 2)
        let token = OperatorTokens.token(of: bytes + Array(repeating: 0, count: 32 - bytes.count))
        return Actor(
            try await catalogue.write { transaction in
                let change = CatalogueChange(.owner, at: Self.now, in: transaction)
                if try Teams.find(id, in: transaction) == nil {
                    try Teams.add(id, name: "Team \(team)", change)
                    _ = try Agreements.accept(.paid, of: id, by: "Dev", change)
                }
                _ = try Teams.putMember("dev@\(team).example", name: "Dev", role: .developer, of: id, change)
                return try OperatorTokens.add(
                    token, name: "\(team)-\(environment)", for: environment, role: .developer,
                    member: (id, "dev@\(team).example"), change)
            })
    }

    static func draft(_ name: String, genre: Int, price: String? = "0.99", parent: Int64? = nil) throws -> ItemDraft {
        var draft = ItemDraft()
        (draft.name, draft.artist, draft.genreID) = (name, "Maker", genre)
        if let parent { draft.parent = .some(parent) }
        draft.basePrice = try price.map { try Money(decimal: $0, currency: .usd) }
        return draft
    }

    static func book(_ name: String = "A Book") throws -> NewItem { NewItem(.book, try draft(name, genre: 9031)) }

    /// A file of the demo.
    static func file(_ name: String) throws -> [UInt8] { try #require(DemoItems.files[name]) }

    func put(
        _ role: ItemFile.Role, _ file: String, of storeID: Int64, version: String? = nil, by actor: Actor = .owner
    ) async throws -> ItemDetails {
        try await editing(by: actor).putFile(
            NewItemFile(ItemFilePlace(role, version: version), called: file), Self.file(file), of: storeID, in: blobs)
    }

    /// A book with all that a review asks for.
    func completeBook(_ name: String = "A Book") async throws -> ItemDetails {
        let book = try await editing.addItem(Self.book(name))
        _ = try await put(.artwork, "dot.artwork.png", of: book.storeID)
        return try await put(.package, "dot.epub", of: book.storeID)
    }

    /// What customers of an environment see of an item.
    func listing(
        _ storeID: Int64, _ environment: StoreEnvironment = .production, in code: String = "USA",
        languages: [String] = ["en-US"]
    ) async throws -> ItemListing? {
        let view = try Self.view(environment, in: code, languages: languages)
        return try await catalogue.read { try ItemShelf.listing(storeID, for: view, in: $0) }
    }

    static func view(
        _ environment: StoreEnvironment = .production, in code: String = "USA", languages: [String] = ["en-US"]
    ) throws -> ItemView {
        ItemView(environment, try CatalogueSample.storefront(code), languages: languages, at: CatalogueMoment(now))
    }

    /// The code of a refusal; nil if nothing was refused.
    static func refusal(_ body: () async throws -> Void) async throws -> RefusalCode? {
        do {
            try await body()
            return nil
        } catch let refusal as CatalogueError {
            return refusal.code
        }
    }
}
