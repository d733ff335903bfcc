/// The two worlds of a store: real customers and real money, or testers and test money.
///
/// Accounts, transactions, keys and databases never cross from one to the other. There is no third environment and no
/// value that switches verification off: a test store is a sandbox with keys of its own.
// Closed: a third environment would be a value that some verification does not know, and so switches off.
public enum StoreEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    /// Real customers, real money, the system's clock.
    case production
    /// Testers, test money, a clock that can be moved.
    case sandbox
}
