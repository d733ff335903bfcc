/// Why a purchase of an ``AdvancedCommerceProduct`` was refused. This store sells none, so nothing fails with it.
public struct InvalidRequestError: Error, Sendable {
    /// What the refusal is known by.
    public let code: Int64
    /// What is wrong with the request.
    public let message: String
}
