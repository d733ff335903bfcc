public import StoreModel
import StoreSigning

/// Where a store is asked: each environment at its own address.
public struct StoreAddresses: Hashable, Sendable {
    /// Where one environment is asked.
    public struct Place: Hashable, Sendable {
        /// The address of `verifyReceipt`.
        public var receipts: StoreAddress
        /// The address of the App Store Server API.
        public var serverAPI: StoreAddress

        /// An environment that has both at one address, as Till has.
        public init(_ address: StoreAddress) { self.init(receipts: address, serverAPI: address) }

        /// An environment with two addresses, as the App Store has.
        public init(receipts: StoreAddress, serverAPI: StoreAddress) {
            self.receipts = receipts
            self.serverAPI = serverAPI
        }
    }

    /// Where production is asked; nil for a backend that takes purchases of the sandbox alone.
    public var production: Place?
    /// Where the sandbox is asked; nil for a backend that does not take its purchases.
    public var sandbox: Place?

    /// Makes them from their parts.
    public init(production: Place?, sandbox: Place?) {
        self.production = production
        self.sandbox = sandbox
    }

    /// A store like Till; an address is `https://` and a host, perhaps with a port. Throws ``BackendError`` for one
    /// that is none.
    public init(production: String?, sandbox: String?) throws {
        self.init(
            production: try production.map { try Place(Self.address($0, "production")) },
            sandbox: try sandbox.map { try Place(Self.address($0, "sandbox")) })
    }

    private static func address(_ text: String, _ parameter: String) throws -> StoreAddress {
        do {
            return try StoreAddress(parsing: text)
        } catch {
            throw BackendError(
                .invalidValue, "The address \(error.excerpt) of \(parameter) is wrong: it \(error.rule).",
                parameter: parameter)
        }
    }

    /// The App Store, both of its environments.
    public static let apple = StoreAddresses(
        production: known("buy.itunes.apple.com", "api.storekit.apple.com"),
        sandbox: known("sandbox.itunes.apple.com", "api.storekit-sandbox.apple.com"))

    private static func known(_ receipts: String, _ serverAPI: String) -> Place? {
        guard let receipts = StoreAddress("https://" + receipts), let serverAPI = StoreAddress("https://" + serverAPI)
        else { return nil }
        return Place(receipts: receipts, serverAPI: serverAPI)
    }

    subscript(environment: StoreEnvironment) -> Place? {
        switch environment {
        case .production: production
        case .sandbox: sandbox
        }
    }

    /// The environments that have an address.
    var environments: Set<StoreEnvironment> { Set(StoreEnvironment.allCases.filter { self[$0] != nil }) }
}

/// The key with which a backend asks the App Store Server API: the `.p8` file, with what names it.
public struct StoreKey: Sendable {
    let issuerID: String
    let key: NamedKey

    /// Reads a key; throws ``BackendError`` for one that cannot sign.
    ///
    /// - Parameters:
    ///   - issuerID: the id of the team's keys.
    ///   - keyID: the id of this key.
    ///   - privateKey: the content of the `.p8` file.
    public init(issuerID: String, keyID: String, privateKey: String) throws {
        do {
            let key = try PrivateKey(pemRepresentation: privateKey)
            guard key.algorithm == .p256 else {
                throw SigningError(.algorithmNotAllowed, "it is no key of the curve P-256")
            }
            self.key = NamedKey(keyID: keyID, key: key)
        } catch {
            throw BackendError(.invalidValue, "The key of the store cannot be used: \(error).", parameter: "key")
        }
        self.issuerID = issuerID
    }

    /// How long a token lasts.
    static let tokenMinutes: Int64 = 5

    /// A token for requests about an app.
    func token(for app: BundleID, at now: Instant) throws -> String {
        try BearerToken.make(
            BearerTokenClaims(
                issuerID: issuerID, issuedAt: now, expiresAt: now.adding(milliseconds: Self.tokenMinutes * 60_000),
                audience: BearerToken.audience, bundleID: app.text), with: key)
    }
}

/// How much a backend asks of a store, and how long it waits.
public struct StoreLimits: Hashable, Sendable {
    /// The longest time for one attempt to ask.
    public var attemptTime: Duration = .seconds(10)
    /// The longest time for a connection to come about.
    public var connectTime: Duration = .seconds(5)
    /// The most attempts for one question.
    public var attempts = 3
    /// The longest wait before another attempt, also where the store asks for one.
    public var longestWait: Duration = .seconds(5)
    /// How many repeated attempts there may be at once before those that succeed have earned more: a store that fails
    /// is not asked several times as often as one that works.
    public var retryBudget = 20
    /// The largest answer, in bytes.
    public var answerBytes = 16 * 1024 * 1024

    /// The usual limits.
    public init() {}
}
