/// What other threads ask of the client's thread.
enum LoopCommand: Sendable {
    case begin(Exchange)
    /// Ends an exchange; ignored if it has ended.
    case cancel(Exchange)
    /// What an exchange had to wait for is there.
    case wake(Exchange)
}
