import StoreModel

/// The items of the demo, in six languages.
extension DemoItem {
    package static let all = apps + music + screen + books

    private static let developer = "Till Samples"

    private static let apps: [DemoItem] = [
        DemoItem(
            key: "monkeycredits", kind: .app, bundleID: DemoApp.monkeyCredits.bundleID, artist: developer, genre: 7009,
            price: "0.00", age: 20, rating: "4+",
            texts: [
                (
                    "Monkey Credits",
                    "A monkey waits for you in the jungle.\n\nGive it credits, and it gives you a show."
                ),
                ("モンキークレジット", "ジャングルでサルがあなたを待っています。\n\nクレジットをあげると、芸を見せてくれます。"),
                ("Maymun Kredisi", "Ormanda bir maymun sizi bekliyor.\n\nOna kredi verin, o da size gösteri yapsın."),
                ("猴子点数", "丛林里有一只猴子在等您。\n\n给它点数，它就为您表演。"),
                (
                    "Affenguthaben",
                    "Im Dschungel wartet ein Affe auf Sie.\n\nGeben Sie ihm Guthaben, und er gibt eine Vorstellung."
                ),
                (
                    "Crédits de singe",
                    "Un singe vous attend dans la jungle.\n\nDonnez-lui des crédits, il vous offre un spectacle."
                ),
            ],
            version: [
                "The monkey waves back.", "サルが手を振り返します。", "Maymun artık el sallıyor.", "猴子会向您挥手了。",
                "Der Affe winkt zurück.", "Le singe vous fait signe.",
            ],
            files: [
                File(.artwork, "monkeycredits.artwork.png"), File(.wide, "monkeycredits.wide.png"),
                File(.screenshot, "monkeycredits.screenshot.1.png", text: "The monkey in front of its jungle"),
                File(.screenshot, "monkeycredits.screenshot.2.png", 2, text: "Ten credits in two rows"),
                File(.package, "monkeycredits.deb", of: packagedVersion),
            ]),
        DemoItem(
            key: "photofilters", kind: .app, bundleID: DemoApp.photoFilters.bundleID, artist: developer, genre: 6008,
            price: "1.99", age: 50, rating: "4+",
            texts: [
                ("Photo Filters", "Your pictures as they might have been."), ("フォトフィルタ", "写真を、ありえた姿に。"),
                ("Fotoğraf Filtreleri", "Resimleriniz başka türlü olsaydı."), ("照片滤镜", "让照片成为另一种样子。"),
                ("Fotofilter", "Ihre Bilder, wie sie hätten sein können."),
                ("Filtres photo", "Vos images telles qu’elles auraient pu être."),
            ], files: [File(.artwork, "photofilters.artwork.png")]),
        DemoItem(
            key: "bookchapters", kind: .app, bundleID: DemoApp.bookChapters.bundleID, artist: developer, genre: 6018,
            price: "0.00", age: 80, rating: "9+",
            texts: [
                ("Book Chapters", "A story that goes on as long as you like."), ("ブックチャプター", "好きなだけ続く物語。"),
                ("Kitap Bölümleri", "Siz istedikçe süren bir hikâye."), ("章节书", "随您心意继续的故事。"),
                ("Buchkapitel", "Eine Geschichte, die weitergeht, solange Sie mögen."),
                ("Chapitres", "Une histoire qui dure tant que vous voulez."),
            ], files: [File(.artwork, "bookchapters.artwork.png")]),
        DemoItem(
            key: "productview", kind: .app, bundleID: DemoApp.productView.bundleID, artist: developer, genre: 6024,
            price: "0.00", age: 110, rating: "4+",
            texts: [
                ("Product View", "Looks around in the store without leaving the app."),
                ("プロダクトビュー", "アプリの中からストアを見て回れます。"),
                ("Ürün Görünümü", "Uygulamadan çıkmadan mağazada dolaşır."), ("商品视图", "不离开 App 就能逛商店。"),
                ("Produktansicht", "Sieht sich im Laden um, ohne die App zu verlassen."),
                ("Vue produit", "Visite le magasin sans quitter l’app."),
            ], files: [File(.artwork, "productview.artwork.png")]),
        DemoItem(
            key: "magazines", kind: .app, bundleID: DemoApp.magazines.bundleID, artist: developer, genre: 6021,
            price: "0.00", age: 140, rating: "12+",
            texts: [
                ("Magazines", "Every issue, on paper that never gets wet."), ("マガジン", "ぬれない紙で読む、すべての号。"),
                ("Dergiler", "Hiç ıslanmayan kâğıtta bütün sayılar."), ("杂志", "每一期，都印在不会湿的纸上。"),
                ("Zeitschriften", "Jede Ausgabe, auf Papier, das nie nass wird."),
                ("Magazines", "Tous les numéros, sur un papier qui ne prend pas l’eau."),
            ], files: [File(.artwork, "magazines.artwork.png")]),
    ]

    private static let band = "The Looms"

