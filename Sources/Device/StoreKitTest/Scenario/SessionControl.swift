import StoreCatalogue
import StoreDatabase
import StoreHTTP
import StoreHTTPListener
import StoreKit
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// The control interface of a session's store on a port of this machine, until it is ended.
///
/// It has the routes that an operator of a running sandbox has, and opens to one token alone.
struct SessionControl: Sendable {
    let address: String
    let token: String
    private let editing: CatalogueEditing
    private let name: String
    private let listener: HTTPListener

    /// How long the token is good for at most; it is revoked when the interface ends.
    private static let tokenLife = Duration.seconds(24 * 60 * 60)
    /// How long requests that are under way may take at the end.
    private static let farewell = Duration.seconds(1)

    init(_ store: TestStore) async throws {
        let sales = store.store
        let catalogue = CatalogueStore(
            store.databases.catalogue, Numbers(store.databases.catalogue), now: sales.clocks.wall)
        let control = ControlStore(
            .sandbox, catalogue, proceeds: ProceedsReports(store.databases.sandbox), sales: sales, profiles: nil,
            signers: { [.sandbox: sales.signers] })
        editing = catalogue.editing(by: .owner, request: nil)
        // A session may run scenarios at once.
        name = "scenario-\(Hexadecimal.encode(try control.random(8)))"
        token = try await editing.addToken(name, for: .sandbox, life: Self.tokenLife, control.random).token
        let service = HTTPService(
            ControlRoutes(control).guarded, errors: JSONErrorForm(), explain: APIError.explaining,
            report: { error, _ in SessionLog.write("A line of a scenario failed: \(error)") })
        listener = try HTTPListener(ListenerConfiguration(.tcp(port: 0), threads: 1), serving: service)
        address = "http://\(listener.endpoint)"
    }

    func end() async {
        await listener.stop(within: Self.farewell)
        try? await editing.revokeToken(name)
    }
}
