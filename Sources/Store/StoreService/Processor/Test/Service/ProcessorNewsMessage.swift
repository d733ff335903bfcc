/// News as the test processor sends them.
struct ProcessorNewsMessage: Codable {
    let id: String
    let key: String
    let result: ProcessorAnswer

    init(_ news: ProcessorNews) {
        id = news.id
        key = news.key
        result = ProcessorAnswer(news.outcome)
    }
}
