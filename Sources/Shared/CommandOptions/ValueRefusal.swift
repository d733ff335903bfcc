/// A text that is no value of a format.
struct ValueRefusal: Error {
    let text: String
    let rule: String
    let isSecret: Bool
    /// The allowed words, when there are only a few.
    let words: [String]
}
