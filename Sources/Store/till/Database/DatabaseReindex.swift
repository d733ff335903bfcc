import CommandOptions
import StoreServer

/// `till database reindex`
enum DatabaseReindex {
    static let command = Command<TillProgram.Action>(
        "reindex", "Write the indexes of the storefront's search and of the console's anew.",
        discussion: """
            Every change of the catalogue keeps the index up, so that nothing but damage makes this necessary; till database \
            check says so. What is there is found meanwhile, and the catalogue can be changed.
            """,
        options: [StandardOptions.json],
        examples: [Example("Mend the index of the store in ./till_data", "till database reindex")],
        exitCodes: [.inputMissing.when("There is no store.")],
        seeAlso: ["till database check", "till database migrate"],
        action: { arguments, context in
            let answer = try await AdminConnection.withStore(arguments, context) { store in
                // Each environment has customers of its own.
                _ = try await store.ask("POST", "/sandbox/control/v1/search/index", as: SearchIndexAnswer.self)
                return try await store.ask("POST", "/production/control/v1/search/index", as: SearchIndexAnswer.self)
            }
            if arguments[StandardOptions.json] { return try context.printJSON(answer) }
            context.print("The index has \(answer.items) item\(answer.items == 1 ? "" : "s")")
        })
}
