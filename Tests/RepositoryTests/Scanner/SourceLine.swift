/// One line of a source text and its parts.
struct SourceLine: Sendable {
    let number: Int
    let text: String
    let code: String
    let comment: String
    let literal: String

    var trimmedCode: String { code.trimmingSpaces }
    var trimmedComment: String { comment.trimmingSpaces }

    /// The comment without its slashes and stars, and whether it documents a declaration.
    var commentBody: (text: String, isDocumentation: Bool) {
        let comment = trimmedComment
        let isDocumentation = comment.hasPrefix("///") || comment.hasPrefix("/**")
        return (String(comment.drop { "/*".contains($0) }).trimmingSpaces, isDocumentation)
    }
}

extension StringProtocol {
    var trimmingSpaces: String {
        let start = drop { $0.isWhitespace }
        let length = start.reversed().drop { $0.isWhitespace }.count
        return String(start.prefix(length))
    }

    /// The runs of letters and digits.
    var alphanumericWords: [SubSequence] { split { !$0.isLetter && !$0.isNumber } }
}
