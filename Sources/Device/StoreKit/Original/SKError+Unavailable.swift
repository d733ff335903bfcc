extension SKError {
    /// What the parts answer that need something of the store which it does not have yet.
    static var unavailable: SKError {
        SKError(.unsupportedPlatform, userInfo: [reasonKey: "not_available"])
    }
}
