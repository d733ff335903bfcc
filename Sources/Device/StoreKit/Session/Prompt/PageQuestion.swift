import StoreFoundation
package import StoreModel

/// A page of the store that a person looks at, told to whoever asks questions on the device.
package struct PageQuestion: Hashable, Sendable {
    /// A product of the app that can be chosen.
    package struct Product: Hashable, Sendable {
        package var identifier: ProductID
        package var title: String
        package var price: String

        package init(identifier: ProductID, title: String, price: String) {
            self.identifier = identifier
            self.title = title
            self.price = price
        }
    }

    package var title: String
    package var maker: String?
    /// What it costs; nil if it is not sold by itself.
    package var price: String?
    /// What is said of it.
    package var text: String?
    /// The products of the app, if the page is the app's own.
    package var products: [Product]
    /// Where the page is; nil if the store has none.
    package var address: String?
    /// Whether the page is in a browser already.
    package var isOpened: Bool
    /// The language of the texts that it is told in.
    package var language: String

    package init(
        title: String, maker: String? = nil, price: String? = nil, text: String? = nil, products: [Product] = [],
        address: String? = nil, isOpened: Bool = false, language: String = "en"
    ) {
        self.title = title
        self.maker = maker
        self.price = price
        self.text = text
        self.products = products
        self.address = address
        self.isOpened = isOpened
        self.language = language
    }

    var texts: Texts { Texts.best(for: [language]) }

    /// What is known of the item, for where there is no page.
    var lines: [String] {
        let name = [title, maker, price].compactMap(\.self).joined(separator: " · ")
        return [name, text].compactMap(\.self)
    }
}

/// What a person did with a page that was shown by a prompt.
// Closed: the session has to know what to do with each.
package enum PageReply: Hashable, Sendable {
    /// The person has seen enough.
    case closed
    /// The person wants a product of the app.
    case chosen(ProductID)
    /// The page itself says when it is over.
    case elsewhere
}

extension TerminalPrompt {
    /// Shows the item in lines, or where its page is, and waits for a line: a number chooses a product of the app, anything
    /// else is the end.
    package func showPage(_ question: PageQuestion) async -> PageReply {
        let (texts, products) = (question.texts, question.products)
        var lines = question.isOpened ? [] : question.lines
        if let address = question.address {
            lines.append(
                question.isOpened ? address : texts("prompt.item_page", ["address": .text(address)]))
        }
        for (number, product) in zip(1..., products) { lines.append("  \(number)  \(product.title)  \(product.price)") }
        let ending = products.isEmpty ? "prompt.item_close" : "prompt.item_choose"
        guard let line = await show(lines, asking: texts(ending)) else { return .elsewhere }
        let number = Int(line.trimmingCharacters(in: .whitespaces)) ?? 0
        return products.indices.contains(number - 1) ? .chosen(products[number - 1].identifier) : .closed
    }
}

extension SilentPrompt {
    /// Says where the page is. Without one there is nothing to see, and it is over at once.
    package func showPage(_ question: PageQuestion) async -> PageReply {
        guard let address = question.address else { return .closed }
        if !question.isOpened {
            await tell(PromptNotice(question.lines[0], address: address))
        }
        return .elsewhere
    }
}

extension BrowserPrompt {
    /// The page is in the browser already; the terminal may end it too.
    package func showPage(_ question: PageQuestion) async -> PageReply { await other.showPage(question) }
}
