/// The tables of the feed that this store has data for, with Apple's names and columns.
extension FeedTable {
    // Names of what has few values.

    static let storefront = FeedTable(
        "storefront", .itunes, "*storefront_id INTEGER, country_code VARCHAR(10), name VARCHAR(200)")
    static let genre = FeedTable("genre", .itunes, "*genre_id INTEGER, parent_id INTEGER, name VARCHAR(200)")
    static let mediaType = FeedTable("media_type", .itunes, "*media_type_id INTEGER, name VARCHAR(200)")
    static let artistType = FeedTable(
        "artist_type", .itunes, "*artist_type_id INTEGER, name VARCHAR(200), primary_media_type_id INTEGER")
    static let role = FeedTable("role", .itunes, "*role_id INTEGER, name VARCHAR(200)")
    static let advisory = FeedTable("parental_advisory", .itunes, "*parental_advisory_id INTEGER, name VARCHAR(200)")
    static let collectionType = FeedTable("collection_type", .itunes, "*collection_type_id INTEGER, name VARCHAR(200)")
    static let translationType = FeedTable(
        "translation_type", .itunes, "*translation_type_id INTEGER, name VARCHAR(200)")
    static let deviceType = FeedTable("device_type", .itunes, "*device_type_id INTEGER, name VARCHAR(200)")
    static let keyValue = FeedTable("key_value", .itunes, "*key_ VARCHAR(100), value_ VARCHAR(100)")

    // Artists.

    static let artist = FeedTable(
        "artist", .itunes,
        """
        *artist_id BIGINT, name VARCHAR(1000), is_actual_artist BOOLEAN, view_url VARCHAR(1000), artist_type_id INTEGER
        """)
    static let genreArtist = FeedTable(
        "genre_artist", .itunes, by: "artist_id", "*genre_id INTEGER, *artist_id BIGINT, is_primary BOOLEAN")

    // Apps.

    static let application = FeedTable(
        "application", .itunes,
        """
        *application_id BIGINT, title VARCHAR(1000), recommended_age VARCHAR(20), artist_name VARCHAR(1000), \
        seller_name VARCHAR(1000), company_url VARCHAR(1000), support_url VARCHAR(1000), view_url VARCHAR(1000), \
        artwork_url_large VARCHAR(1000), artwork_url_small VARCHAR(1000), itunes_release_date DATETIME, \
        copyright VARCHAR(4000), description LONGTEXT, version VARCHAR(100), itunes_version VARCHAR(100), \
        download_size BIGINT
        """)
    static let applicationDetail = FeedTable(
        "application_detail", .itunes,
        """
        *application_id BIGINT, *language_code VARCHAR(20), title VARCHAR(1000), description LONGTEXT, \
        release_notes LONGTEXT, company_url VARCHAR(1000), support_url VARCHAR(1000), screenshot_url_1 VARCHAR(1000), \
        screenshot_url_2 VARCHAR(1000), screenshot_url_3 VARCHAR(1000), screenshot_url_4 VARCHAR(1000), \
        screenshot_width_height_1 VARCHAR(20), screenshot_width_height_2 VARCHAR(20), \
        screenshot_width_height_3 VARCHAR(20), screenshot_width_height_4 VARCHAR(20), \
        ipad_screenshot_url_1 VARCHAR(1000), ipad_screenshot_url_2 VARCHAR(1000), ipad_screenshot_url_3 VARCHAR(1000), \
        ipad_screenshot_url_4 VARCHAR(1000), ipad_screenshot_width_height_1 VARCHAR(20), \
        ipad_screenshot_width_height_2 VARCHAR(20), ipad_screenshot_width_height_3 VARCHAR(20), \
        ipad_screenshot_width_height_4 VARCHAR(20)
        """)
    static let applicationDeviceType = FeedTable(
        "application_device_type", .itunes, "*application_id BIGINT, *device_type_id INTEGER")
    static let artistApplication = FeedTable(
        "artist_application", .itunes, by: "application_id", "*artist_id BIGINT, *application_id BIGINT")
    static let genreApplication = FeedTable(
        "genre_application", .itunes, by: "application_id",
        "*genre_id INTEGER, *application_id BIGINT, is_primary BOOLEAN")
    static let applicationPrice = FeedTable(
        "application_price", .pricing,
        """
        *application_id BIGINT, retail_price DECIMAL(9,3), currency_code VARCHAR(20), *storefront_id INTEGER
        """)

    // Songs.

    static let song = FeedTable(
        "song", .itunes,
        """
        *song_id BIGINT, name VARCHAR(1000), title_version VARCHAR(1000), search_terms VARCHAR(1000), \
        parental_advisory_id INTEGER, artist_display_name VARCHAR(1000), collection_display_name VARCHAR(1000), \
        view_url VARCHAR(1000), original_release_date DATETIME, itunes_release_date DATETIME, track_length BIGINT, \
        copyright VARCHAR(4000), p_line VARCHAR(4000), preview_url VARCHAR(1000), preview_length BIGINT
        """)
    static let artistSong = FeedTable("artist_song", .itunes, by: "song_id", "*artist_id BIGINT, *song_id BIGINT")
    static let collectionSong = FeedTable(
        "collection_song", .itunes, by: "song_id",
        """
        *collection_id BIGINT, *song_id BIGINT, track_number INTEGER, volume_number INTEGER, preorder_only BOOLEAN
        """)
    static let songTranslation = translation(of: "song")
    static let songPrice = FeedTable(
        "song_price", .pricing,
        """
        *song_id BIGINT, retail_price DECIMAL(9,3), currency_code VARCHAR(20), *storefront_id INTEGER, \
        availability_date DATETIME, hq_price DECIMAL(9,3)
        """)

