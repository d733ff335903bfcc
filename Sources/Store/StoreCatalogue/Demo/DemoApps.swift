import StoreModel
import StoreRules

/// The apps of the demo: what each sells, in six languages.
extension DemoApp {
    package static let all = [monkeyCredits, photoFilters, bookChapters, productView, magazines]

    /// A game: what is used up, what is kept, a season and a club.
    package static let monkeyCredits = DemoApp(
        bundleID: "com.example.monkeycredits", name: "MonkeyCredits",
        groups: ["monkeyclub": ["Banana Club", "バナナクラブ", "Muz Kulübü", "香蕉俱乐部", "Bananenclub", "Club Banane"]],
        products: [
            DemoProduct(
                name: "credits5", kind: .consumable, category: .content, referenceName: "5 credits", price: "0.99",
                texts: [
                    ("5 Credits", "Five credits for the monkey."), ("クレジット5", "サルのためのクレジット5つ。"),
                    ("5 Kredi", "Maymun için beş kredi."), ("5 个点数", "给猴子的五个点数。"),
                    ("5 Guthaben", "Fünf Guthaben für den Affen."), ("5 crédits", "Cinq crédits pour le singe."),
                ]),
            DemoProduct(
                name: "credits10", kind: .consumable, category: .content, referenceName: "10 credits", price: "1.99",
                texts: [
                    ("10 Credits", "Ten credits for the monkey."), ("クレジット10", "サルのためのクレジット10こ。"),
                    ("10 Kredi", "Maymun için on kredi."), ("10 个点数", "给猴子的十个点数。"),
                    ("10 Guthaben", "Zehn Guthaben für den Affen."), ("10 crédits", "Dix crédits pour le singe."),
                ]),
            DemoProduct(
                name: "jungle", kind: .nonConsumable, category: .content, referenceName: "Jungle", price: "2.99",
                texts: [
                    ("Jungle", "Scenery to keep."), ("ジャングル", "ずっと使える背景。"),
                    ("Orman", "Kalıcı bir manzara."), ("丛林", "永久拥有的场景。"),
                    ("Dschungel", "Eine Kulisse für immer."), ("Jungle", "Un décor à garder."),
                ]),
            DemoProduct(
                name: "season", kind: .nonRenewing, category: .subscription, referenceName: "Season pass",
                price: "4.99",
                texts: [
                    ("Season Pass", "One season of games."), ("シーズンパス", "1シーズン遊べます。"),
                    ("Sezon Bileti", "Bir sezon oyun."), ("赛季通行证", "畅玩一个赛季。"),
                    ("Saisonpass", "Eine Saison voller Spiele."), ("Pass saison", "Une saison de jeux."),
                ]),
            DemoProduct(
                name: "club", kind: .autoRenewable, category: .subscription, referenceName: "Banana club, monthly",
                period: .oneMonth, group: "monkeyclub", price: "1.49",
                texts: [
                    ("Banana Club", "Ten credits every month."), ("バナナクラブ", "毎月クレジット10こ。"),
                    ("Muz Kulübü", "Her ay on kredi."), ("香蕉俱乐部", "每月十个点数。"),
                    ("Bananenclub", "Jeden Monat zehn Guthaben."), ("Club Banane", "Dix crédits chaque mois."),
                ]),
        ])

