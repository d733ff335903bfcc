/// A file of 100 MB, or a piece of it, by wrk.
struct LargeFileRow: BenchmarkRow {
    let name: String
    let summary: String
    let reference = "nginx, sendfile"
    let clients: Int
    var range: String?

    static let all = [
        LargeFileRow(
            name: "http-file-1", summary: "A file of 100 MB goes to one client; bytes per second.", clients: 1),
        LargeFileRow(
            name: "http-file-64", summary: "The same to 64 clients at once.", clients: 64),
        LargeFileRow(
            name: "http-file-range", summary: "100 000 bytes from the middle of the file go to each of 64 clients.",
            clients: 64, range: "bytes=50000000-50099999"),
    ]

    func prepare() throws -> Contest {
        let files = try ServerFiles()
        let path = try files.makeFile()
        let fields = range.map { ["Range: \($0)"] } ?? []
        func contestant(_ server: ServerProcess) -> WrkContestant {
            WrkContestant(server, "/file", clients: clients, fields: fields, figure: .bytes)
        }
        return Contest(
            ours: contestant(try ServerProcess(["--file", path])),
            reference: contestant(try ServerProcess(nginxIn: files)))
    }
}
