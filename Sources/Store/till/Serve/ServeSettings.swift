import CommandOptions
import StoreHTTPListener
import StoreLog
import StoreModel

/// Everything `till serve` is told, read once.
struct ServeSettings: Sendable {
    let directory: DataDirectory
    let database: DatabaseAddress
    let production: ListenAddress
    let sandbox: ListenAddress
    let publicURL: PublicURL?
    let sandboxPublicURL: PublicURL?
    let tls: TLSFiles?
    let organization: String
    let passphrase: [UInt8]?
    let logFormat: LogFormat
    let logLevel: LogLevel
    let drainSeconds: Int
    let commission: Proportion
    /// Whether the store has the products of the demo.
    let isDemo: Bool
    let productionProcessor: ProductionProcessor

    init(_ arguments: ParsedArguments) throws {
        directory = DataDirectory(arguments[DataOptions.data])
        database = arguments[DatabaseOptions.database]
        production = arguments[ServeOptions.listen]
        sandbox = arguments[ServeOptions.sandboxListen]
        publicURL = arguments[ServeOptions.publicURL]
        sandboxPublicURL = arguments[ServeOptions.sandboxPublicURL]
        tls = ServeOptions.tls(arguments)
        organization = try KeysInit.organization(arguments)
        passphrase = try Passphrase.fromFile(arguments)
        logFormat = arguments[ServeOptions.logFormat]
        logLevel = arguments[ServeOptions.logLevel]
        drainSeconds = arguments[ServeOptions.drainSeconds]
        commission = arguments[ServeOptions.commission]
        isDemo = arguments[ServeOptions.demo]
        productionProcessor = arguments[ServeOptions.productionProcessor]
        if production == sandbox && production.port != 0 {
            throw CommandFailure(.usage, "production and sandbox cannot both listen at \(production)")
        }
    }
}
