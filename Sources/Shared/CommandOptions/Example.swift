/// A command line worth copying, and what it is for.
package struct Example: Hashable, Sendable {
    /// What the reader wants, without a full stop: "Keys for the sandbox alone".
    package let purpose: String
    /// The whole line as one would type it.
    package let line: String

    package init(_ purpose: String, _ line: String) {
        self.purpose = purpose
        self.line = line
    }
}
