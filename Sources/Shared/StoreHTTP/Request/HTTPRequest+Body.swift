import Foundation

extension HTTPRequest {
    /// The items of a form, from a body that was taken in one piece.
    package func form() throws(APIError) -> QueryItems {
        try requireMediaType("application/x-www-form-urlencoded") { $0.essence == "application/x-www-form-urlencoded" }
        guard let text = String(validating: body.bytes, as: UTF8.self), let items = QueryItems(parsing: text) else {
            let message = "The form has a broken escape or more than \(HTTPLimits.queryItems) items."
            throw APIError(.badRequest, code: "form_malformed", message, parameter: "body")
        }
        return items
    }

    /// The value of a body in JSON. An error names the part that is wrong: `items[2].price`.
    ///
    /// `checkingMediaType` is false for interfaces whose clients never said what they send.
    package func decode<Value: Decodable>(_ type: Value.Type, checkingMediaType: Bool = true) throws(APIError) -> Value
    {
        if checkingMediaType { try requireMediaType("application/json", \.isJSON) }
        do throws(JSONForm.Fault) {
            try JSONForm.check(body.bytes)
        } catch {
            throw APIError(error)
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body.bytes))
        } catch let error as DecodingError {
            throw APIError(error)
        } catch {
            throw APIError(.badRequest, code: "json_malformed", "The body is not JSON.", parameter: "body")
        }
    }

    /// The bytes of a body in JSON that somebody else takes apart.
    package func json() throws(APIError) -> [UInt8] {
        try requireMediaType("application/json", \.isJSON)
        return body.bytes
    }

    private func requireMediaType(_ name: String, _ isRight: (MediaType) -> Bool) throws(APIError) {
        guard let type = fields.mediaType, isRight(type) else {
            throw APIError(
                .unsupportedMediaType, code: "media_type_unsupported", "The body must be \(name), and say so.",
                parameter: "Content-Type")
        }
    }
}

extension APIError {
    /// What is wrong with the form of a body in JSON.
    init(_ fault: JSONForm.Fault) {
        let message =
            switch fault {
            case .malformed: "The body is not JSON in UTF-8."
            case .tooDeep: "The body has more than \(HTTPLimits.jsonDepth) objects and arrays within one another."
            case .repeated: "An object in the body has two members of one name."
            }
        self.init(.badRequest, code: "json_malformed", message, parameter: "body")
    }

    /// What is wrong with a body in JSON, without a word of what it contains.
    init(_ error: DecodingError) {
        let (code, message, path): (String, String, [any CodingKey]) =
            switch error {
            case .keyNotFound(let key, let context):
                ("value_missing", "This value is missing.", context.codingPath + [key])
            case .valueNotFound(let type, let context):
                ("value_missing", "This must not be null but \(Self.name(of: type)).", context.codingPath)
            case .typeMismatch(let type, let context):
                ("value_invalid", "This must be \(Self.name(of: type)).", context.codingPath)
            case .dataCorrupted(let context) where context.codingPath.isEmpty:
                ("json_malformed", "The body is not JSON, or has a number that is too large or no whole one.", [])
            case .dataCorrupted(let context): ("value_invalid", "This value is not a possible one.", context.codingPath)
            @unknown default: ("json_malformed", "The body is not JSON of the right form.", [])
            }
        self.init(.badRequest, code: code, message, parameter: path.isEmpty ? "body" : Self.text(path))
    }

    private static func text(_ path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        default: "of another kind"
        }
    }
}
