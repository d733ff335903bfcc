import StoreModel

extension FeedSource {
    static let apps = FeedSource([
        .application, .applicationDetail, .applicationDeviceType, .artistApplication, .genreApplication,
        .applicationPrice,
    ]) { files, view, transaction in
        try FeedItem.forEach(of: [.app], for: view, in: transaction) { item in
            try files[.application].write { write(application: item, view, into: &$0) }
            for entry in item.texts {
                try files[.applicationDetail].write { write(detail: entry, of: item, view, into: &$0) }
            }
            try files[.applicationDeviceType].write { row in
                row.add(item.id)
                row.add(1)
            }
            try files[.artistApplication].write { row in
                row.add(item.facts.artistID)
                row.add(item.id)
            }
            try write(genresOf: item, to: files[.genreApplication])
            try write(pricesOf: item, to: files[.applicationPrice], more: 0, isDated: false)
        }
    }

    private static func write(application item: FeedItem, _ view: FeedView, into row: inout FeedRow) {
        let (listing, facts) = (item.listing, item.facts)
        row.add(item.id)
        row.add(listing.title, atMost: 1000)
        row.add(facts.rating, atMost: 20)
        row.add(listing.artist.name, atMost: 1000)
        row.add(item.seller ?? listing.artist.name, atMost: 1000)
        row.add(facts.makerAddress)
        row.add(facts.supportAddress)
        row.add(view.address(of: listing.link(in: nil)))
        row.add(view.address(of: listing.artwork))
        row.add(view.address(of: listing.artwork))
        row.add(facts.releasedAt)
        row.add(facts.copyright, atMost: 4000)
        row.add(listing.description)
        row.add(listing.version?.version.version, atMost: 100)
        row.add(listing.version?.version.version, atMost: 100)
        row.add(listing.version?.packages.first?.bytes)
    }

    private static func write(
        detail entry: (language: String, text: ProductText), of item: FeedItem, _ view: FeedView,
        into row: inout FeedRow
    ) {
        row.add(item.id)
        row.add(entry.language, atMost: 20)
        row.add(entry.text.title.isEmpty ? item.facts.name : entry.text.title, atMost: 1000)
        row.add(entry.text.description)
        row.add(item.notes[entry.language])
        row.add(item.facts.makerAddress)
        row.add(item.facts.supportAddress)
        let shots = item.listing.files(.screenshot).prefix(4)
        for place in 0..<4 { row.add(view.address(of: shots.dropFirst(place).first)) }
        for place in 0..<4 {
            let shot = shots.dropFirst(place).first
            row.add(shot?.width.flatMap { width in shot?.height.map { "\(width)x\($0)" } })
        }
        // There are no tablets of their own here.
        row.skip(8)
    }

    static let songs = FeedSource([
        .song, .artistSong, .collectionSong, .songTranslation, .songPrice,
    ]) { files, view, transaction in
        try FeedItem.forEach(of: [.song], for: view, in: transaction) { item in
            let (listing, facts) = (item.listing, item.facts)
            let preview = listing.files(.preview).first
            try files[.song].write { row in
                row.add(item.id)
                row.add(listing.title, atMost: 1000)
                row.skip(2)
                row.add(FeedNumbers.advisory(of: facts.explicitness))
                row.add(listing.artist.name, atMost: 1000)
                row.add(listing.parent?.item.facts.name, atMost: 1000)
                row.add(view.address(of: listing.link(in: nil)))
                row.add(facts.releasedAt)
                row.add(facts.releasedAt)
                row.add(facts.milliseconds)
                row.add(facts.copyright, atMost: 4000)
                row.skip()
                row.add(view.address(of: preview))
                row.add(preview?.milliseconds)
            }
            try files[.artistSong].write { row in
                row.add(facts.artistID)
                row.add(item.id)
            }
            try write(placeOf: item, to: files[.collectionSong])
            try write(translationsOf: item, to: files[.songTranslation])
            try write(pricesOf: item, to: files[.songPrice], more: 1)
        }
    }

