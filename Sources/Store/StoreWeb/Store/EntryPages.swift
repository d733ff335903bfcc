import StoreCatalogue
import StoreFoundation
import StoreHTTP
import StoreModel
import StoreService

/// The forms of the storefront: signing in, making an account, writing a review, reporting one. They look as the payment sheet
/// does, and come back as they were left where something is wrong.
struct EntryPages {
    let visit: StorefrontVisit
    /// The page to which a form leads back.
    var place = ""
    /// What is wrong, in a sentence.
    var problem: String?
    /// What was sent, which is shown again; passwords are not.
    var sent: QueryItems?

    private func text(_ name: String, _ arguments: [String: String] = [:]) -> String { visit.text(name, arguments) }

    private func sheet(
        _ heading: String, _ lede: String = "", @HTMLBuilder _ content: () -> [any HTML]
    ) -> Page {
        let content = content()
        return Page(heading, in: visit.texts.language, kind: "sheet") {
            main(.class("pay"), .labelledBy("heading")) {
                if visit.environment == .sandbox { div(.class("band")) { text("sheet.sandbox") } }
                div(.class("what")) {
                    img(.src(WebAssets.icon.link), .alt(""), .width(64), .height(64))
                    div {
                        h1(.id("heading")) { heading }
                        if !lede.isEmpty { p(.class("muted")) { lede } }
                    }
                }
                if let problem { p(.class("problem"), .role("alert")) { problem } }
                content
                p(.class("next")) { a(.href(back)) { text("sheet.back") } }
            }
        }
    }

    private var back: Link {
        Self.isPlace(place) ? visit.link(place) : visit.link("")
    }

    /// Whether a text leads to a page of this store: a path without a host.
    static func isPlace(_ text: String) -> Bool {
        text.utf8.count <= StorefrontLimits.place && (text.isEmpty || text.hasPrefix("/") && Link(path: text) != nil)
    }

    /// Where a form is sent, with the page that it leads back to.
    private func action(_ path: String) -> Link { visit.link(path, ("to", place.isEmpty ? nil : place)) }

    // MARK: Accounts

    var signIn: Page {
        sheet(text("sheet.sign_in"), text("shop.sign_in_lede")) {
            form(.isPost, .action(action("/sign-in"))) {
                field("email", "sheet.email", "email")
                field("password", "sheet.password", "current-password")
                button(.class("primary")) { text("sheet.sign_in") }
                if visit.environment == .production {
                    div(.class("aside")) { a(.href(action("/sign-up"))) { text("sheet.no_account") } }
                }
            }
        }
    }

    var signUp: Page {
        sheet(text("sheet.sign_up"), text("shop.sign_up_lede")) {
            form(.isPost, .action(action("/sign-up"))) {
                field("firstName", "sheet.first_name", "given-name")
                field("lastName", "sheet.last_name", "family-name")
                field("email", "sheet.email", "email")
                field("password", "sheet.password", "new-password")
                button(.class("primary")) { text("sheet.sign_up") }
            }
        }
    }

    /// A field that keeps what was typed, but for a password.
    @HTMLBuilder private func field(_ name: String, _ title: String, _ completion: String) -> [any HTML] {
        let isSecret = completion.hasSuffix("password")
        label(.for(name)) { text(title) }
        input(
            .id(name), .name(name), .type(isSecret ? "password" : name == "email" ? "email" : "text"),
            .value(isSecret ? "" : sent?[name] ?? ""), .autocomplete(completion), .longest(254),
            name == "email" || isSecret ? .isRequired : nil)
    }

    // MARK: Reviews

    /// What somebody says of an item, with what they said before.
    func review(of item: ItemListing, own: CustomerReview?) -> Page {
        let stars = sent?["stars"].flatMap { Int($0) } ?? own?.stars
        return sheet(text("shop.review_title", ["title": item.title])) {
            form(.isPost, .action(action("/review"))) {
                input(.type("hidden"), .name("item"), .value("\(item.storeID)"))
                fieldset(.class("row")) {
                    legend { text("shop.review_stars") }
                    for number in ReviewLimits.stars {
                        label {
                            input(
                                .type("radio"), .name("stars"), .value("\(number)"), .isRequired,
                                number == stars ? .isChecked : nil)
                            visit.text("shop.stars_count", count: number)
                        }
                    }
                }
                p(.class("muted")) { text("shop.review_stars_only") }
                label(.for("title")) { text("shop.review_heading") }
                input(
                    .id("title"), .name("title"), .value(sent?["title"] ?? own?.text?.title ?? ""),
                    .longest(ReviewLimits.title))
                label(.for("body")) { text("shop.review_text") }
                textarea(.id("body"), .name("body"), .rows(6), .longest(ReviewLimits.body)) {
                    sent?["body"] ?? own?.text?.body ?? ""
                }
                label(.for("nickname")) { text("shop.review_name") }
                input(
                    .id("nickname"), .name("nickname"), .value(sent?["nickname"] ?? own?.text?.nickname ?? ""),
                    .autocomplete("nickname"), .longest(ReviewLimits.nickname))
                button(.class("primary")) { text("shop.review_send") }
                if own != nil {
                    button(.class("plain"), .isUnchecked, .formAction(action("/review/removal"))) {
                        text("shop.review_remove")
                    }
                }
            }
        }
    }

    /// Why a review should not be there.
    func report(_ review: CustomerReview) -> Page {
        sheet(text("shop.report_title"), review.text?.title ?? "") {
            form(.isPost, .action(visit.link("/report", ("to", "\(place)?told=report")))) {
                input(.type("hidden"), .name("review"), .value("\(review.id)"))
                label(.for("reason")) { text("shop.report_why") }
                select(.id("reason"), .name("reason")) {
                    for reason in CustomerReview.Reason.all {
                        option(.value(reason.rawValue), sent?["reason"] == reason.rawValue ? .isSelected : nil) {
                            words(for: reason)
                        }
                    }
                }
                button(.class("primary")) { text("shop.report_send") }
            }
        }
    }

    private func words(for reason: CustomerReview.Reason) -> String {
        switch reason {
        case .offensive: text("shop.reason_offensive")
        case .personal: text("shop.reason_personal")
        case .offTopic: text("shop.reason_off_topic")
        default: text("shop.reason_spam")
        }
    }
}
