import CommandOptions
import StoreModel
import StoreSigning

/// The options that several of the `till keys` commands share.
enum KeysOptions {
    /// One environment, or all of them where it is left out.
    static let environment = Option<StoreEnvironment?>.optional(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self),
        help: "Only this environment; both if left out.")

    static let requiredEnvironment = Option<StoreEnvironment>.required(
        "environment", .choice("ENVIRONMENT", of: StoreEnvironment.self), help: "Which environment.")

    static let passphraseFile = Option<String?>.optional(
        "passphrase-file", .file(), environment: "TILL_PASSPHRASE_FILE",
        help: "A file whose first line is the passphrase of the private keys.")

    static func store(_ arguments: ParsedArguments) -> KeyStore {
        KeyStore(dataDirectory: arguments[DataOptions.data])
    }

    static func environments(_ arguments: ParsedArguments) -> [StoreEnvironment] {
        arguments[environment].map { [$0] } ?? StoreEnvironment.allCases
    }
}
