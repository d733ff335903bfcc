import StoreCatalogue
import StoreHTTP

/// The keys of the console: what each of them does, for the script, the menu and the page that lists them.
enum ConsoleKeys {
    /// The letter after `g` that leads to a section, by its path below the environment.
    static let letters: [String: Character] = [
        "": "o", "/transactions": "t", "/subscriptions": "s", "/purchases": "p", "/refunds": "r", "/customers": "c",
        "/apps": "a", "/items": "i", "/catalogue/drafts": "d", "/review": "v", "/ratings": "b", "/features": "h",
        "/partners": "n", "/team": "m", "/teams": "e", "/people": "4", "/families": "j", "/ledger": "l",
        "/finance": "5",
        "/audit": "u", "/requests": "q", "/inspect": "x", "/devices": "w", "/clock": "k", "/faults": "f",
        "/tokens": "y", "/api-keys": "z", "/system": "1", "/self-test": "3", "/account": "2",
    ]

    /// What works on every page.
    static let everywhere: [(keys: [String], text: String)] = [
        (["/"], "search anything"), (["j"], "the next row"), (["k"], "the row before"), (["Enter"], "open it"),
        (["?"], "this list"), (["Esc"], "close what is open"),
    ]

    /// What pages have besides whose buttons show a letter.
    static let ofButtons = "where a button shows one: the way to that button, which Enter presses"
}

/// The page that lists the keys, which the script shows over any other.
struct KeysSection: ConsoleSection {
    let services: ConsoleServices

    var routes: [Route] { [page("/keyboard", for: .catalogue, .here, show)] }

    private func show(_ visit: ConsoleVisit) async throws -> HTTPResponse {
        let places = try await ConsoleMenu(visit).places
        var page = ConsolePage(visit: visit, title: "Keys", place: .overview)
        page.lede = "They work where nothing is typed. Everything is there without them, too."
        return try await page.response {
            section(.class("card")) {
                div(.class("in")) {
                    dl(.id("keys")) {
                        for line in ConsoleKeys.everywhere {
                            dt { for key in line.keys { kbd { key } } }
                            dd { line.text }
                        }
                        for place in places {
                            dt {
                                kbd { "g" }
                                " "
                                kbd { place.letter }
                            }
                            dd { place.text }
                        }
                        dt { "a letter" }
                        dd { ConsoleKeys.ofButtons }
                    }
                }
            }
        }
    }
}
