package import StoreModel

extension Instant: ColumnValue {
    /// Kept as milliseconds since 1970.
    package var databaseValue: DatabaseValue { .integer(millisecondsSinceEpoch) }

    package init(databaseValue: DatabaseValue) throws {
        self.init(millisecondsSinceEpoch: try Int64(databaseValue: databaseValue))
    }
}

extension ColumnValue where Self: NumericIdentifier {
    /// Kept as a number.
    package var databaseValue: DatabaseValue { .integer(number) }

    package init(databaseValue: DatabaseValue) throws {
        let number = try Int64(databaseValue: databaseValue)
        self = try checked { () throws(InvalidValue) in try Self(number: number) }
    }
}

extension ColumnValue where Self: TextIdentifier {
    /// Kept as its text.
    package var databaseValue: DatabaseValue { .text(text) }

    package init(databaseValue: DatabaseValue) throws {
        let text = try String(databaseValue: databaseValue)
        self = try checked { () throws(InvalidValue) in try Self(parsing: text) }
    }
}

extension ColumnValue where Self: UUIDIdentifier {
    /// Kept as its text, in lower case.
    package var databaseValue: DatabaseValue { .text(description) }

    package init(databaseValue: DatabaseValue) throws {
        let text = try String(databaseValue: databaseValue)
        self = try checked { () throws(InvalidValue) in try Self(parsing: text) }
    }
}

/// Values that later versions know are kept as they came.
extension ColumnValue where Self: WireValue, RawValue: ColumnValue {
    package var databaseValue: DatabaseValue { rawValue.databaseValue }

    package init(databaseValue: DatabaseValue) throws {
        self.init(rawValue: try RawValue(databaseValue: databaseValue))
    }
}

extension StoreEnvironment: ColumnValue {
    package var databaseValue: DatabaseValue { .text(rawValue) }

    package init(databaseValue: DatabaseValue) throws {
        guard let environment = StoreEnvironment(rawValue: try String(databaseValue: databaseValue)) else {
            throw DatabaseError.unexpected(databaseValue, insteadOf: "an environment")
        }
        self = environment
    }
}

/// Kept as its code of three letters.
extension Currency: ColumnValue {
    package var databaseValue: DatabaseValue { .text(code) }

    package init(databaseValue: DatabaseValue) throws {
        let code = try String(databaseValue: databaseValue)
        self = try checked { () throws(InvalidValue) in try Currency(code: code) }
    }
}

/// Kept in its ISO 8601 form.
extension BillingPeriod: ColumnValue {
    package var databaseValue: DatabaseValue { .text(description) }

    package init(databaseValue: DatabaseValue) throws {
        let text = try String(databaseValue: databaseValue)
        self = try checked { () throws(InvalidValue) in try BillingPeriod(parsing: text) }
    }
}

extension Row {
    /// An amount in two columns: the minor units, and after them the currency.
    package func money(_ column: Int) throws -> Money {
        Money(minorUnits: try value(column), currency: try value(column + 1))
    }
}

extension RowCells {
    /// An amount from two columns: the minor units, and after them the currency.
    package mutating func nextMoney() throws -> Money {
        Money(minorUnits: try next(), currency: try next())
    }

    /// An amount from two columns that are both NULL if there is none.
    package mutating func nextMoneyIfAny() throws -> Money? {
        guard let minorUnits = try next(as: Int64?.self) else {
            skip()
            return nil
        }
        return Money(minorUnits: minorUnits, currency: try next())
    }
}

extension AppAccountToken: ColumnValue {}
extension AppID: ColumnValue {}
extension AppTransactionID: ColumnValue {}
extension AppVersionID: ColumnValue {}
extension BundleID: ColumnValue {}
extension ChargeID: ColumnValue {}
extension ConsumptionDeliveryStatus: ColumnValue {}
extension ConsumptionRefundPreference: ColumnValue {}
extension CountedIdentifier: ColumnValue {}
extension CustomerEventKind: ColumnValue {}
extension CustomerID: ColumnValue {}
extension DeviceID: ColumnValue {}
extension DeviceVerificationNonce: ColumnValue {}
extension ExtendReasonCode: ColumnValue {}
extension ItemID: ColumnValue {}
extension NotificationID: ColumnValue {}
extension NotificationSubtype: ColumnValue {}
extension NotificationType: ColumnValue {}
extension OrderID: ColumnValue {}
extension OwnershipType: ColumnValue {}
extension ProductID: ColumnValue {}
extension ProductKind: ColumnValue {}
extension PurchaseID: ColumnValue {}
extension PurchaseKey: ColumnValue {}
extension RefundRequestReason: ColumnValue {}
extension RevocationReason: ColumnValue {}
extension SaleID: ColumnValue {}
extension SendAttemptResult: ColumnValue {}
extension StorefrontCode: ColumnValue {}
extension StorefrontID: ColumnValue {}
extension SubscriptionGroupID: ColumnValue {}
extension SubscriptionID: ColumnValue {}
extension TeamID: ColumnValue {}
extension TransactionID: ColumnValue {}
extension TransactionReason: ColumnValue {}
extension WebOrderLineItemID: ColumnValue {}

/// Reads a value, and says of a wrong one that the database holds it.
private func checked<Value>(_ make: () throws(InvalidValue) -> Value) throws -> Value {
    do {
        return try make()
    } catch {
        throw DatabaseError(.unexpectedValue, "a column holds no valid \(error.subject): it \(error.rule)")
    }
}
