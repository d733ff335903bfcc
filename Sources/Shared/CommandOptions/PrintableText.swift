/// Text of unknown origin, made fit for a terminal: no control characters, no tricks of direction, never long.
package struct PrintableText: CustomStringConvertible {
    package let description: String

    /// - Parameter limit: how many Unicode scalars are shown before the text is cut.
    package init(_ text: String, limit: Int = 80) {
        var result = ""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            if index == limit {
                result += "…"
                break
            }
            if Self.isHarmless(scalar) {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        description = result
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: false
        default: true
        }
    }
}