    static let collections = FeedSource([
        .collection, .artistCollection, .genreCollection, .collectionTranslation, .collectionMatch, .collectionPrice,
    ]) { files, view, transaction in
        try FeedItem.forEach(of: [.album, .season, .audiobook], for: view, in: transaction) { item in
            let (listing, facts) = (item.listing, item.facts)
            try files[.collection].write { row in
                row.add(item.id)
                row.add(listing.title, atMost: 1000)
                row.skip(2)
                row.add(FeedNumbers.advisory(of: facts.explicitness))
                row.add(listing.artist.name, atMost: 1000)
                row.add(view.address(of: listing.link(in: nil)))
                row.add(view.address(of: listing.artwork))
                row.add(facts.releasedAt)
                row.add(facts.releasedAt)
                row.skip()
                row.add(item.seller, atMost: 1000)
                row.add(facts.copyright, atMost: 4000)
                row.skip()
                row.add(listing.kind.page.medium)
                row.add(false)
                row.add(FeedNumbers.collection(of: listing.kind))
            }
            try write(artistOf: item, to: files[.artistCollection])
            try write(genresOf: item, to: files[.genreCollection])
            try write(translationsOf: item, to: files[.collectionTranslation])
            if let upc = facts.upc {
                try files[.collectionMatch].write { row in
                    row.add(item.id)
                    row.add(upc)
                    row.skip(2)
                }
            }
            try write(pricesOf: item, to: files[.collectionPrice], more: 2)
        }
    }

    static let videos = FeedSource([
        .video, .artistVideo, .collectionVideo, .genreVideo, .videoTranslation, .videoMatch, .videoPrice,
    ]) { files, view, transaction in
        try FeedItem.forEach(of: [.film, .episode], for: view, in: transaction) { item in
            try files[.video].write { write(video: item, view, into: &$0) }
            try write(artistOf: item, to: files[.artistVideo])
            try write(placeOf: item, to: files[.collectionVideo])
            try write(genresOf: item, to: files[.genreVideo])
            try write(translationsOf: item, to: files[.videoTranslation])
            if let upc = item.facts.upc {
                try files[.videoMatch].write { row in
                    row.add(item.id)
                    row.add(upc)
                    row.skip(3)
                }
            }
            try write(pricesOf: item, to: files[.videoPrice], more: 6)
        }
    }

    private static func write(video item: FeedItem, _ view: FeedView, into row: inout FeedRow) {
        let (listing, facts) = (item.listing, item.facts)
        row.add(item.id)
        row.add(listing.title, atMost: 1000)
        row.skip(2)
        row.add(FeedNumbers.advisory(of: facts.explicitness))
        row.add(listing.artist.name, atMost: 1000)
        row.add(listing.parent?.item.facts.name, atMost: 1000)
        row.add(listing.kind.page.medium)
        row.add(view.address(of: listing.link(in: nil)))
        row.add(view.address(of: listing.artwork))
        row.add(facts.releasedAt)
        row.add(facts.releasedAt)
        row.skip(2)
        row.add(item.seller, atMost: 1000)
        row.add(facts.milliseconds)
        row.add(facts.copyright, atMost: 4000)
        row.skip(2)
        row.add(listing.description)
        row.skip()
    }

    // MARK: What several tables have

    private static func write(artistOf item: FeedItem, to file: FeedFile) throws {
        try file.write { row in
            row.add(item.facts.artistID)
            row.add(item.id)
            row.add(true)
            row.add(FeedNumbers.role(of: item.listing.kind))
        }
    }

    private static func write(genresOf item: FeedItem, to file: FeedFile) throws {
        for genre in item.genres {
            try file.write { row in
                row.add(genre)
                row.add(item.id)
                row.add(genre == item.facts.genreID)
            }
        }
    }

    /// Where on its album or in its season something is.
    private static func write(placeOf item: FeedItem, to file: FeedFile) throws {
        guard let parent = item.listing.parent else { return }
        try file.write { row in
            row.add(parent.item.storeID)
            row.add(item.id)
            row.add(item.facts.number)
            row.add(item.facts.disc ?? 1)
            row.add(false)
        }
    }

    private static func write(translationsOf item: FeedItem, to file: FeedFile) throws {
        for entry in item.texts where !entry.text.title.isEmpty {
            try file.write { row in
                row.add(item.id)
                row.add(entry.language, atMost: 20)
                row.add(false)
                row.add(entry.text.title, atMost: 1000)
                row.add(1)
            }
        }
    }

    /// - Parameters:
    ///   - more: how many columns of other prices follow, which the store does not have.
    ///   - isDated: whether the day from which it is sold stands before them.
    private static func write(
        pricesOf item: FeedItem, to file: FeedFile, more: Int, isDated: Bool = true
    ) throws {
        for (storefront, price) in item.prices {
            try file.write { row in
                row.add(item.id)
                row.add(price)
                row.add(price.currency.code)
                row.add(storefront.id.number)
                if isDated { row.add(item.facts.releasedAt) }
                row.skip(more)
            }
        }
    }
}
