extension AppReceipt {
    /// Reads what a receipt says without judging whether it is genuine. For those who look at it, never for those who
    /// believe it.
    package init(unverified bytes: [UInt8]) throws {
        try self.init(reading: SignedContainer(bytes).payload)
    }
}
