extension APIError {
    /// The name of the schema of errors in descriptions of interfaces.
    package static let schemaName = "Error"

    /// What an error of our own interfaces looks like.
    package static let schema = JSONSchema.object([
        "error": .object([
            "type": .string("The kind of error, of which there are few."),
            "code": .string("The exact reason."),
            "message": .string("What happened, why, and what to do."),
            "parameter": .nullable(.string("The field, header or part of the path it is about.")),
            "request_id": .nullable(.string("Names the request in the store's log.")),
            "documentation": .nullable(.string("A page about it.")),
        ])
    ])
}
