import StoreModel
import Synchronization

/// Where the world reaches the environments, known once they listen.
final class PublishedAddresses: Sendable {
    private let addresses = Mutex<[StoreEnvironment: StoreAddress]>([:])

    subscript(environment: StoreEnvironment) -> StoreAddress? {
        get { addresses.withLock { $0[environment] } }
        set { addresses.withLock { $0[environment] = newValue } }
    }
}
