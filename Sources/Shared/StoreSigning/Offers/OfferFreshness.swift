package import StoreModel

/// How old a signed offer may be, in both of its forms.
package enum OfferFreshness {
    package static let lifetimeMilliseconds: Int64 = 24 * 60 * 60 * 1000

    /// Throws unless an offer signed at `instant` may still be used at `now`.
    package static func require(_ instant: Instant, at now: Instant) throws {
        guard instant <= now.adding(milliseconds: BearerToken.clockTolerance) else {
            throw SigningError(.expired, "the offer was signed in the future, at \(instant.rfc3339)")
        }
        guard now <= instant.adding(milliseconds: lifetimeMilliseconds) else {
            throw SigningError(.expired, "the offer was signed at \(instant.rfc3339), more than 24 hours ago")
        }
    }
}
