/// One of the named values of a field on the wire, open to values that come later.
///
/// A value that is not known here is kept as it came and written back unchanged: a store or server that is newer than
/// this program loses nothing on the way through. So switch over known values with a default, or ask ``isKnown``.
public protocol WireValue: RawRepresentable, Codable, CustomStringConvertible, Hashable, Sendable
where RawValue: Codable & CustomStringConvertible & Hashable & Sendable {
    /// The values that this version knows.
    static var known: Set<Self> { get }

    /// Any value, known or not.
    init(rawValue: RawValue)
}

extension WireValue {
    /// Whether this version knows the value.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The value as it is on the wire.
    public var description: String { rawValue.description }
}
