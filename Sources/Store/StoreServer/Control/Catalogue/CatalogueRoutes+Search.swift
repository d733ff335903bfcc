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
                    try .json(SearchIndexAnswer(items: await store.editing(request).reindex()))
                }
            )
            .described(
                "reindexSearch", "Writes the index of the search anew.",
                description: "It is kept up by every change of the catalogue; this mends one that is damaged.",
                tag: Self.tag, answers: [.init(.ok, "How many items there are.", .of(SearchIndexAnswer.self))])
        ]
    }
}

/// What came of writing the index of the search anew.
package struct SearchIndexAnswer: Codable, Hashable, Sendable {
    /// How many items there are, whether or not anybody may see them.
    package let items: Int
}
