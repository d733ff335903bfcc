/// An identifier that is a number, written as a decimal string.
///
/// Numbers are 0 to `Int64.max`, so that every database can hold them; text has no sign, spaces or leading zeros.
public protocol NumericIdentifier: StoreIdentifier, Comparable {
    /// The number.
    var number: Int64 { get }

    /// An identifier by its number; a negative number is refused.
    init(number: Int64) throws(InvalidValue)
}

extension NumericIdentifier {
    /// Reads a decimal number.
    public init(parsing text: some StringProtocol) throws(InvalidValue) {
        var reader = TextReader(text)
        guard let number = reader.number(), reader.isAtEnd else {
            throw InvalidValue(subject: Self.subject, value: text, rule: Self.rule(brokenBy: text))
        }
        try self.init(number: number)
    }

    /// The number in decimal.
    public var description: String { String(number) }

    /// Orders identifiers by number.
    public static func < (lower: Self, higher: Self) -> Bool { lower.number < higher.number }

    /// Returns a number that is in bounds.
    static func checked(_ number: Int64) throws(InvalidValue) -> Int64 {
        guard number >= 0 else {
            throw InvalidValue(.outOfRange, subject: subject, value: String(number), rule: "is not negative")
        }
        return number
    }

    /// A bundle id in place of the number is a common mistake, which the error names.
    private static func rule(brokenBy text: some StringProtocol) -> String {
        let isBundleID = text.contains(".") && (try? BundleID(parsing: text)) != nil
        return isBundleID
            ? "is a decimal number; this is a bundle id, and the store's number stands beside it in the console"
            : "is a decimal number up to \(Int64.max), without sign, spaces or leading zeros"
    }
}

/// The number of an app in the store, as in links to its page.
public struct AppID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "app id"

    /// The number.
    public let number: Int64

    /// An app id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The id of a customer's download of an app: the same for one customer and app, whatever they buy in it.
public struct AppTransactionID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "app transaction id"

    /// The number.
    public let number: Int64

    /// An app transaction id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The number of one version of an app in the store.
public struct AppVersionID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "app version id"

    /// The number.
    public let number: Int64

    /// An app version id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The number of a customer in one environment.
public struct CustomerID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "customer id"

    /// The number.
    public let number: Int64

    /// A customer id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The number of a registered device in one environment.
public struct DeviceID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "device id"

    /// The number.
    public let number: Int64

    /// A device id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The number of anything else in the store's catalogue: a product of an app, a song, a book.
public struct ItemID: CatalogueIdentifier {
    /// What it is called in errors.
    public static let subject = "item id"

    /// The number.
    public let number: Int64

    /// An item id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The number of a purchase, with or without a transaction.
public struct PurchaseID: NumericIdentifier {
    /// What it is called in errors.
    public static let subject = "purchase id"

    /// The number.
    public let number: Int64

    /// A purchase id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The id of a transaction, also of the original one of a subscription or restore.
public struct TransactionID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "transaction id"

    /// The number.
    public let number: Int64

    /// A transaction id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}

/// The id of one period of a subscription: each renewal has a new one, on every device the same.
public struct WebOrderLineItemID: EnvironmentIdentifier {
    /// What it is called in errors.
    public static let subject = "web order line item id"

    /// The number.
    public let number: Int64

    /// A line item id by its number; a negative number is refused.
    public init(number: Int64) throws(InvalidValue) {
        self.number = try Self.checked(number)
    }
}
