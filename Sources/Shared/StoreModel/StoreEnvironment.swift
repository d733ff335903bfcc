/// The two worlds of a store: real customers and real money, or testers and test money.
///
/// Accounts, transactions, keys and databases never cross from one to the other. There is no third environment and no
/// value that switches verification off: a test store is a sandbox with keys of its own.
public enum StoreEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    case production
    case sandbox
}
