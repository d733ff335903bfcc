/// The two worlds of a store: real customers and real money, or testers and test money.
///
/// Accounts, transactions, keys and databases never cross from one to the other. There is no third environment and no
/// value that switches verification off: a test store is a sandbox with keys of its own.
// Closed: a third environment would be a value that some verification does not know, and so switches off.
public enum StoreEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    /// Real customers, real money, the system's clock.
    case production
    /// Testers, test money, a clock that can be moved.
    case sandbox
}

/// The environment a signed payload names.
public struct WireEnvironment: WireValue {
    /// The value on the wire.
    public let rawValue: String

    /// Any value, known or not.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Real customers and real money.
    public static let production = WireEnvironment(rawValue: "Production")
    /// Testers and test money.
    public static let sandbox = WireEnvironment(rawValue: "Sandbox")
    /// A local test on the developer's machine, which a server cannot verify; this store never writes it.
    public static let xcode = WireEnvironment(rawValue: "Xcode")
    /// A local test without a store; this store never writes it.
    public static let localTesting = WireEnvironment(rawValue: "LocalTesting")

    /// The values that this version knows.
    public static let known: Set<WireEnvironment> = [.production, .sandbox, .xcode, .localTesting]

    /// The name of an environment of this store.
    public init(_ environment: StoreEnvironment) {
        switch environment {
        case .production: self = .production
        case .sandbox: self = .sandbox
        }
    }

    /// The environment with this name; nil for local tests and unknown names, whose payloads must not be trusted like
    /// those of a store.
    public var environment: StoreEnvironment? {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        default: nil
        }
    }
}
