/// A number whose range tells the environment it was made in, as it does in the App Store.
///
/// Numbers outside both ranges, made by another store or long ago, are valid and belong to no environment of ours: they
/// survive a round trip, and ``environment`` is nil.
public protocol EnvironmentIdentifier: NumericIdentifier {}

extension EnvironmentIdentifier {
    /// The numbers an environment gives out.
    ///
    /// Sandbox numbers have 16 digits and start with 2, the first thousand million of them with 2000000; production
    /// numbers have 15 digits.
    public static func numbers(in environment: StoreEnvironment) -> ClosedRange<Int64> {
        switch environment {
        case .production: 170_000_000_000_000...999_999_999_999_999
        case .sandbox: 2_000_000_000_000_000...2_999_999_999_999_999
        }
    }

    /// The environment this number was made in; nil for a foreign number.
    public var environment: StoreEnvironment? {
        StoreEnvironment.allCases.first { Self.numbers(in: $0).contains(number) }
    }
}
