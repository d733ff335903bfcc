/// The JSON of 26 bytes that every server can be asked for, by wrk at 64 connections.
struct SmallAnswerRow: BenchmarkRow {
    let name: String
    let summary: String
    let reference = "nginx, return 200"
    private let path: String

    static let all = [
        SmallAnswerRow(
            name: "http-small-answer", summary: "A small answer by HTTP from a handler that has it at once.",
            path: "/json"),
        SmallAnswerRow(
            name: "http-small-answer-asynchronous",
            summary: "The same from an asynchronous handler that gives way once.", path: "/json/asynchronous"),
        SmallAnswerRow(
            name: "http-small-answer-suspended",
            summary: "The same from an asynchronous handler that another thread has to wake.", path: "/json/suspended"),
    ]

    func prepare() throws -> Contest {
        let files = try ServerFiles()
        return Contest(
            ours: WrkContestant(try ServerProcess([]), path, clients: 64),
            reference: WrkContestant(try ServerProcess(nginxIn: files), "/json", clients: 64))
    }
}
