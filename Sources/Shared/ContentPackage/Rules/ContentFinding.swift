/// A rule that content has to keep, by the word that commands and the interface call it by.
package struct ContentRule: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    // The description of the content.
    package static let infoMissing = ContentRule(rawValue: "info_missing")
    package static let infoMalformed = ContentRule(rawValue: "info_malformed")
    package static let versionMissing = ContentRule(rawValue: "version_missing")
    package static let versionMalformed = ContentRule(rawValue: "version_malformed")
    package static let versionTooLow = ContentRule(rawValue: "version_too_low")
    package static let versionNotRaised = ContentRule(rawValue: "version_not_raised")
    package static let identifierMissing = ContentRule(rawValue: "identifier_missing")
    package static let identifierMalformed = ContentRule(rawValue: "identifier_malformed")
    package static let identifierMismatch = ContentRule(rawValue: "identifier_mismatch")

    // What there is.
    package static let contentsMissing = ContentRule(rawValue: "contents_missing")
    package static let contentsEmpty = ContentRule(rawValue: "contents_empty")
    package static let outsideContents = ContentRule(rawValue: "outside_contents")
    package static let kindRefused = ContentRule(rawValue: "kind_refused")
    package static let linkLeaves = ContentRule(rawValue: "link_leaves")
    package static let executableCode = ContentRule(rawValue: "executable_code")
    package static let executableBit = ContentRule(rawValue: "executable_bit")

    // Names.
    package static let pathUnsafe = ContentRule(rawValue: "path_unsafe")
    package static let nameUnsafe = ContentRule(rawValue: "name_unsafe")
    package static let nameNotUnicode = ContentRule(rawValue: "name_not_unicode")
    package static let pathTooLong = ContentRule(rawValue: "path_too_long")
    package static let tooDeep = ContentRule(rawValue: "too_deep")
    package static let nameCollision = ContentRule(rawValue: "name_collision")
    package static let duplicate = ContentRule(rawValue: "duplicate")
    package static let belowFile = ContentRule(rawValue: "below_file")

    // Amounts.
    package static let packageTooLarge = ContentRule(rawValue: "package_too_large")
    package static let unpackedTooLarge = ContentRule(rawValue: "unpacked_too_large")
    package static let ratioTooHigh = ContentRule(rawValue: "ratio_too_high")
    package static let tooManyFiles = ContentRule(rawValue: "too_many_files")

    // The package as a file.
    package static let extensionMissing = ContentRule(rawValue: "extension_missing")
    package static let notAPackage = ContentRule(rawValue: "not_a_package")
    package static let damaged = ContentRule(rawValue: "damaged")
    package static let encodingUnknown = ContentRule(rawValue: "encoding_unknown")

    /// Every rule, in the order of the documentation.
    package static let known: [ContentRule] = [
        .infoMissing, .infoMalformed, .versionMissing, .versionMalformed, .versionTooLow, .versionNotRaised,
        .identifierMissing, .identifierMalformed, .identifierMismatch, .contentsMissing, .contentsEmpty,
        .outsideContents, .kindRefused, .linkLeaves, .executableCode, .executableBit, .pathUnsafe, .nameUnsafe,
        .nameNotUnicode, .pathTooLong, .tooDeep, .nameCollision, .duplicate, .belowFile, .packageTooLarge,
        .unpackedTooLarge, .ratioTooHigh, .tooManyFiles, .extensionMissing, .notAPackage, .damaged, .encodingUnknown,
    ]
}

/// What content does not keep to.
package struct ContentFinding: Hashable, Sendable {
    /// The file, as the package names it; nil for the content as a whole.
    package let path: String?
    package let rule: ContentRule
    /// One sentence: what is wrong, and what to do.
    package let message: String

    package init(_ path: String?, _ rule: ContentRule, _ message: String) {
        self.path = path
        self.rule = rule
        self.message = message
    }
}

extension ContentFinding {
    /// What is wrong with the name of a package, or with its path; nil if it ends in `.pkg`, in whatever case.
    package init?(ofPackageCalled name: String) {
        guard !name.lowercased().hasSuffix(".pkg") else { return nil }
        self.init(nil, .extensionMissing, "the name of a package ends in .pkg; till content pack makes one of a folder")
    }
}

extension ContentFinding: CustomStringConvertible {
    package var description: String { "\(path ?? "package"): \(rule.rawValue): \(message)" }
}
