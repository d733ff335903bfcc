import StoreCatalogue
import StoreHTTP
import StoreService

extension CatalogueRoutes {
    /// What is done to the index of the search, for those who look after the whole store.
    var searchRoutes: [Route] {
        [
            .post(
                "/control/v1/search/index", body: BodyPolicy.none,
                suspending: { request in
                    let items = try await store.editing(request).reindex()
                    if let sales = store.sales { try await Accounts(sales).reindexNames() }
                    return try .json(SearchIndexAnswer(items: items))
                }
            )
            .described(
                "reindexSearch", "Writes the index of the search anew.",
                description: """
                    It is kept up by every change of the catalogue; this mends one that is damaged. The names of customers of \
                    this environment are written anew, too.
                    """,
                tag: Self.tag, answers: [.init(.ok, "How many items there are.", .of(SearchIndexAnswer.self))])
        ]
    }
}

/// What came of writing the index of the search anew.
package struct SearchIndexAnswer: Codable, Hashable, Sendable {
    /// How many items there are, whether or not anybody may see them.
    package let items: Int
}
