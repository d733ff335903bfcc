package import StoreModel

/// Something to be told to somebody outside, in the order in which it happened.
package struct OutboxMessage: Hashable, Sendable {
    /// Who is told, such as `notifications/1234`. Messages of one stream are delivered one after the other.
    package let stream: String
    /// Counts from 1 within the stream, without gaps.
    package let number: Int64
    package let content: [UInt8]
    /// When it was written, by the clock of the stream.
    package let writtenAt: Instant
    /// Whether it was given up instead of delivered, and why.
    package let failure: String?
}
