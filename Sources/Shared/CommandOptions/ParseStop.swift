/// Why parsing ended without a command to run.
enum ParseStop: Error {
    case help
    case version
    case failure(UsageError)
}