    /// Functions that are in the app already, and a club that has them all: who goes over to its year goes up a level.
    package static let photoFilters = DemoApp(
        bundleID: "com.example.photofilters", name: "PhotoFilters",
        groups: ["filterclub": ["Filter Club", "フィルタクラブ", "Filtre Kulübü", "滤镜俱乐部", "Filterclub", "Club des filtres"]],
        products: [
            DemoProduct(
                name: "sepia", kind: .nonConsumable, category: .function, referenceName: "Sepia filter", price: "0.99",
                texts: [
                    ("Sepia", "Brown as in old albums."), ("セピア", "古いアルバムのような茶色。"),
                    ("Sepya", "Eski albümlerdeki kahverengi."), ("怀旧", "如旧相册般的棕色。"),
                    ("Sepia", "Braun wie in alten Alben."), ("Sépia", "Brun comme dans les vieux albums."),
                ]),
            DemoProduct(
                name: "mono", kind: .nonConsumable, category: .function, referenceName: "Black-and-white filter",
                price: "0.99",
                texts: [
                    ("Black and White", "Light and shadow, no colour."), ("白黒", "色のない光と影。"),
                    ("Siyah Beyaz", "Işık ve gölge, renksiz."), ("黑白", "只有光与影，没有颜色。"),
                    ("Schwarzweiß", "Licht und Schatten, keine Farbe."),
                    ("Noir et blanc", "Ombre et lumière, sans couleur."),
                ]),
            DemoProduct(
                name: "all", kind: .nonConsumable, category: .function, referenceName: "All filters", price: "2.99",
                texts: [
                    ("All Filters", "Those of today and those to come."), ("すべてのフィルタ", "今あるものも、これからのものも。"),
                    ("Tüm Filtreler", "Bugünküler ve gelecek olanlar."), ("全部滤镜", "现有的和今后新增的。"),
                    ("Alle Filter", "Die von heute und alle künftigen."),
                    ("Tous les filtres", "Ceux d’aujourd’hui et ceux à venir."),
                ]),
            DemoProduct(
                name: "clubmonthly", kind: .autoRenewable, category: .subscription,
                referenceName: "Filter club, monthly", period: .oneMonth, group: "filterclub", level: 2,
                hasFreeWeek: true, price: "0.99",
                texts: [
                    ("Filter Club, Monthly", "All filters, month by month."), ("フィルタクラブ（月額）", "毎月すべてのフィルタを。"),
                    ("Filtre Kulübü, Aylık", "Her ay bütün filtreler."), ("滤镜俱乐部包月", "每月使用全部滤镜。"),
                    ("Filterclub, monatlich", "Alle Filter, Monat für Monat."),
                    ("Club des filtres, mensuel", "Tous les filtres, mois après mois."),
                ]),
            DemoProduct(
                name: "clubyearly", kind: .autoRenewable, category: .subscription,
                referenceName: "Filter club, yearly", period: .oneYear, group: "filterclub", level: 1,
                hasFreeWeek: true, price: "7.99",
                texts: [
                    ("Filter Club, Yearly", "All filters for a year."), ("フィルタクラブ（年額）", "1年間すべてのフィルタを。"),
                    ("Filtre Kulübü, Yıllık", "Bir yıl boyunca bütün filtreler."), ("滤镜俱乐部包年", "一整年使用全部滤镜。"),
                    ("Filterclub, jährlich", "Alle Filter, ein Jahr lang."),
                    ("Club des filtres, annuel", "Tous les filtres pendant un an."),
                ]),
        ])

    /// Content to keep and to restore.
    package static let bookChapters = DemoApp(
        bundleID: "com.example.bookchapters", name: "BookChapters",
        products: [
            DemoProduct(
                name: "chapter1", kind: .nonConsumable, category: .content, referenceName: "Chapter 1", price: "0.99",
                texts: [
                    ("Chapter 1: The Island", "A shipwreck and a footprint."), ("第1章 島", "難破と、ひとつの足あと。"),
                    ("Bölüm 1: Ada", "Bir gemi kazası ve bir ayak izi."), ("第一章：岛", "一次海难和一个脚印。"),
                    ("Kapitel 1: Die Insel", "Ein Schiffbruch und eine Fußspur."),
                    ("Chapitre 1 : l’île", "Un naufrage et une empreinte."),
                ], chapter: DemoContent.firstChapter),
            DemoProduct(
                name: "chapter2", kind: .nonConsumable, category: .content, referenceName: "Chapter 2", price: "1.99",
                texts: [
                    ("Chapter 2: The Storm", "A light far out at sea."), ("第2章 嵐", "沖に見えるひとつの光。"),
                    ("Bölüm 2: Fırtına", "Denizde, uzakta bir ışık."), ("第二章：风暴", "远海上的一点光。"),
                    ("Kapitel 2: Der Sturm", "Ein Licht weit draußen auf See."),
                    ("Chapitre 2 : la tempête", "Une lumière au large."),
                ], chapter: DemoContent.secondChapter),
        ])

