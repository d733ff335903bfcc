import StoreCatalogue
import StoreModel
import StoreRules
import StoreService

/// What form of prices would do, row by row, before it is done.
struct PriceChangeCard {
    let visit: ConsoleVisit
    let change: PriceListChange

    /// Rows that are told one by one; the others are in the form.
    private static let most = 12

    var element: Element {
        section(.class("card"), .role("status")) {
            div(.class("in")) {
                h2 { "What would change" }
                p {
                    change.changedNothing
                        ? "Nothing: it is like this already." : "\(change.summary). Nothing is set yet."
                }
                if !change.rows.isEmpty { table }
                if change.rows.count > Self.most {
                    p(.class("muted")) { "And \(change.rows.count - Self.most) more, marked below." }
                }
            }
        }
    }

    private var table: Element {
        StoreWeb.table {
            caption(.class("unseen")) { "Prices that would change" }
            thead {
                tr {
                    th(.scope("col")) { "Storefront" }
                    th(.scope("col"), .class("num")) { "Now" }
                    th(.scope("col"), .class("num")) { "Then" }
                }
            }
            tbody {
                for (before, after) in change.rows.prefix(Self.most) {
                    tr {
                        td { after.storefront.name }
                        td(.class("num")) { del { text(before) } }
                        td(.class("num")) { ins { text(after) } }
                    }
                }
            }
        }
    }

    private func text(_ row: PriceList.Row) -> String {
        let price = row.price.map { visit.text($0, in: row.code) } ?? "not sold"
        return row.own != nil && !row.isWithdrawn ? "\(price), its own" : price
    }
}

/// Who pays what, now and from the next price that was set beforehand.
struct PriceAudienceCard {
    let visit: ConsoleVisit
    let list: PriceList
    let audience: PriceAudience?

    private struct Line {
        let who: String
        let now: String
        let then: String
        let how: String
    }

    private var next: Instant? { list.changes.first?.startsAt }

    var element: Element {
        card("Who pays what, and when") {
            div(.class("scroll")) {
                table {
                    caption(.class("unseen")) { "Who pays what, and when" }
                    thead {
                        tr {
                            th(.scope("col")) { "Who" }
                            th(.scope("col"), .class("num")) { "Now" }
                            if let next { th(.scope("col"), .class("num")) { "From \(next.rfc3339.prefix(10))" } }
                            th(.scope("col"), .class("opt")) { "How it goes" }
                        }
                    }
                    tbody {
                        for line in lines {
                            tr {
                                td { line.who }
                                td(.class("num")) { line.now }
                                if next != nil { td(.class("num")) { line.then } }
                                td(.class("opt muted")) { line.how }
                            }
                        }
                    }
                }
            }
        }
    }

    /// What a storefront costs at the next moment.
    private func later(_ code: StorefrontCode) -> Money? {
        guard let row = list[code] else { return nil }
        guard let next, let change = row.next, change.startsAt == next else { return row.price }
        return change.price
    }

    private var lines: [Line] {
        let usa = StorefrontCode(rawValue: "USA")
        let (now, then) = (list[usa]?.price, later(usa))
        let own = list.rows.filter { $0.own != nil && !$0.isWithdrawn }
        var lines = [
            Line(
                who: "Who is new, in the United States", now: now.map { visit.text($0, in: usa) } ?? "not sold",
                then: then.map { visit.text($0, in: usa) } ?? "not sold",
                how: "Whoever was asked before pays what the question said.")
        ]
        if !own.isEmpty {
            let changing = own.count { later($0.code) != $0.price }
            lines.append(
                Line(
                    who: own.count == 1
                        ? "Who is new, in the storefront with a price of its own"
                        : "Who is new, in \(own.count) storefronts with a price of their own", now: "their own",
                    then: changing == 0 ? "the same" : "\(changing) change",
                    how: own.prefix(5).map(\.storefront.name).joined(separator: ", ") + (own.count > 5 ? ", …" : "")))
        }
        return lines + (audience.map(subscribers) ?? [])
    }

    private func subscribers(_ audience: PriceAudience) -> [Line] {
        let sums = audience.sums(at: next ?? list.readAt, next == nil ? { list[$0]?.price } : later)
        guard sums.all > 0 else { return [] }
        var lines = [
            Line(
                who: "\(sums.paying) who subscribe already", now: "what they pay", then: "the same",
                how: sums.wouldBeAsked + sums.wouldBeTold == 0
                    ? "Nobody of them pays less than this price."
                    : "Until it is brought to them. Then \(sums.wouldBeAsked) are asked and end without a yes, "
                        + "\(sums.wouldBeTold) are told, \(sums.wouldKeep) keep theirs.")
        ]
        if sums.raised > 0 {
            lines.append(
                Line(
                    who: "\(sums.raised) to whom a higher price was brought", now: "what they pay", then: "that price",
                    how: "\(sums.asked) of them have not answered; without a yes theirs ends at its renewal."))
        }
        if sums.inTrial > 0 {
            lines.append(
                Line(
                    who: "\(sums.inTrial) in a free trial", now: "free", then: "what their sheet promised",
                    how: "The first charge is what it said when they began."))
        }
        return lines
    }
}
