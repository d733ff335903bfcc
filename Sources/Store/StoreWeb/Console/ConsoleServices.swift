package import StoreCatalogue
import StoreHTTP
package import StoreModel
package import StoreService
import StoreSigning

/// What the console stands on: both environments at work, and what the commands and requests that it shows begin with.
package struct ConsoleServices: Sendable {
    let stores: [StoreEnvironment: EnvironmentStore]
    let histories: [StoreEnvironment: RequestHistory]
    let catalogue: OperatorAccess
    let prices: PriceText
    let blobs: CatalogueBlobs
    /// How packages of hosted content are taken in.
    let content: ContentIntake
    /// Writes the receipts of notifications of version 1.
    let unifiedReceipt: UnifiedReceiptForm
    /// Makes the provisioning profile of an app for an environment; nil where nothing is there to sign it with.
    let profile: @Sendable (StoreEnvironment, BundleID) async throws -> String?
    let address: @Sendable (StoreEnvironment) -> StoreAddress?
    /// Options that every command of this store has, such as `--data ./till_data`.
    let options: String
    let version: String
    /// The store as a program that runs; nil where none is looked after.
    let system: StoreSystem?
    let wall: @Sendable () -> Instant
    let random = RandomBytes()
    let edits = EditQueue()

    /// - Parameters:
    ///   - histories: the newest requests of each listener.
    ///   - unifiedReceipt: without it notifications of version 1 are shown with an empty receipt.
    ///   - profile: without it none can be downloaded.
    ///   - address: where an environment is reached.
    ///   - options: those by which every command finds this store.
    package init(
        _ stores: [StoreEnvironment: EnvironmentStore], histories: [StoreEnvironment: RequestHistory],
        catalogue: OperatorAccess, prices: PriceText, blobs: CatalogueBlobs,
        content: ContentIntake = ContentIntake(),
        unifiedReceipt: @escaping UnifiedReceiptForm = { _ in Array("{}".utf8) },
        profile: @escaping @Sendable (StoreEnvironment, BundleID) async throws -> String? = { _, _ in nil },
        address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?, options: String, version: String,
        system: StoreSystem? = nil, wall: @escaping @Sendable () -> Instant
    ) {
        self.stores = stores
        self.histories = histories
        self.catalogue = catalogue
        self.prices = prices
        self.blobs = blobs
        self.content = content
        self.unifiedReceipt = unifiedReceipt
        self.profile = profile
        self.address = address
        self.options = options
        self.version = version
        self.system = system
        self.wall = wall
    }
}

extension ConsoleServices {
    /// The ways in, which are counted in the books of production.
    func signIn() throws -> ConsoleSignIn {
        guard let store = stores[.production] else {
            throw APIError(
                .unavailable, code: "store_unavailable",
                "Production does not run here, which keeps what belongs to passwords and codes.")
        }
        return ConsoleSignIn(store)
    }

    /// The visit of a request; nil without a session.
    func visit(_ request: HTTPRequest, in environment: StoreEnvironment) async throws -> ConsoleVisit? {
        guard let cookie = request.cookies[ConsoleVisit.cookie], let store = stores[environment] else { return nil }
        guard let session = try await catalogue.session(cookie) else { return nil }
        // Where nothing can be written, the pages can still be read.
        try? await stores[.production].map(ConsoleSignIn.init)?.noteUse(of: cookie, session)
        return ConsoleVisit(
            services: self, request: request, environment: environment, store: store, session: session,
            proof: try OperatorSessions.proof(of: cookie))
    }
}