    // Albums, seasons and audiobooks.

    static let collection = FeedTable(
        "collection", .itunes,
        """
        *collection_id BIGINT, name VARCHAR(1000), title_version VARCHAR(1000), search_terms VARCHAR(1000), \
        parental_advisory_id INTEGER, artist_display_name VARCHAR(1000), view_url VARCHAR(1000), \
        artwork_url VARCHAR(1000), original_release_date DATETIME, itunes_release_date DATETIME, \
        label_studio VARCHAR(1000), content_provider_name VARCHAR(1000), copyright VARCHAR(4000), p_line VARCHAR(4000), \
        media_type_id INTEGER, is_compilation BOOLEAN, collection_type_id INTEGER
        """)
    static let artistCollection = FeedTable(
        "artist_collection", .itunes, by: "collection_id",
        "*artist_id BIGINT, *collection_id BIGINT, is_primary_artist BOOLEAN, *role_id INTEGER")
    static let genreCollection = FeedTable(
        "genre_collection", .itunes, by: "collection_id",
        "*genre_id INTEGER, *collection_id BIGINT, is_primary BOOLEAN")
    static let collectionTranslation = translation(of: "collection")
    static let collectionMatch = FeedTable(
        "collection_match", .match,
        "*collection_id BIGINT, upc VARCHAR(100), grid VARCHAR(100), amg_album_id VARCHAR(100)")
    static let collectionPrice = FeedTable(
        "collection_price", .pricing,
        """
        *collection_id BIGINT, retail_price DECIMAL(9,3), currency_code VARCHAR(20), *storefront_id INTEGER, \
        availability_date DATETIME, hq_price DECIMAL(9,3), preorder_price DECIMAL(9,3)
        """)

    // Films and episodes.

    static let video = FeedTable(
        "video", .itunes,
        """
        *video_id BIGINT, name VARCHAR(1000), title_version VARCHAR(1000), search_terms VARCHAR(1000), \
        parental_advisory_id INTEGER, artist_display_name VARCHAR(1000), collection_display_name VARCHAR(1000), \
        media_type_id INTEGER, view_url VARCHAR(1000), artwork_url VARCHAR(1000), original_release_date DATETIME, \
        itunes_release_date DATETIME, studio_name VARCHAR(1000), network_name VARCHAR(1000), \
        content_provider_name VARCHAR(1000), track_length BIGINT, copyright VARCHAR(4000), p_line VARCHAR(4000), \
        short_description LONGTEXT, long_description LONGTEXT, episode_production_number VARCHAR(200)
        """)
    static let artistVideo = FeedTable(
        "artist_video", .itunes, by: "video_id",
        "*artist_id BIGINT, *video_id BIGINT, is_primary_artist BOOLEAN, *role_id INTEGER")
    static let collectionVideo = FeedTable(
        "collection_video", .itunes, by: "video_id",
        """
        *collection_id BIGINT, *video_id BIGINT, track_number INTEGER, volume_number INTEGER, preorder_only BOOLEAN
        """)
    static let genreVideo = FeedTable(
        "genre_video", .itunes, by: "video_id", "*genre_id INTEGER, *video_id BIGINT, is_primary BOOLEAN")
    static let videoTranslation = translation(of: "video")
    static let videoMatch = FeedTable(
        "video_match", .match,
        """
        *video_id BIGINT, upc VARCHAR(100), isrc VARCHAR(100), amg_video_id VARCHAR(100), isan VARCHAR(100)
        """)
    static let videoPrice = FeedTable(
        "video_price", .pricing,
        """
        *video_id BIGINT, retail_price DECIMAL(9,3), currency_code VARCHAR(20), *storefront_id INTEGER, \
        availability_date DATETIME, sd_price DECIMAL(9,3), hq_price DECIMAL(9,3), lc_rental_price DECIMAL(9,3), \
        sd_rental_price DECIMAL(9,3), hd_rental_price DECIMAL(9,3), hd_price DECIMAL(9,3)
        """)

    // What is bought most.

    static let freePopularity = popularity("free_application_popularity_per_genre")
    static let paidPopularity = popularity("paid_application_popularity_per_genre")

    private static func popularity(_ name: String) -> FeedTable {
        FeedTable(
            name, .popularity,
            "*storefront_id INTEGER, *genre_id INTEGER, *application_id BIGINT, application_rank INTEGER")
    }

    private static func translation(of what: String) -> FeedTable {
        FeedTable(
            "\(what)_translation", .itunes,
            """
            *\(what)_id BIGINT, *language_code VARCHAR(20), is_pronunciation BOOLEAN, translation VARCHAR(1000), \
            *translation_type_id INTEGER
            """)
    }
}
