extension InvalidValue {
    /// The same error as a decoder reports it, with the place in the document; the error itself is the underlying one.
    func decodingError(at codingPath: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: description, underlyingError: self))
    }
}
