/// What a shell may offer where a value is expected.
package enum ValueCompletion: Hashable, Sendable {
    case nothing
    case words([String])
    case files
    case directories
}
