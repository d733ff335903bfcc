public import Foundation

/// The UUID by which a developer's server finds its own request again in what came of it.
public struct RequestReferenceID: UUIDIdentifier {
    /// What it is called in errors.
    public static let subject = "request reference id"

    /// The UUID.
    public let uuid: UUID

    /// A reference by its UUID.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}
