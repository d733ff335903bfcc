/// What a purchase is called where people see it.
public struct AdvancedCommerceDescriptors: Codable, Hashable, Sendable {
    /// Its name.
    public var displayName: String
    /// What it is, in a sentence.
    public var description: String

    /// Makes one from its fields; what is left out is absent on the wire.
    public init(
        displayName: String,
        description: String
    ) {
        self.displayName = displayName
        self.description = description
    }
}
