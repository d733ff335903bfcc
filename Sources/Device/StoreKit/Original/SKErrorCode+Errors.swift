// The target beside this one, where C declares the type, cannot know of errors in Swift.
// swift-format-ignore: AvoidRetroactiveConformances
extension SKErrorCode: @retroactive _ErrorCodeProtocol {
    /// The errors that these codes belong to.
    public typealias _ErrorType = SKError
}

extension SKErrorCode {
    /// The code of a number, whether it has a name or not.
    init(_ number: Int) {
        self = SKErrorCode(rawValue: number) ?? .unknown
    }
}
