import StoreDatabase
import StoreHTTP
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// The control interface of a store that this process has open. A running store and a command that opened it have the same.
struct StoreControl: Sendable {
    private let stores: [ControlStore]

    /// - Parameters:
    ///   - passphrase: of the keys, which are read when something is to be signed.
    ///   - sales: the environments at work; nil where the store was opened for its catalogue only.
    ///   - address: where an environment is reached; nil if it is not.
    init(
        _ store: OpenStore, _ directory: DataDirectory, passphrase: [UInt8]?,
        sales: @Sendable (StoreEnvironment) -> EnvironmentStore? = { _ in nil },
        address: @escaping @Sendable (StoreEnvironment) -> StoreAddress?
    ) {
        let keys = KeyStore(dataDirectory: directory.path)
        let numbers = Numbers(store.databases.catalogue)
        stores = StoreEnvironment.allCases.map { environment in
            let profiles = ProfileIssuer(
                environment, at: { address(environment) },
                keys: { try keys.load(environment, passphrase: passphrase) })
            return ControlStore(
                environment, store.databases, catalogueNumbers: numbers, sales: sales(environment), profiles: profiles,
                now: SystemClock.now)
        }
    }

    /// For the listener of an environment.
    func guarded(_ environment: StoreEnvironment) -> [Route] {
        stores.filter { $0.environment == environment }.flatMap { ControlRoutes($0).guarded }
    }

    /// For the commands of the operator.
    var owned: [Route] {
        stores.flatMap { ControlRoutes($0).owned } + (stores.first.map { OperatorTokenRoutes($0).routes } ?? [])
    }
}
