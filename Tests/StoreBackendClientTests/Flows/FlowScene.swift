import Foundation
import StoreBackend
import StoreBackendClient
import StoreDatabase
import StoreHTTP
import StoreHTTPClient
import StoreHTTPListener
import StoreKit
import StoreLog
import StoreModel
import StoreServer
import StoreService
import StoreTestSupport
import TestSupport
import Testing

@testable import StoreKitTest

/// A whole store with StoreKit, a backend that asks it, and apps: what each does stands on one tape, in its order.
@MainActor
final class FlowScene {
    /// The time of all three stands still.
    nonisolated static let start = Instant(millisecondsSinceEpoch: 1_800_000_000_000)
    static let issue = "magazines.issue1"
    static let monthly = "magazines.monthly"
    static let page = "The first page.\n"

    let session: SKTestSession
    let backend: Backend
    let tape: Tape
    private let folder: URL
    private let listener: HTTPListener
    private var address: String { "http://127.0.0.1:\(listener.endpoint.port ?? 0)" }
    private var bundle: BundleID { session.parts.scene.store.bundle }

    static func with<Result: Sendable>(_ body: @MainActor (FlowScene) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("till-flow-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let scene = try await FlowScene(in: folder)
        do {
            let result = try await scene.session.asCurrent { try await body(scene) }
            await scene.listener.stop(within: .milliseconds(300))
            return result
        } catch {
            await scene.listener.stop(within: .milliseconds(300))
            throw error
        }
    }

    private init(in folder: URL) async throws {
        let tape = Tape()
        self.tape = tape
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("Magazines.storekit")
        try Self.products.write(to: file, atomically: true, encoding: .utf8)
        let clocks = StoreClocks(commerce: { Self.start }, wall: { Self.start })
        let session = try SKTestSession(contentsOf: file, clocks, dialogs: { nil })
        self.session = session
        let bundle = session.parts.scene.store.bundle
        let log = Log(time: { Self.start }, sink: { tape.write($0) })
        let places = try StoreEnvironment.allCases.map {
            ($0, try Self.place($0, session.parts.scene.store.store, tape))
        }
        let connection = StoreBackend.StoreConnection(Dictionary(uniqueKeysWithValues: places))
        backend = Backend(
            database: try BackendDatabase.sqlite(path: folder.appendingPathComponent("backend.sqlite").path),
            verifier: LoggedVerifier(try StoreVerifier(connection, bundleIDs: [bundle]), log: log),
            settings: BackendSettings(bundleIDs: [bundle]),
            library: try StoreBackend.ContentLibrary(folder: folder.appendingPathComponent("contents").path))
        let server = BackendServer(
            backend, version: "1", log: log,
            sources: .init(now: { Self.start }, nanoseconds: { 0 }, random: { UInt64.random(in: .min ... .max) }))
        var configuration = ListenerConfiguration(.tcp(port: 0), threads: 1)
        configuration.limits.farewellTime = .milliseconds(100)
        listener = try HTTPListener(configuration, serving: server.service())
        try await prepare(bundle)
    }

    /// What the backend lists, and the file of the issue.
    private func prepare(_ bundle: BundleID) async throws {
        try await backend.prepare(at: Self.start)
        var issue = ListedProduct(try ProductID(parsing: Self.issue), kind: .nonConsumable, content: "issue1")
        issue.includedIn = [try ProductID(parsing: Self.monthly)]
        let monthly = ListedProduct(try ProductID(parsing: Self.monthly), kind: .autoRenewable)
        _ = try await backend.publish(ProductList(bundleID: bundle, products: [issue, monthly]), at: Self.start)
        let file = folder.appendingPathComponent("issue1.txt")
        try Self.page.write(to: file, atomically: true, encoding: .utf8)
        _ = try await backend.addContent(file.path, as: "issue1", version: "1.0", at: Self.start)
    }

    /// `verifyReceipt` of an environment of the store. Production knows the receipts of the sandbox, and sends them there.
    private static func place(
        _ environment: StoreEnvironment, _ store: EnvironmentStore, _ tape: Tape
    ) throws -> StoreBackend.StoreConnection.Place {
        let databases = StoreDatabases(
            catalogue: store.catalogue, production: store.database, sandbox: store.database)
        let sandbox = try TestKeys.sandbox.get()
        let verification =
            environment == .sandbox
            ? try ReceiptVerification(sandbox, other: nil, databases)
            : try ReceiptVerification(SampleKeys.of(.production), other: sandbox, databases)
        let routes = VerifyReceiptRoutes(environment, verification, log: store.log, clocks: store.clocks)
        let service = HTTPService(
            routes.routes, middleware: [TapedStore(environment: environment, tape: tape)], errors: JSONErrorForm(),
            report: { _, _ in })
        let transport = InMemoryTransport(service, clock: { 0 })
        return .init(receipts: transport, serverAPI: transport, host: "\(environment.rawValue).example")
    }

    /// An app on a device, with what it keeps there.
    func app(on device: String = "device") throws -> MagazineApp {
        MagazineApp(try client(on: device), tape)
    }

    func client(on device: String) throws -> BackendClient {
        try BackendClient(
            address: address, bundleID: bundle.text, folder: folder.appendingPathComponent(device))
    }

    private static let products = """
        {
          "identifier" : "3A6A21E0", "nonRenewingSubscriptions" : [],
          "products" : [
            {
              "displayPrice" : "1.99", "familyShareable" : false, "internalID" : "1",
              "localizations" : [
                { "description" : "To keep.", "displayName" : "First Issue", "locale" : "en_US" }
              ],
              "productID" : "magazines.issue1", "referenceName" : "First issue", "type" : "NonConsumable"
            }
          ],
          "settings" : { "_disableDialogs" : true, "_locale" : "en_US", "_storefront" : "USA" },
          "subscriptionGroups" : [
            {
              "id" : "AB12", "localizations" : [], "name" : "Magazines",
              "subscriptions" : [
                {
                  "adHocOffers" : [], "codeOffers" : [], "displayPrice" : "2.99", "familyShareable" : false,
                  "groupNumber" : 1, "internalID" : "2", "introductoryOffer" : null,
                  "localizations" : [
                    { "description" : "Every issue.", "displayName" : "Monthly", "locale" : "en_US" }
                  ],
                  "productID" : "magazines.monthly", "recurringSubscriptionPeriod" : "P1M",
                  "referenceName" : "Monthly", "subscriptionGroupID" : "AB12", "type" : "RecurringSubscription"
                }
              ]
            }
          ],
          "version" : { "major" : 4, "minor" : 0 }
        }
        """
}

/// What app, server and store do, a line each, in its order.
final class Tape: Sendable {
    private let content = Observed<[String]>([])

