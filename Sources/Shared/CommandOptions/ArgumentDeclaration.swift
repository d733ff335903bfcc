/// A positional argument without its type; the one conforming type is ``Argument``.
package protocol ArgumentDeclaration: Sendable {
    /// The name in help, in capitals: `FILE`.
    var name: String { get }
    var help: String { get }
    /// What a good value is; nil where the name says it all.
    var explainedRule: String? { get }
    var defaultText: String? { get }
    var completion: ValueCompletion { get }
    /// How many there must be at least: none or one.
    var isRequired: Bool { get }
    /// Whether it takes every argument that is left.
    var takesRest: Bool { get }

    /// The value of the texts that fell to it.
    ///
    /// - Returns: nil when there is no text and there has to be one.
    func anyValue(of texts: [String]) throws -> (any Sendable)?
}
