import StoreCatalogue
import StoreHTTP
import StoreModel

// What fields of forms say, as the values that use cases take. Errors name the field as the form does.

extension FormInput {
    /// The text of a field on any number of lines, which browsers end with two characters each.
    func lines(_ name: String) -> String { self[name].replacing("\r\n", with: "\n") }

    /// An id that somebody types, with a proposal where it is nearly one.
    func id<ID: TextIdentifier>(_ name: String, as type: ID.Type = ID.self) throws(CatalogueError) -> ID {
        let text = trimmed(name)
        do {
            return try ID(parsing: text)
        } catch {
            let near = String(
                text.split { " ,;/".contains($0) }.joined(separator: ".").filter {
                    $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0))
                })
            let hint = ID(near).map { "; did you mean \($0)?" } ?? ""
            throw CatalogueError(.valueInvalid, text.isEmpty ? "it is empty" : "it \(error.rule)\(hint)", field: name)
        }
    }

    /// An amount that somebody types; nil where nothing is.
    func money(_ name: String, in currency: Currency) throws(CatalogueError) -> Money? {
        let text = trimmed(name)
        guard !text.isEmpty else { return nil }
        do {
            return try Money(decimal: text, currency: currency)
        } catch {
            throw CatalogueError(.valueInvalid, "an amount \(error.rule)", field: name)
        }
    }

    /// A whole number that somebody types; nil where nothing is.
    func number(_ name: String) throws(CatalogueError) -> Int? {
        let text = trimmed(name)
        guard !text.isEmpty else { return nil }
        guard let number = Int(text) else { throw CatalogueError(.valueInvalid, "it is a whole number", field: name) }
        return number
    }

    /// The beginning of a day that somebody chooses; nil where none is.
    func day(_ name: String) throws(CatalogueError) -> Instant? {
        let text = trimmed(name)
        guard !text.isEmpty else { return nil }
        guard let day = try? Instant(rfc3339: text + "T00:00:00Z") else {
            throw CatalogueError(.valueInvalid, "it is a day, such as 2027-01-31", field: name)
        }
        return day
    }

    /// What stands between the spaces around it.
    func trimmed(_ name: String) -> String {
        let start = self[name].drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
