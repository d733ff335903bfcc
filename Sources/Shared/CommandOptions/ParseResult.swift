/// What a command line asks for.
package enum ParseResult<Action: Sendable>: Sendable {
    case run(Invocation<Action>)
    /// Help or a version, for standard output; the program then ends with ``ExitCode/success``.
    case text(String)
    /// Its description is for standard error; the program then ends with its exit code.
    case failure(UsageError)
}
