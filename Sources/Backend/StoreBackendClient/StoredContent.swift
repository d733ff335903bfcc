public import Foundation

/// Content that lies on this device, complete and as the server has it.
public struct StoredContent: Hashable, Sendable {
    /// The product it belongs to.
    public let productID: String
    /// Its version.
    public let version: String
    /// The file.
    public let file: URL
    /// The size of the file.
    public let bytes: Int64
}

/// How far a download has come.
public struct DeliveryProgress: Hashable, Sendable {
    /// How many bytes are on the disk.
    public let receivedBytes: Int64
    /// How many there will be.
    public let totalBytes: Int64

    /// The part that is there, from 0 to 1.
    public var fraction: Double { totalBytes > 0 ? Double(receivedBytes) / Double(totalBytes) : 1 }
}
