import StoreModel

extension DemoCatalogue {
    static let products: [DemoProduct] = [
        DemoProduct(
            name: "credits5", kind: .consumable, referenceName: "5 credits",
            texts: [
                ("5 Credits", "Five credits for the monkey."), ("クレジット5", "サルのためのクレジット5つ。"),
                ("5 Kredi", "Maymun için beş kredi."), ("5 个点数", "给猴子的五个点数。"),
                ("5 Guthaben", "Fünf Guthaben für den Affen."), ("5 crédits", "Cinq crédits pour le singe."),
            ],
            prices: ["0.99", "160", "39.99", "8", "1.19"]),
        DemoProduct(
            name: "credits10", kind: .consumable, referenceName: "10 credits",
            texts: [
                ("10 Credits", "Ten credits for the monkey."), ("クレジット10", "サルのためのクレジット10こ。"),
                ("10 Kredi", "Maymun için on kredi."), ("10 个点数", "给猴子的十个点数。"),
                ("10 Guthaben", "Zehn Guthaben für den Affen."), ("10 crédits", "Dix crédits pour le singe."),
            ],
            prices: ["1.99", "320", "79.99", "15", "2.29"]),
        DemoProduct(
            name: "jungle", kind: .nonConsumable, referenceName: "Jungle",
            texts: [
                ("Jungle", "Scenery to keep."), ("ジャングル", "ずっと使える背景。"), ("Orman", "Kalıcı bir manzara."),
                ("丛林", "永久拥有的场景。"), ("Dschungel", "Eine Kulisse für immer."), ("Jungle", "Un décor à garder."),
            ],
            prices: ["2.99", "480", "119.99", "22", "3.49"]),
        DemoProduct(
            name: "season", kind: .nonRenewing, referenceName: "Season pass",
            texts: [
                ("Season Pass", "One season of games."), ("シーズンパス", "1シーズン遊べます。"),
                ("Sezon Bileti", "Bir sezon oyun."), ("赛季通行证", "畅玩一个赛季。"),
                ("Saisonpass", "Eine Saison voller Spiele."), ("Pass saison", "Une saison de jeux."),
            ],
            prices: ["4.99", "800", "199.99", "38", "5.99"]),
        DemoProduct(
            name: "club", kind: .autoRenewable, referenceName: "Banana club, monthly", period: .oneMonth,
            group: "monkeyclub",
            texts: [
                ("Banana Club", "Ten credits every month."), ("バナナクラブ", "毎月クレジット10こ。"),
                ("Muz Kulübü", "Her ay on kredi."), ("香蕉俱乐部", "每月十个点数。"),
                ("Bananenclub", "Jeden Monat zehn Guthaben."), ("Club Banane", "Dix crédits chaque mois."),
            ],
            prices: ["1.49", "240", "59.99", "12", "1.79"]),
    ]
}
