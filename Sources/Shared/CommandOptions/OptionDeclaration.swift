/// An option without its type: what help, completion and the parser need to know of it.
///
/// The one conforming type is ``Option``; the protocol lets options of different types stand in one list.
package protocol OptionDeclaration: Sendable {
    /// The long name, without dashes.
    var name: String { get }
    /// The letter of the short form, if it has one.
    var short: Character? { get }
    /// What stands for the value in help; nil for a flag, which takes none.
    var placeholder: String? { get }
    var help: String { get }
    /// What a good value is; nil where the placeholder says it all.
    var explainedRule: String? { get }
    var defaultText: String? { get }
    /// The variable that gives the value when the command line does not.
    var environment: String? { get }
    var completion: ValueCompletion { get }
    var isRequired: Bool { get }
    var isRepeated: Bool { get }

    /// The value of all texts that were given, or of none of them.
    ///
    /// - Returns: nil when there is no text and there has to be one.
    func anyValue(of texts: [String]) throws -> (any Sendable)?
}

extension OptionDeclaration {
    /// The name as one types it: `--data`.
    package var longForm: String { "--\(name)" }
}
