import Foundation
package import StoreModel
package import StoreSigning

/// What a device proves itself to the store with: a key of the app's own, and the names of device and vendor.
package struct DeviceIdentity: Sendable {
    package let key: PrivateKey
    /// Stands for the device in receipts. It is made of the machine and the vendor, so that a copied folder is noticed.
    package let device: UUID
    /// What the apps of one vendor share.
    package let vendor: UUID

    private static let keyFile = "device.pem"
    private static let machineFile = "machine-id"

    /// The identity of an app on this device; a new key where there is none.
    ///
    /// - Parameters:
    ///   - folder: the folder of the app; it is there.
    ///   - machine: what the system calls the machine, if it does.
    package init(of app: BundleID, in folder: String, machine: String?) throws {
        key = try Self.key(in: folder)
        let machine = try machine ?? Self.machine(in: folder)
        let vendor = app.text.split(separator: ".").dropLast().joined(separator: ".")
        let code = try AuthenticationCode(secret: machine.utf8)
        device = Self.uuid(try code.code(of: "till-device\n\(vendor)\n".utf8))
        self.vendor = Self.uuid(try code.code(of: "till-vendor\n\(vendor)\n".utf8))
    }

    /// What systemd and D-Bus call this machine.
    package static func systemMachine() -> String? {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if name.utf8.count >= 32 { return name }
        }
        return nil
    }

    private static func key(in folder: String) throws -> PrivateKey {
        let path = folder + "/" + keyFile
        if let pem = try? String(contentsOfFile: path, encoding: .utf8) {
            return try PrivateKey(pemRepresentation: pem)
        }
        let fresh = try PrivateKey.p256().pemRepresentation()
        return try PrivateKey(pemRepresentation: PrivateFile.create(path, with: fresh))
    }

    /// A name of our own where the system has none for the machine.
    private static func machine(in folder: String) throws -> String {
        try PrivateFile.create(folder + "/" + machineFile, with: UUID().uuidString)
    }

    /// A UUID of the eighth version, which is for hashes, from the beginning of a hash.
    private static func uuid(_ hash: [UInt8]) -> UUID {
        var bytes = Array(hash.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
