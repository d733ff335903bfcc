/// What holds between the options of one command.
package struct OptionRule: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case atMostOne
        case exactlyOne
        /// The first needs the others.
        case needs
    }

    let kind: Kind
    let names: [String]

    /// Options that exclude each other.
    ///
    /// One on the command line also outweighs what the environment says of the others.
    package static func atMostOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(kind: .atMostOne, names: options.map(\.name))
    }

    /// Options of which one, and no second, has to be given.
    package static func exactlyOne(_ options: any OptionDeclaration...) -> OptionRule {
        OptionRule(kind: .exactlyOne, names: options.map(\.name))
    }

    /// An option that makes no sense without another.
    package static func option(
        _ option: any OptionDeclaration, needs other: any OptionDeclaration
    ) -> OptionRule {
        OptionRule(kind: .needs, names: [option.name, other.name])
    }
}

extension OptionRule {
    /// The options that may not be given beside one of this name.
    func namesExcluded(by name: String) -> [String] {
        guard kind != .needs, names.contains(name) else { return [] }
        return names.filter { $0 != name }
    }
}
