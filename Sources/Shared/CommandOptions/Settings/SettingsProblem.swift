/// What is wrong with a settings file.
package struct SettingsProblem: Error, Hashable, Sendable {
    package let path: String
    /// The line it is about, counted from one; nil where it is the whole file.
    package let line: Int?
    package let message: String
    /// What to do about it, if that can be told.
    package let advice: String?

    package init(path: String, line: Int? = nil, message: String, advice: String? = nil) {
        self.path = path
        self.line = line
        self.message = message
        self.advice = advice
    }
}

extension SettingsProblem: CustomStringConvertible {
    package var description: String {
        let place = line.map { "\(PrintableText(path)), line \($0)" } ?? PrintableText(path).description
        return ["\(place):", message, advice].compactMap { $0 }.joined(separator: " ")
    }
}