    /// A service that is rendered once, and a function.
    package static let productView = DemoApp(
        bundleID: "com.example.productview", name: "ProductView",
        products: [
            DemoProduct(
                name: "advice", kind: .consumable, category: .service, referenceName: "Advice by an editor",
                price: "3.99",
                texts: [
                    ("Personal Advice", "An editor picks an app for you."), ("個別アドバイス", "編集者があなたに合うアプリを選びます。"),
                    ("Kişisel Öneri", "Bir editör size uygulama seçer."), ("专人推荐", "编辑为您挑选一款 App。"),
                    ("Persönlicher Rat", "Die Redaktion wählt Ihnen eine App aus."),
                    ("Conseil personnel", "La rédaction vous choisit une app."),
                ]),
            DemoProduct(
                name: "wishlist", kind: .nonConsumable, category: .function, referenceName: "Wish list", price: "0.99",
                texts: [
                    ("Wish List", "Keeps what you would like to have."), ("ほしいものリスト", "ほしいものを覚えておきます。"),
                    ("İstek Listesi", "İstediklerinizi saklar."), ("心愿单", "记下您想要的东西。"),
                    ("Wunschliste", "Merkt sich, was Sie sich wünschen."),
                    ("Liste d’envies", "Garde ce qui vous fait envie."),
                ]),
        ])

    /// Subscriptions, a free one among them, and single issues.
    package static let magazines = DemoApp(
        bundleID: "com.example.magazines", name: "Magazines",
        groups: ["magazines": ["All Issues", "全号購読", "Tüm Sayılar", "全部期刊", "Alle Ausgaben", "Tous les numéros"]],
        products: [
            DemoProduct(
                name: "monthly", kind: .autoRenewable, category: .subscription, referenceName: "All issues, monthly",
                period: .oneMonth, group: "magazines", price: "2.99",
                texts: [
                    ("Monthly", "Every issue, month by month."), ("月間購読", "毎月すべての号を。"),
                    ("Aylık", "Her ay bütün sayılar."), ("包月", "每月的全部期刊。"),
                    ("Monatsabo", "Jede Ausgabe, Monat für Monat."), ("Mensuel", "Tous les numéros, mois après mois."),
                ]),
            DemoProduct(
                name: "yearly", kind: .autoRenewable, category: .subscription, referenceName: "All issues, yearly",
                period: .oneYear, group: "magazines", price: "29.99",
                texts: [
                    ("Yearly", "Every issue for a year."), ("年間購読", "1年分のすべての号を。"),
                    ("Yıllık", "Bir yıl boyunca bütün sayılar."), ("包年", "一整年的全部期刊。"),
                    ("Jahresabo", "Jede Ausgabe, ein Jahr lang."), ("Annuel", "Tous les numéros pendant un an."),
                ]),
            DemoProduct(
                name: "letter", kind: .freeSubscription, category: .subscription, referenceName: "Letter, free",
                texts: [
                    ("The Letter", "A page every week, for nothing."), ("週刊レター", "毎週1ページ、無料です。"),
                    ("Haftalık Mektup", "Her hafta bir sayfa, ücretsiz."), ("每周来信", "每周一页，免费。"),
                    ("Der Brief", "Jede Woche eine Seite, umsonst."), ("La lettre", "Une page par semaine, gratuite."),
                ]),
            DemoProduct(
                name: "halfyear", kind: .nonRenewing, category: .subscription, referenceName: "Six issues",
                price: "14.99",
                texts: [
                    ("Six Issues", "Half a year; does not renew."), ("6号分", "半年分。自動更新なし。"),
                    ("Altı Sayı", "Yarım yıl; yenilenmez."), ("六期", "半年，不自动续订。"),
                    ("Sechs Ausgaben", "Ein halbes Jahr, ohne Verlängerung."),
                    ("Six numéros", "Six mois, sans renouvellement."),
                ]),
            DemoProduct(
                name: "issue1", kind: .nonConsumable, category: .content, referenceName: "First issue", price: "1.99",
                texts: [
                    ("First Issue", "Where it all began, to keep."), ("第1号", "手元に残る創刊号。"),
                    ("1. Sayı", "İlk sayı, hep sizin."), ("第一期", "创刊号，永久保留。"),
                    ("Ausgabe 1", "Die erste Ausgabe, für immer."), ("Numéro 1", "Le premier numéro, à garder."),
                ]),
        ])
}
