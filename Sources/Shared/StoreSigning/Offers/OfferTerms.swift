/// The claims that one kind of offer token adds to those all have.
package protocol OfferTerms: Codable, Hashable, Sendable {
    /// The `aud` by which the kinds are told apart.
    static var audience: String { get }
}
