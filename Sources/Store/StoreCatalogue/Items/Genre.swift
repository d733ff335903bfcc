/// A subject by which people look for items: one of the public numbers that the documents' own genres have.
package struct Genre: Hashable, Sendable {
    /// The number, as the search API and the feed write it.
    package let id: Int
    /// What it is called in English.
    package let name: String
    /// The number of the genre that it is part of; nil for what a whole medium is called.
    package let parent: Int?

    /// The genre of a number; nil if there is none.
    package static func find(_ id: Int) -> Genre? { byID[id] }

    /// All genres, those of one medium together.
    package static let all =
        roots
        + lists.flatMap { parent, list in
            list.split(separator: "|").compactMap { entry -> Genre? in
                let parts = entry.split(separator: " ", maxSplits: 1)
                return Int(parts[0]).map { Genre(id: $0, name: String(parts[1]), parent: parent) }
            }
        }

    /// The genres that items of a kind may have, without the one that stands for all of them.
    package static func all(of kind: ItemKind) -> [Genre] {
        all.filter { $0.id != kind.rootGenre && $0.root == kind.rootGenre }
    }

    /// The number of the genre that a whole medium is called by.
    package var root: Int { path.last ?? id }

    /// Its number, that of the genre it is part of, and so on up to the one of the medium.
    package var path: [Int] {
        var (path, next) = ([id], parent)
        while let above = next {
            path.append(above)
            next = Self.byID[above]?.parent
        }
        return path
    }

    /// The numbers of a genre and of all that are part of it.
    package static func within(_ id: Int) -> [Int] { all.filter { $0.path.contains(id) }.map(\.id) }

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    private static let roots = [
        Genre(id: 36, name: "App Store", parent: nil),
        Genre(id: 34, name: "Music", parent: nil),
        Genre(id: 33, name: "Movies", parent: nil),
        Genre(id: 32, name: "TV Shows", parent: nil),
        Genre(id: 38, name: "Books", parent: nil),
        Genre(id: 50_000_024, name: "Audiobooks", parent: nil),
    ]

    /// Number and name of each, by what they are part of.
    private static let lists: [(parent: Int, list: String)] = [
        (
            36,
            """
            6000 Business|6001 Weather|6002 Utilities|6003 Travel|6004 Sports|6005 Social Networking|\
            6006 Reference|6007 Productivity|6008 Photo & Video|6009 News|6010 Navigation|6011 Music|\
            6012 Lifestyle|6013 Health & Fitness|6014 Games|6015 Finance|6016 Entertainment|6017 Education|\
            6018 Books|6020 Medical|6021 Magazines & Newspapers|6022 Catalogs|6023 Food & Drink|6024 Shopping|\
            6025 Stickers|6026 Developer Tools|6027 Graphics & Design
            """
        ),
        (
            6_014,
            """
            7001 Action|7002 Adventure|7003 Casual|7004 Board|7005 Card|7006 Casino|7007 Dice|7008 Educational|\
            7009 Family|7011 Music|7012 Puzzle|7013 Racing|7014 Role Playing|7015 Simulation|7016 Sports|\
            7017 Strategy|7018 Trivia|7019 Word
            """
        ),
        (
            34,
            """
            2 Blues|3 Comedy|4 Children’s Music|5 Classical|6 Country|7 Electronic|8 Holiday|9 Opera|\
            10 Singer/Songwriter|11 Jazz|12 Latin|13 New Age|14 Pop|15 R&B/Soul|16 Soundtrack|17 Dance|\
            18 Hip-Hop/Rap|19 Worldwide|20 Alternative|21 Rock|22 Christian & Gospel|23 Vocal|24 Reggae|\
            25 Easy Listening|27 J-Pop|28 Enka|29 Anime|30 Kayokyoku|50 Fitness & Workout|51 K-Pop|52 Karaoke|\
            53 Instrumental|1122 Brazilian|50000061 Spoken Word|50000063 Disney
            """
        ),
        (
            33,
            """
            4401 Action & Adventure|4402 Anime|4403 Classics|4404 Comedy|4405 Documentary|4406 Drama|\
            4407 Foreign|4408 Horror|4409 Independent|4410 Kids & Family|4411 Musicals|4412 Romance|\
            4413 Sci-Fi & Fantasy|4414 Short Films|4415 Special Interest|4416 Thriller|4417 Sports|4418 Western|\
            4419 Urban|4420 Holiday|4421 Made for TV|4422 Concert Films|4423 Music Documentaries|\
            4424 Music Feature Films|4425 Japanese Cinema|4426 Jidaigeki|4427 Tokusatsu|4428 Korean Cinema
            """
        ),
        (
            32,
            """
            4000 Comedy|4001 Drama|4002 Animation|4003 Action & Adventure|4004 Classics|4005 Kids & Family|\
            4006 Nonfiction|4007 Reality TV|4008 Sci-Fi & Fantasy|4009 Sports|4010 Teens|4011 Latino TV
            """
        ),
        (
            38,
            """
            9002 Nonfiction|9003 Romance|9004 Travel & Adventure|9007 Arts & Entertainment|\
            9008 Biographies & Memoirs|9009 Business & Personal Finance|9010 Children & Teens|9012 Humor|\
            9015 History|9018 Religion & Spirituality|9019 Science & Nature|9020 Sci-Fi & Fantasy|\
            9024 Lifestyle & Home|9025 Self-Development|9026 Comics & Graphic Novels|9027 Computers & Internet|\
            9028 Cookbooks, Food & Wine|9029 Professional & Technical|9030 Parenting|9031 Fiction & Literature|\
            9032 Mysteries & Thrillers|9033 Reference|9034 Politics & Current Events|9035 Sports & Outdoors
            """
        ),
        (
            50_000_024,
            """
            74 News|75 Programs & Performances|50000041 Arts & Entertainment|50000042 Biographies & Memoirs|\
            50000043 Business & Personal Finance|50000044 Children & Teens|50000045 Classics|50000046 Comedy|\
            50000047 Drama & Poetry|50000048 Speakers & Storytellers|50000049 History|50000050 Languages|\
            50000051 Mysteries & Thrillers|50000052 Nonfiction|50000053 Religion & Spirituality|\
            50000054 Science & Nature|50000055 Sci-Fi & Fantasy|50000056 Self-Development|\
            50000057 Sports & Outdoors|50000058 Technology|50000059 Travel & Adventure|50000069 Romance|\
            50000070 Latino
            """
        ),
    ]
}
