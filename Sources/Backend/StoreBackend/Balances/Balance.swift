/// An amount with its name: what a user has left, or what a product credits.
public struct Balance: Codable, Hashable, Sendable {
    /// What is counted, such as `credits`.
    public var name: String
    /// How many.
    public var amount: Int64

    /// Makes an amount.
    public init(name: String, amount: Int64) {
        self.name = name
        self.amount = amount
    }
}
