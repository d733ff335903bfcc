import CommandOptions
import Foundation
import StoreCatalogue
import StoreModel
import StoreServer
import StoreService
import StoreSigning

/// `till offer-keys`
enum OfferKeysCommand {
    private static let keyFormat = ValueFormat<String>(
        "KEY", rule: "the id of a key: ten capital letters and digits", explainsRule: false,
        parse: { $0.utf8.count == OfferKeys.idLength ? $0 : nil })
    private static let key = Argument<String>.required(keyFormat, help: "The id of the key.")
    private static let file = Argument<String>.required(
        .text("FILE"), help: "A file with the public key, in PEM; - reads standard input.")
    private static let keyID = Option<String?>.optional("key-id", keyFormat, help: "Its id; drawn if it is left out.")
    private static let name = Option<String?>.optional("name", .text("NAME"), help: "What its developer calls it.")

    private static let exits: [ExitCode] = [
        CatalogueOptions.missing, CatalogueOptions.unavailable, .badData.when("The key is refused."),
        .failure.when("There is one of this id already."),
    ]

    static let command = Command<TillProgram.Action>(
        "offer-keys", "Manage the keys that sign promotional offers of an app.",
        discussion: """
            Servers of developers sign each promotional offer with a private key. The store keeps the public half, by which it \
            verifies them.
            """,
        options: AdminConnection.options,
        examples: [
            Example("A key, its private half in a file", "till offer-keys generate com.example.app > offers.pem")
        ],
        seeAlso: ["till offers"],
        subcommands: [
            Command(
                "list", "List the keys of an app, the newest last.", options: ListOptions.all,
                arguments: [CatalogueOptions.bundle],
                examples: [Example("For a program", "till offer-keys list com.example.app --json")], exitCodes: exits,
                action: { arguments, context in
                    let page = try await AdminConnection.withStore(arguments, context) {
                        try await $0.ask("GET", path(arguments), as: Page<OfferKeyMessage>.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(page) }
                    context.printList(
                        page.items, as: CatalogueTables.offerKeys, arguments,
                        nothing: "The app has no keys. To make one: till offer-keys generate BUNDLE")
                }),
            Command(
                "add", "Let a key sign, of which the store gets the public half.",
                options: [keyID, name, StandardOptions.json], arguments: [CatalogueOptions.bundle, file],
                examples: [
                    Example("One", "till offer-keys add com.example.app offers-public.pem --key-id ABCDE12345")
                ],
                exitCodes: exits,
                action: { arguments, context in
                    let pem = String(decoding: try InputFile.read(arguments[file], limit: 1 << 16), as: UTF8.self)
                    try await add(pem, arguments, context)
                }),
            Command(
                "generate", "Make a key. Its private half is printed once, and kept nowhere.",
                options: [keyID, name, StandardOptions.json], arguments: [CatalogueOptions.bundle],
                examples: [Example("Into a file", "till offer-keys generate com.example.app > offers.pem")],
                exitCodes: exits, action: { try await add(nil, $0, $1) }),
            Command(
                "revoke", "Take a key out of use; what it has signed is refused from now on.",
                options: [StandardOptions.json], arguments: [CatalogueOptions.bundle, key],
                examples: [Example("One", "till offer-keys revoke com.example.app ABCDE12345")], exitCodes: exits,
                action: { arguments, context in
                    let revoked = try await AdminConnection.withStore(arguments, context) {
                        try await $0.ask("DELETE", "\(path(arguments))/\(arguments[key])", as: OfferKeyMessage.self)
                    }
                    if arguments[StandardOptions.json] { return try context.printJSON(revoked) }
                    context.print(line(revoked))
                }),
        ])

    private static func path(_ arguments: ParsedArguments) -> String {
        "\(CatalogueOptions.path(arguments[CatalogueOptions.bundle]))/offer-keys"
    }

    private static func line(_ key: OfferKeyMessage) -> String {
        "\(key.keyId): \(PrintableText(key.name, limit: 100)), made \(key.createdAt)"
            + (key.revokedAt.map { ", revoked \($0)" } ?? "")
    }

    private static func add(_ pem: String?, _ arguments: ParsedArguments, _ context: CommandContext) async throws {
        let wanted = OfferKeyRequest(name: arguments[name], keyId: arguments[keyID], publicKey: pem)
        let made = try await AdminConnection.withStore(arguments, context) {
            try await $0.ask("POST", path(arguments), wanted, as: OfferKeyMessage.self)
        }
        if arguments[StandardOptions.json] { return try context.printJSON(made) }
        guard let secret = made.privateKey else { return context.print(line(made)) }
        // The key alone is the output, so that it can go into a file.
        context.printError("key id \(made.keyId); its private half is printed this once")
        context.print(secret.trimmingCharacters(in: .newlines))
    }
}

/// `till offers sign`
enum OfferSignCommand {
    private static let offer = Argument<String>.required(.text("OFFER"), help: "The id of the offer.")
    private static let keyID = Option<String>.required("key-id", .text("KEY"), help: "The id of the key.")
    private static let file = Option<String>.required(
        "key", .text("FILE"), help: "The file with the private key, in PEM.")
    private static let account = Option<String>.defaulted(
        "account", .text("TEXT"), to: "", help: "The app account token or user name of the payment.")
    private static let nonce = Option<String?>.optional("nonce", .text("UUID"), help: "The nonce; drawn if left out.")
    private static let timestamp = Option<Int?>.optional(
        "timestamp", .integer("MILLISECONDS", in: 0...Int.max / 2), help: "When it is signed; now if left out.")

    /// What `SKPaymentDiscount` is made of.
    private struct Signed: Encodable {
        let offerId: String
        let keyId: String
        let nonce: String
        let signature: String
        let timestamp: Int64
    }

    static let command = Command<TillProgram.Action>(
        "sign", "Sign a promotional offer as a developer's server does, for tests.",
        discussion: "It prints what SKPaymentDiscount is made of, as JSON.",
        options: [keyID, file, account, nonce, timestamp],
        arguments: [CatalogueOptions.bundle, CatalogueOptions.product, offer],
        examples: [
            Example(
                "One",
                "till offers sign com.example.app com.example.app.club spring --key-id ABCDE12345 --key offers.pem")
        ],
        exitCodes: [.inputMissing.when("The file of the key cannot be read."), .badData.when("It has no such key.")],
        action: { arguments, context in
            let pem = String(decoding: try InputFile.read(arguments[file], limit: 1 << 16), as: UTF8.self)
            guard let key = try? PrivateKey(pemRepresentation: pem), key.algorithm == .p256 else {
                throw CommandFailure(.badData, "\(arguments[file]) has no private key of the curve P-256, in PEM")
            }
            guard let nonce = arguments[nonce].map({ UUID(uuidString: $0) }) ?? UUID() else {
                throw CommandFailure(.badData, "the nonce is a UUID")
            }
            let instant =
                arguments[timestamp].map { Instant(millisecondsSinceEpoch: Int64($0)) } ?? SystemClock.now()
            let signed = PromotionalOffer(
                bundleID: arguments[CatalogueOptions.bundle].text, keyID: arguments[keyID],
                productID: arguments[CatalogueOptions.product].text, offerID: arguments[offer],
                accountToken: arguments[account], nonce: nonce, timestamp: instant)
            try context.printJSON(
                Signed(
                    offerId: signed.offerID, keyId: signed.keyID, nonce: nonce.uuidString.lowercased(),
                    signature: signed.signature(by: key), timestamp: instant.millisecondsSinceEpoch))
        })
}
