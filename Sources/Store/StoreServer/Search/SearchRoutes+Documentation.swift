import StoreHTTP

/// How the search API describes itself. Its answers are JSON in the type that the App Store gives them.
extension SearchRoutes {
    static let searchDocumentation = OperationDocumentation(
        id: "search", summary: "Apps, music, films, TV, books and audiobooks by words.",
        description: "As the App Store's search API: see SearchAPI.md. Anybody may ask.", tag: "search",
        parameters: [.query("term", "The words; without them nothing is found.")] + common + [
            .query("attribute", "In what of an item the words are looked for, as in artistTerm."),
            .query("explicit", "Yes or No: whether what is explicit is found."),
            .query("genreId", "The number of a genre; what is below it is found too."),
            .query("offset", "How many results are left out, those of the pages before."),
        ], responses: responses)

    static let lookupDocumentation = OperationDocumentation(
        id: "lookup", summary: "Items and artists by their numbers.",
        description: "As the App Store's lookup: see SearchAPI.md. What is not there is left out.", tag: "search",
        parameters: [
            .query("id", "Store ids of items and artists, separated by commas."),
            .query("bundleId", "Bundle ids of apps."), .query("upc", "UPC or EAN of albums and films."),
            .query("isbn", "ISBN of books."),
        ] + common, responses: responses)

    private static let common: [OperationDocumentation.Parameter] = [
        .query("country", "The storefront, by its code of two letters; US without it."),
        .query("media", "A medium, as in software; all without it."),
        .query("entity", "Kinds of results, separated by commas, as in album."),
        .query("limit", "The most results, 1 to 200; 50 without it."),
        .query("lang", "The language of texts, as in ja_jp."),
        .query("sort", "recent for the newest first."),
        .query("version", "1 for the names of members that the first version had."),
        .query("callback", "The name of a function that the answer calls."),
    ]

    private static let responses: [OperationDocumentation.Response] = [
        .init(.ok, "resultCount and results, in JSON or within a call.", .text("text/javascript")),
        .init(
            .badRequest, "A value is none of those that a parameter takes; errorMessage names it.",
            .text("text/javascript")),
        .init(.forbidden, "Too many calls came from one address.", .text("text/javascript")),
    ]
}
