/// In what of an item the words of a term are looked for. The names are those of the search API.
package enum SearchAttribute: String, CaseIterable, Sendable {
    case actorTerm, albumTerm, allArtistTerm, allTrackTerm, artistTerm, authorTerm, composerTerm, descriptionTerm
    case directorTerm, featureFilmTerm, genreIndex, keywordsTerm, languageTerm, mixTerm, movieArtistTerm, movieTerm
    case producerTerm, ratingIndex, ratingTerm, releaseYearTerm, shortFilmTerm, showTerm, softwareDeveloper, songTerm
    case titleTerm, tvEpisodeTerm, tvSeasonTerm

    /// Where it stands in the index.
    enum Place {
        // Closed: a word is in a field, or a fact is made of it.
        case fields(SearchField)
        case fact(@Sendable (String) -> String)
    }

    var place: Place {
        switch self {
        case .allTrackTerm, .featureFilmTerm, .mixTerm, .movieTerm, .shortFilmTerm, .songTerm, .titleTerm,
            .tvEpisodeTerm:
            .fields(.name)
        // An album and a season stand there themselves, beside what they have.
        case .albumTerm, .tvSeasonTerm: .fields(.collection)
        case .allArtistTerm, .artistTerm, .authorTerm, .movieArtistTerm, .showTerm, .softwareDeveloper: .fields(.maker)
        // There are no lists of those who took part; descriptions name them.
        case .actorTerm, .composerTerm, .directorTerm, .producerTerm: .fields([.maker, .details])
        case .descriptionTerm: .fields(.details)
        case .keywordsTerm: .fields(.all)
        case .genreIndex: .fact { Int($0).map(SearchFact.genre) ?? SearchFact.genreName($0) }
        case .languageTerm: .fact(SearchFact.language)
        case .ratingIndex, .ratingTerm: .fact(SearchFact.rating)
        case .releaseYearTerm: .fact(SearchFact.year)
        }
    }
}

extension ItemSearch.Request {
    /// What has to be there of the pieces of a term; nil for a term without words.
    func expression(of pieces: [SearchText.Piece]) -> SearchExpression? {
        var expression = SearchExpression()
        switch attribute?.place ?? .fields(.all) {
        case .fields(let fields): expression = SearchExpression(pieces, in: fields)
        case .fact(let fact):
            for case .word(let word) in pieces { expression.require(fact(word)) }
        }
        guard !expression.isEmpty else { return nil }
        if let genre { expression.require(SearchFact.genre(genre)) }
        return expression
    }
}
