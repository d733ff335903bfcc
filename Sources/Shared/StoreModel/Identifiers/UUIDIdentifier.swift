public import Foundation

/// An identifier that is a UUID, written in lower case.
///
/// Upper case is read too, because clients differ; what is written is always lower case.
public protocol UUIDIdentifier: StoreIdentifier {
    /// The UUID.
    var uuid: UUID { get }

    /// An identifier by its UUID.
    init(_ uuid: UUID)
}

extension UUIDIdentifier {
    /// Reads the form with hyphens, of 36 characters.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else {
            throw InvalidValue(subject: Self.subject, value: text, rule: "is a UUID with hyphens, of 36 characters")
        }
        self.init(uuid)
    }

    /// The form with hyphens, in lower case.
    public var description: String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { buffer in
                var writer = FixedWriter(buffer: buffer)
                for (position, byte) in bytes.enumerated() {
                    if [4, 6, 8, 10].contains(position) { writer.put("-") }
                    writer.put(hexadecimal: byte)
                }
                return writer.count
            }
        }
    }
}

/// The UUID with which an app links purchases to an account of its own.
public struct AppAccountToken: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "app account token"

    /// The UUID.
    public let uuid: UUID

    /// A token by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The UUID hashed into a device verification value.
public struct DeviceVerificationNonce: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "device verification nonce"

    /// The UUID.
    public let uuid: UUID

    /// A nonce by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The UUID of a notification to a developer's server, the same in every attempt to deliver it.
public struct NotificationID: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "notification id"

    /// The UUID.
    public let uuid: UUID

    /// An id by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The UUID that a device gives a purchase before its first request, so a repeated request does not buy twice.
public struct PurchaseKey: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "purchase key"

    /// The UUID.
    public let uuid: UUID

    /// A key by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}
