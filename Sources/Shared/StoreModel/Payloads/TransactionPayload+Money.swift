extension TransactionPayload {
    /// The price as money; nil where it is absent, in a currency that is not known, or no whole number of its minor
    /// units.
    public var amount: Money? {
        guard let price, let currency = currency?.currency else { return nil }
        return try? Money(milliunits: price, currency: currency)
    }
}
