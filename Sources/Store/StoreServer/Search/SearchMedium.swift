import StoreCatalogue

/// A medium of the search API: the kinds of results that it has, and in what of them a term is looked for.
struct SearchMedium: Sendable {
    let name: String
    /// Kinds of results by name; some are of nothing that this store sells.
    let entities: [String: Entity]
    /// What is found unless a kind is named.
    let standard: String
    let attributes: Set<SearchAttribute>

    /// A kind of results.
    struct Entity: Hashable, Sendable {
        let kinds: SearchKinds
        /// The genre that it stands for, as short films are films of one.
        var genre: Int?

        init(_ kinds: SearchKinds, genre: Int? = nil) {
            (self.kinds, self.genre) = (kinds, genre)
        }
    }

    private init(
        _ name: String, _ standard: String, _ entities: [String: Entity], attributes: [SearchAttribute] = []
    ) {
        (self.name, self.standard, self.entities) = (name, standard, entities)
        self.attributes = Set(attributes)
    }

    static let all: [SearchMedium] = single + [everything]

    static func named(_ name: String) -> SearchMedium? { all.first { $0.name.lowercased() == name.lowercased() } }

    /// A kind of results of this medium, or of any where the medium is that of everything.
    func entity(_ name: String) -> Entity? {
        let found = entities.first { $0.key.lowercased() == name.lowercased() }?.value
        guard found == nil, self.name == Self.everything.name else { return found }
        for medium in Self.single {
            if let found = medium.entity(name) { return found }
        }
        return nil
    }

    /// What is found unless a kind is named.
    var standardEntity: Entity { entities[standard] ?? Entity([]) }

    private static let shortFilms = 4414
    private static let none = Entity([])

    private static let single: [SearchMedium] = [
        SearchMedium(
            "movie", "movie", ["movie": Entity(.films), "movieArtist": Entity(.filmArtists)],
            attributes: [
                .actorTerm, .genreIndex, .artistTerm, .shortFilmTerm, .producerTerm, .ratingTerm, .directorTerm,
                .releaseYearTerm, .featureFilmTerm, .movieArtistTerm, .movieTerm, .ratingIndex, .descriptionTerm,
            ]),
        SearchMedium(
            "podcast", "podcast", ["podcast": none, "podcastAuthor": none, "podcastEpisode": none],
            attributes: [
                .titleTerm, .languageTerm, .authorTerm, .genreIndex, .artistTerm, .ratingIndex, .keywordsTerm,
                .descriptionTerm,
            ]),
        SearchMedium(
            "music", "musicTrack",
            [
                "musicArtist": Entity(.musicians), "musicTrack": Entity(.songs), "album": Entity(.albums),
                "musicVideo": none, "mix": none, "song": Entity(.songs),
            ],
            attributes: [
                .mixTerm, .genreIndex, .artistTerm, .composerTerm, .albumTerm, .ratingIndex, .songTerm,
            ]),
        SearchMedium(
            "musicVideo", "musicVideo", ["musicArtist": Entity(.musicians), "musicVideo": none],
            attributes: [.genreIndex, .artistTerm, .albumTerm, .ratingIndex, .songTerm]),
        SearchMedium(
            "audiobook", "audiobook", ["audiobook": Entity(.audiobooks), "audiobookAuthor": Entity(.authors)],
            attributes: [.titleTerm, .authorTerm, .genreIndex, .ratingIndex]),
        SearchMedium(
            "shortFilm", "shortFilm",
            ["shortFilm": Entity(.films, genre: shortFilms), "shortFilmArtist": Entity(.filmArtists)],
            attributes: [.genreIndex, .artistTerm, .shortFilmTerm, .ratingIndex, .descriptionTerm]),
        SearchMedium(
            "tvShow", "tvEpisode", ["tvEpisode": Entity(.episodes), "tvSeason": Entity(.seasons)],
            attributes: [.genreIndex, .tvEpisodeTerm, .showTerm, .tvSeasonTerm, .ratingIndex, .descriptionTerm]),
        // Apps are of this store's own kind; none is for a tablet or a computer alone.
        SearchMedium(
            "software", "software", ["software": Entity(.apps), "iPadSoftware": none, "macSoftware": none],
            attributes: [.softwareDeveloper]),
        SearchMedium("ebook", "ebook", ["ebook": Entity(.books), "ebookAuthor": Entity(.authors)]),
    ]

    private static let everything = SearchMedium(
        "all", "allTrack",
        [
            "movie": Entity(.films), "album": Entity(.albums), "allArtist": Entity(.artists), "podcast": none,
            "musicVideo": none, "mix": none, "audiobook": Entity(.audiobooks), "tvSeason": Entity(.seasons),
            "allTrack": Entity([.apps, .songs, .films, .episodes, .books, .audiobooks]),
        ], attributes: SearchAttribute.allCases)
}
