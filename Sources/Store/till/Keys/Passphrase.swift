import CommandOptions
import Foundation
import StoreSigning

/// Where the passphrase of the keys comes from.
enum Passphrase {
    /// The passphrase from the file that the options name, if they name one.
    static func fromFile(_ arguments: ParsedArguments) throws -> [UInt8]? {
        guard let path = arguments[KeysOptions.passphraseFile] else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputMissing, "the passphrase file \(path) cannot be read")
        }
        let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return try checked(Array(line), "the passphrase file \(path)")
    }

    /// Asks for a new passphrase, twice.
    static func askForNew(_ context: CommandContext) throws -> [UInt8] {
        guard let ask = context.ask else {
            throw CommandFailure(.usage, "--ask-passphrase needs a terminal; use --passphrase-file in a script")
        }
        let first = try ask("New passphrase for the private keys: ")
        guard try ask("The same again: ") == first else {
            throw CommandFailure(.badData, "the two passphrases are not the same; nothing was made")
        }
        return try checked(Array(first.utf8), "the passphrase")
    }

    /// Asks for the passphrase of keys that have one.
    static func askForExisting(_ context: CommandContext) throws -> [UInt8] {
        guard let ask = context.ask else {
            throw CommandFailure(
                .noPermission,
                "the keys are under a passphrase; name the file that holds it with --passphrase-file FILE or in "
                    + "TILL_PASSPHRASE_FILE")
        }
        return try checked(Array(ask("Passphrase of the private keys: ").utf8), "the passphrase")
    }

    private static func checked(_ passphrase: [UInt8], _ name: String) throws -> [UInt8] {
        guard (1...SigningLimits.passphraseBytes).contains(passphrase.count) else {
            throw CommandFailure(.badData, "\(name) must hold 1 to \(SigningLimits.passphraseBytes) bytes")
        }
        return passphrase
    }
}