    var lines: [String] { content.value }

    func write(_ line: String) { content.update { $0.append(line) } }

    /// Takes what the server logs of a purchase.
    func write(_ entry: LogEntry) {
        guard let word = Self.words[entry.event] else { return }
        let details = entry.fields.compactMap { field -> String? in
            guard Self.details.contains(field.name), case .text(let text) = field.value else { return nil }
            return text
        }
        write((["server:", word] + details).joined(separator: " "))
    }

    private static let words = [
        "products.listed": "lists its products", "proof.received": "notes the receipt", "proof.asked": "asks the store",
        "proof.answered": "has the store's answer", "purchase.recorded": "records what was bought",
        "content.granted": "finds the content",
    ]
    private static let details: Set<String> = ["product", "content"]

    func wait(for line: String, times: Int = 1) async throws {
        try await content.wait { lines in lines.count { $0 == line } >= times }
    }

    func clear() { content.update { $0 = [] } }
}

/// Notes what the store is asked of a receipt, and what it says.
private struct TapedStore: Middleware {
    let environment: StoreEnvironment
    let tape: Tape

    func end(_ response: inout HTTPResponse, of request: HTTPRequest) {
        guard case .bytes(let body) = response.body else { return }
        let answer = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        tape.write("\(environment.rawValue): answers \(answer?["status"] as? Int ?? -1)")
    }
}