    private static let music: [DemoItem] = [
        DemoItem(
            key: "low-tide", kind: .album, artist: band, genre: 53, price: "1.99", age: 10,
            texts: [
                ("Low Tide", "Three pieces for a quiet shore."), ("引き潮", "静かな岸辺のための三つの曲。"),
                ("Çekilen Deniz", "Sessiz bir kıyı için üç parça."), ("退潮", "写给宁静海岸的三首曲子。"),
                ("Ebbe", "Drei Stücke für ein stilles Ufer."),
                ("Marée basse", "Trois pièces pour un rivage tranquille."),
            ], files: [File(.artwork, "low-tide.artwork.png"), File(.wide, "low-tide.wide.png")]),
        song(
            "ebb", 1, "0.99", ["Ebb", "波の行方", "Cezir", "潮落", "Das Meer geht", "Le reflux"],
            [File(.preview, "ebb.preview.wav"), File(.package, "ebb.wav")]),
        song(
            "rows", 2, nil, ["Rows", "列", "Sıralar", "行列", "Reihen", "Rangées"], [File(.package, "rows.wav")]),
        song(
            "salt-road", 3, "0.99", ["Salt Road", "塩の道", "Tuz Yolu", "盐路", "Salzstraße", "Route du sel"],
            [File(.preview, "salt-road.wav"), File(.package, "salt-road.wav")]),
    ]

    private static func song(
        _ key: String, _ number: Int, _ price: String?, _ titles: [String], _ files: [File]
    ) -> DemoItem {
        DemoItem(
            key: key, kind: .song, artist: band, genre: 53, parent: "low-tide", number: number, price: price, age: 10,
            texts: titles.map { ($0, "") }, files: files)
    }

    private static let show = "Signal Box"

    private static let screen: [DemoItem] = [
        DemoItem(
            key: "night-bus", kind: .film, artist: "Ada Firth", genre: 4414, price: "2.99", age: 15, rating: "G",
            texts: [
                ("Night Bus", "It comes from the left, and it leaves to the right. In between, a whole city sleeps."),
                ("夜行バス", "左から来て、右へ去る。その間、街は眠っている。"),
                ("Gece Otobüsü", "Soldan gelir, sağdan gider. Arada bütün bir şehir uyur."),
                ("夜班车", "从左边来，向右边去。其间，整座城市在沉睡。"),
                ("Nachtbus", "Er kommt von links und fährt nach rechts. Dazwischen schläft eine ganze Stadt."),
                ("Bus de nuit", "Il vient de la gauche et part à droite. Entre les deux, une ville dort."),
            ],
            files: [
                File(.artwork, "night-bus.artwork.png"), File(.wide, "night-bus.wide.png"),
                File(.preview, "night-bus.webm"), File(.package, "night-bus.webm"),
            ]),
        DemoItem(
            key: "signal-box", kind: .season, artist: show, genre: 4001, number: 1, price: "2.99", age: 25,
            rating: "TV-G",
            texts: [
                ("Signal Box, Season 1", "Two trains, one lever, and nobody to ask."),
                ("信号所 シーズン1", "列車は二本、レバーは一本。聞ける人はいない。"),
                ("Sinyal Kulesi, 1. Sezon", "İki tren, bir kol ve soracak kimse yok."), ("信号房 第一季", "两列火车，一根拉杆，无人可问。"),
                ("Stellwerk, Staffel 1", "Zwei Züge, ein Hebel und niemand, den man fragen kann."),
                ("Poste d’aiguillage, saison 1", "Deux trains, un levier, et personne à qui demander."),
            ], files: [File(.artwork, "signal-box.artwork.png")]),
        episode(
            "up-line", 1,
            ["The Up Line", "上り線", "Gidiş Hattı", "上行线", "Das Streckengleis", "La voie montante"]),
        episode(
            "down-line", 2,
            ["The Down Line", "下り線", "Dönüş Hattı", "下行线", "Das Gegengleis", "La voie descendante"]),
    ]

    private static func episode(_ key: String, _ number: Int, _ titles: [String]) -> DemoItem {
        DemoItem(
            key: key, kind: .episode, artist: show, genre: 4001, parent: "signal-box", number: number, price: "1.99",
            age: 25, rating: "TV-G", texts: titles.map { ($0, "") },
            files: [File(.preview, "signal-box.webm"), File(.package, "signal-box.webm")])
    }

    private static let books: [DemoItem] = [
        DemoItem(
            key: "dot", kind: .book, artist: "Ethel C. Pedley", genre: 9010, price: "0.99", age: 40,
            texts: [
                ("Dot and the Kangaroo", "A little girl is lost in the bush, and a kangaroo has lost her little one."),
                ("ドットとカンガルー", "森で迷った少女と、子をなくしたカンガルーの物語。"),
                ("Dot ve Kanguru", "Ormanda kaybolan bir kız ve yavrusunu yitiren bir kanguru."),
                ("多特与袋鼠", "小女孩在丛林里迷了路，袋鼠丢了自己的孩子。"),
                ("Dot und das Känguru", "Ein Mädchen verirrt sich im Busch, und ein Känguru hat sein Junges verloren."),
                ("Dot et le kangourou", "Une fillette se perd dans le bush, une femelle kangourou a perdu son petit."),
            ],
            files: [
                File(.artwork, "dot.artwork.png"), File(.sample, "dot.sample.epub"), File(.package, "dot.epub"),
            ]),
        DemoItem(
            key: "tide-book", kind: .audiobook, artist: "Nora Heron", genre: 50_000_059, price: "3.99", age: 60,
            texts: [
                ("The Tide Book", "Read aloud by the sea itself."), ("潮の本", "海みずからの朗読で。"),
                ("Gelgit Kitabı", "Denizin kendisi okuyor."), ("潮汐之书", "由大海亲自朗读。"),
                ("Das Buch der Gezeiten", "Gelesen vom Meer."),
                ("Le livre des marées", "Lu par la mer elle-même."),
            ],
            files: [
                File(.artwork, "tide-book.artwork.png"), File(.preview, "tide-book.preview.wav"),
                File(.package, "tide-book.wav"),
            ]),
    ]
}
