/// Who moves the money of production.
enum ProductionProcessor: String, CaseIterable, Sendable {
    /// Nobody: production cannot sell.
    case none
    /// Nobody either, but it looks like somebody: to try a store before it goes into operation.
    case test
}
