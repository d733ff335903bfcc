import Foundation
import StoreModel

/// The files of one environment: a keyring, and for every certificate it lists a `.pem` and a `.key`.
struct KeyringFolder: Sendable {
    let environment: StoreEnvironment
    private let keys: String
    private let path: String

    init(keys: String, environment: StoreEnvironment) {
        self.init(keys: keys, environment: environment, path: keys + "/" + environment.rawValue)
    }

    private init(keys: String, environment: StoreEnvironment, path: String) {
        self.keys = keys
        self.environment = environment
        self.path = path
    }

    /// Fills a folder beside this one and renames it, so a folder of keys without a keyring is always damaged and never
    /// one in the making.
    func create(_ fill: (KeyringFolder) throws -> Void) throws {
        try beginDraft(fill).put()
    }

    /// A folder of keys that is filled and not yet in its place.
    struct Draft: Sendable {
        fileprivate let path: String
        fileprivate let destination: String

        func put() throws { try PrivateFile.moveFolder(path, to: destination) }

        func discard() { try? FileManager.default.removeItem(atPath: path) }
    }

    func beginDraft(_ fill: (KeyringFolder) throws -> Void) throws -> Draft {
        let draft = KeyringFolder(keys: keys, environment: environment, path: path + ".new")
        // A draft that a crash left behind is useless.
        try? FileManager.default.removeItem(atPath: draft.path)
        try PrivateFile.makeFolder(draft.path)
        do {
            try fill(draft)
        } catch {
            try? FileManager.default.removeItem(atPath: draft.path)
            throw error
        }
        return Draft(path: draft.path, destination: path)
    }

    func certificatePath(_ entry: Keyring.Entry) -> String { "\(path)/\(entry.fileName).pem" }
    func keyPath(_ entry: Keyring.Entry) -> String { "\(path)/\(entry.fileName).key" }
    private var keyringPath: String { path + "/keyring.json" }

    /// The keyring, or nil if the environment has no keys yet.
    func readKeyring() throws -> Keyring? {
        for folder in [keys, path] { try PrivateFile.requireClosedFolder(folder) }
        guard let bytes = try PrivateFile.read(keyringPath, secret: false, limit: SigningLimits.keyringBytes) else {
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            throw SigningError(.keyStore, "\(keyringPath) is missing, though its folder is there; bring it back")
        }
        let keyring: Keyring
        do {
            keyring = try JSONDecoder().decode(Keyring.self, from: Data(bytes))
        } catch {
            throw SigningError(.keyStore, "\(keyringPath) is damaged: \(error.reason)")
        }
        guard keyring.format == Keyring.currentFormat else {
            throw SigningError(
                .keyStore, "\(keyringPath) has the form \(keyring.format), which this version does not know")
        }
        guard keyring.entries.allSatisfy({ Keyring.numbers.contains($0.number) }) else {
            throw SigningError(.keyStore, "\(keyringPath) is damaged: a certificate has an impossible number")
        }
        // A revocation under an impossible fingerprint would have no effect.
        guard keyring.entries.allSatisfy({ Hexadecimal.decode($0.fingerprint)?.count == 32 }) else {
            throw SigningError(.keyStore, "\(keyringPath) is damaged: a certificate has an impossible fingerprint")
        }
        guard keyring.environment == environment else {
            throw SigningError(.keyStore, "\(keyringPath) is the keyring of another environment")
        }
        return keyring
    }

    func requireKeyring() throws -> Keyring {
        guard let keyring = try readKeyring() else {
            throw SigningError(
                .keyStoreMissing, "there are no \(environment.rawValue) keys; make them with: till keys init")
        }
        return keyring
    }

    /// Writes the keyring, which puts everything it lists into effect.
    func write(_ keyring: Keyring) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes = try Array(encoder.encode(keyring))
        guard bytes.count <= SigningLimits.keyringBytes else {
            throw SigningError(.tooLarge, "\(keyringPath) would exceed \(SigningLimits.keyringBytes) bytes")
        }
        try PrivateFile.write(bytes, to: keyringPath)
    }

    func write(_ issued: IssuedCertificate, as entry: Keyring.Entry, passphrase: [UInt8]?) throws {
        try PrivateFile.write(Array(issued.key.pemRepresentation(passphrase: passphrase).utf8), to: keyPath(entry))
        try PrivateFile.write(Array(issued.certificate.pemRepresentation.utf8), to: certificatePath(entry))
    }

    func readCertificate(_ entry: Keyring.Entry) throws -> Certificate {
        let path = certificatePath(entry)
        guard let bytes = try PrivateFile.read(path, secret: false) else {
            throw SigningError(.keyStore, "\(path) is missing")
        }
        let certificate = try naming(path) {
            try Certificate(pemRepresentation: String(decoding: bytes, as: UTF8.self))
        }
        guard try Hexadecimal.encode(certificate.fingerprint) == entry.fingerprint else {
            throw SigningError(.keyStore, "\(path) is not the certificate that the keyring lists")
        }
        return certificate
    }

    func readKey(_ entry: Keyring.Entry, passphrase: [UInt8]?) throws -> PrivateKey {
        let text = try readKeyText(entry)
        return try naming(keyPath(entry)) { try PrivateKey(pemRepresentation: text, passphrase: passphrase) }
    }

    /// Removes the files of a certificate that the keyring does not list any more.
    func remove(_ entry: Keyring.Entry) {
        for path in [keyPath(entry), certificatePath(entry)] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Root keys may be kept elsewhere until they are needed.
    func hasKeyFile(_ entry: Keyring.Entry) -> Bool {
        FileManager.default.fileExists(atPath: keyPath(entry))
    }

    func isProtected(_ entry: Keyring.Entry) throws -> Bool {
        try PrivateKey.isEncrypted(readKeyText(entry))
    }

    func readIssued(_ entry: Keyring.Entry, passphrase: [UInt8]?) throws -> IssuedCertificate {
        let issued = try IssuedCertificate(
            certificate: readCertificate(entry), key: readKey(entry, passphrase: passphrase))
        guard try issued.key.publicKey.derRepresentation == issued.certificate.publicKey.derRepresentation else {
            throw SigningError(.keyStore, "\(keyPath(entry)) is not the key of its certificate")
        }
        return issued
    }

    func readKeyText(_ entry: Keyring.Entry) throws -> String {
        let path = keyPath(entry)
        guard let bytes = try PrivateFile.read(path, secret: true) else {
            throw SigningError(.keyStore, "\(path) is missing; if it is kept elsewhere, bring it back for this")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The error for a file that could not be read, with its path. Anything but a wrong passphrase is damage.
    private func naming<Content>(_ path: String, _ read: () throws -> Content) throws -> Content {
        do {
            return try read()
        } catch let error as SigningError where error.code == .wrongPassphrase {
            throw SigningError(.wrongPassphrase, "\(path): \(error.message)")
        } catch {
            throw SigningError(.keyStore, "\(path) is damaged: \(error)")
        }
    }
}
