import StoreHTTP

/// The description of an interface that uses everything such a description can say.
enum InterfaceOperations {
    static var table: [String: Operation] {
        [
            "interface.describe": Operation { (_: Nothing, _) in
                String(decoding: document.bytes, as: UTF8.self)
            }
        ]
    }

    private struct Nothing: Decodable {}

    private static let item = PathParameter<Int>("item", rule: "a whole number")
    private static let path = PathParameter<String>("path", rule: "the path of a file")

    private static let document = OpenAPIDocument(
        title: "Example", version: "1", schemas: ["Item": itemSchema, "Error": errorSchema], routes: routes)

    private static let itemSchema = JSONSchema.object(
        [
            "id": .integer("Names it.", minimum: 1, maximum: 1000),
            "name": .string("What people call it.", example: "Sword"),
            "kind": .string(among: ["consumable", "non-consumable"]),
            "tags": .array(of: .string(), description: "Words for the search."),
            "bought": .nullable(.string(format: "date-time")),
            "hidden": .boolean("Whether it is shown to nobody."),
        ],
        optional: ["tags", "hidden"], description: "Something that is sold.")

    private static let errorSchema = JSONSchema.object(
        ["error": .object(["type": .string(), "code": .string(), "message": .string()])])

    private static let routes: [Route] = [
        Route.get("/items/{item}") { _ in .text("") }.documented(
            OperationDocumentation(
                id: "readItem", summary: "Reads an item.", description: "All of it.", tag: "Items",
                parameters: [
                    .path(item, schema: .integer()), .query("fields", "Which members."),
                    .header("X-Request-Id", "Names the request.", isRequired: true),
                ],
                responses: [
                    .init(.ok, "The item.", .json(.named("Item"))),
                    .init(.notFound, "There is none.", .json(.named("Error"))),
                ])),
        Route.post("/items") { _ in .text("") }.documented(
            OperationDocumentation(
                id: "makeItem", summary: "Makes an item.", body: .json(.named("Item")),
                responses: [.init(.created, "It is made.", .json(.array(of: .named("Item"))))])),
        Route.put("/items/{item}") { _ in .text("") }.documented(
            OperationDocumentation(
                id: "changeItem", summary: "Changes an item.", parameters: [.path(item)],
                body: .form(.object(["name": .string()])), responses: [.init(.noContent, "It is changed.")])),
        Route.get("/files/{path…}") { _ in .text("") }.documented(
            OperationDocumentation(
                id: "readFile", summary: "Reads a file.", parameters: [.path(path)],
                responses: [.init(.ok, "The file.")])),
    ]
}
