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

    /// The environment of this store that bears the name; nil for local tests and unknown names, whose payloads nobody
    /// may trust as if a store had signed them.
    public var environment: StoreEnvironment? {
        switch self {
        case .production: .production
        case .sandbox: .sandbox
        default: nil
        }
    }
}
