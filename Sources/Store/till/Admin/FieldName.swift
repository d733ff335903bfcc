/// What fields of the control interface are called in a terminal.
enum FieldName {
    /// Those that an option has under another name, wherever there is one, and abbreviations.
    private static let known = [
        "acceptedBy": "--by", "groupId": "--group", "primaryLanguage": "--language", "referenceName": "--name",
        "startsAt": "--from", "storeUrl": "--store-url", "iban": "IBAN", "bic": "BIC",
    ]

    /// A field in words: `account holder` for `accountHolder`.
    static func words(_ field: String) -> String {
        known[field]
            ?? field.reduce(into: "") { words, letter in
                words += letter.isUppercase ? " \(letter.lowercased())" : String(letter)
            }
    }

    /// A message that begins with the name of the field that it is about, with the words for that. A place in a file stays.
    static func spelled(in message: String, about field: String?) -> String {
        guard let field, field.allSatisfy(\.isLetter), message.hasPrefix("\(field):") else { return message }
        return words(field) + message.dropFirst(field.count)
    }
}
