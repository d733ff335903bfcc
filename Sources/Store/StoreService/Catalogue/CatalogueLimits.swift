/// The limits of the catalogue. Those of the App Store, where it has any, stand in brackets: what it takes, we take.
package enum CatalogueLimits {
    /// The name of an app, in characters (30).
    package static let appName = 100
    /// What a developer calls a product, in characters (64).
    package static let referenceName = 100
    /// The title of a product, in characters (30).
    package static let title = 100
    /// The description of a product, in characters (45, of subscriptions 55).
    package static let description = 500
    /// The tag of a language, in characters.
    package static let language = 35
    /// Languages of one product (50 or so).
    package static let languages = 100
    /// Products of one app, those that were removed too (10 000).
    package static let products = 10_000
    /// A price in minor units. Ten of it still make a sum.
    package static let price: Int64 = 1_000_000_000_000
    /// Ids of one request for which the sandbox looks for what was probably meant.
    package static let guesses = 4
    /// Ids that such a guess is chosen from.
    package static let guessedFrom = 200
}
