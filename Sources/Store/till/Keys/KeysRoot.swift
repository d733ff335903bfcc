import CommandOptions
import Foundation
import StoreModel
import StoreSigning

/// `till keys root`
enum KeysRoot {
    static let purpose = Option<ChainPurpose>.defaulted(
        "purpose", .choice("PURPOSE", of: ChainPurpose.self), to: .jws, help: "The chain: jws or receipt.")
    static let pem = Option<Bool>.flag("pem", help: "Write PEM, which is text; this is the default.")
    static let der = Option<Bool>.flag("der", help: "Write DER, which is binary.")
    static let all = Option<Bool>.flag("all", help: "Every root that still verifies something, newest last; PEM only.")
    static let output = Option<String?>.optional(
        "output", .file(), help: "Write to this file instead of standard output.")

    static let command = Command<TillProgram.Action>(
        "root", "Write the root certificate that whoever verifies needs.",
        discussion: "Roots are public. Apple's server libraries take one in DER as their root certificate.",
        options: [KeysOptions.requiredEnvironment, purpose, pem, der, all, output],
        rules: [.atMostOne(pem, der), .atMostOne(der, all)],
        examples: [
            Example(
                "For a server that verifies sandbox purchases",
                "till keys root --environment sandbox --der --output sandbox-root.der"),
            Example("Look at it", "till keys root --environment production | openssl x509 -noout -text"),
        ],
        exitCodes: [
            .inputMissing.when("There are no keys."), .cannotCreate.when("The file cannot be written."),
            .configuration.when("The key store is damaged."),
        ],
        seeAlso: ["till keys show"],
        action: run)

    private static func run(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let bytes = try content(arguments)
        if let path = arguments[output] {
            try write(bytes, to: path, besides: KeysOptions.store(arguments).path)
        } else if arguments[der], context.outputIsTerminal {
            throw CommandFailure(.usage, "DER is binary; send it to a file with --output FILE or a pipe")
        } else {
            context.write(bytes)
        }
    }

    /// Replaces a file as a whole. What is no file, such as `/dev/stdout`, is written to and never replaced, and among the
    /// keys nothing is written, for a slip there would cost a key.
    private static func write(_ bytes: [UInt8], to path: String, besides keys: String) throws {
        let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
        guard !(folder + "/").hasPrefix(URL(fileURLWithPath: keys).resolvingSymlinksInPath().path + "/") else {
            throw CommandFailure(.usage, "--output must not be among the keys, in \(keys)")
        }
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        let isReplaced = type == nil || type == .typeRegular
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: isReplaced ? .atomic : [])
        } catch {
            throw CommandFailure(.cannotCreate, "\(path) cannot be written")
        }
    }

    private static func content(_ arguments: ParsedArguments) throws -> [UInt8] {
        let store = KeysOptions.store(arguments)
        let environment = arguments[KeysOptions.requiredEnvironment]
        let keyring = try store.keyring(environment)
        let chain = arguments[purpose]
        if arguments[all] {
            let roots = keyring.entries.filter { $0.purpose == chain && $0.role == .root && $0.revokedAt == nil }
            return try roots.flatMap { try Array(store.certificate($0, of: environment).pemRepresentation.utf8) }
        }
        let root = try store.certificate(keyring.current(chain, .root), of: environment)
        return try arguments[der] ? root.derRepresentation : Array(root.pemRepresentation.utf8)
    }
}
