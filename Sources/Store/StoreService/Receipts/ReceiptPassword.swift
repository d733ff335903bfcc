import StoreCatalogue
import StoreDatabase
import StoreModel
import StoreSigning

/// The password that a receipt with auto-renewable subscriptions is sent with.
enum ReceiptPassword {
    /// Refuses a password that is neither the secret of the app nor the primary one in an environment.
    static func require(
        _ password: String?, forBundle bundleID: String, in environment: StoreEnvironment,
        _ transaction: any ReadTransaction
    ) throws {
        let secrets = try SharedSecrets.opening(receiptsOf: bundleID, in: environment, transaction)
        guard let password else {
            throw ReceiptRefusal(
                .wrongSecret, "password is missing: a receipt with auto-renewable subscriptions needs the shared secret"
            )
        }
        let place = environment == .sandbox ? "in the sandbox" : "in production"
        guard !secrets.isEmpty else {
            throw ReceiptRefusal(.wrongSecret, "password cannot match: this app has no shared secret \(place) yet")
        }
        guard secrets.contains(where: { SecretComparison.areEqual(Array($0.utf8), Array(password.utf8)) }) else {
            throw ReceiptRefusal(
                .wrongSecret, "password is neither the shared secret of this app nor the primary one \(place)")
        }
    }
}
