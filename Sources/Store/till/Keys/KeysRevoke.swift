import CommandOptions
import StoreModel
import StoreSigning

/// `till keys revoke`
enum KeysRevoke {
    static let fingerprint = Argument<String>.required(
        .text("FINGERPRINT"), help: "The fingerprint that 'till keys show --all' gives, or its first 16 digits or more."
    )

    static let command = Command<TillProgram.Action>(
        "revoke", "Declare a certificate void that was replaced earlier.",
        discussion: """
            For a key of which it turns out later that somebody else had it. What it signed, and what stands under it, is \
            void from now on, whatever date a signature claims. There is no way back.

            A certificate in use is replaced and revoked in one step by 'till keys rotate --revoke'.
            """,
        options: [KeysOptions.requiredEnvironment, StandardOptions.json], arguments: [fingerprint],
        examples: [
            Example("Revoke an earlier leaf", "till keys revoke --environment production 7984d8475bd4af2b")
        ],
        exitCodes: [
            .inputMissing.when("There are no keys, or none with this fingerprint."),
            .badData.when("The certificate is in use, or the digits fit several."),
            .tryAgain.when("Another process is changing the keys."),
            .configuration.when("The key store is damaged."),
        ],
        seeAlso: ["till keys show --all", "till keys rotate --revoke"],
        action: run)

    private static let fewestDigits = 16

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let store = KeysOptions.store(arguments)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let digits = arguments[fingerprint].lowercased()
        guard digits.count >= fewestDigits, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
            throw CommandFailure(.usage, "FINGERPRINT must be at least \(fewestDigits) hexadecimal digits")
        }
        let found = try store.keyring(environment).entries.filter { $0.fingerprint.hasPrefix(digits) }
        guard let entry = found.first else {
            throw CommandFailure(.inputMissing, "no \(environment.rawValue) certificate has the fingerprint \(digits)")
        }
        guard found.count == 1 else {
            throw CommandFailure(.badData, "\(found.count) certificates begin with \(digits); give more digits")
        }
        guard entry.retiredAt != nil else {
            throw CommandFailure(
                .badData,
                "\(entry.fileName) is in use; replace and revoke it with: till keys rotate --environment "
                    + "\(environment.rawValue) --purpose \(entry.purpose.rawValue) --from \(entry.role.rawValue) --revoke"
            )
        }
        try store.revoke(entry, of: environment, at: context.now)
        if arguments[StandardOptions.json] {
            let report = try KeysReport(store, environment)
            return try context.printJSON(
                ["certificates": report.certificates.filter { $0.fingerprint == entry.fingerprint }])
        }
        context.print("Revoked \(entry.fileName). What it signed is void from now on.")
    }
}
