import Foundation
import StoreLog
import StoreModel
import TestSupport
import Testing

@Suite("Lines of the log (X6)")
struct LogFormatTests {
    // 2026-11-22T12:00:00.250Z
    private let time = Instant(millisecondsSinceEpoch: 1_795_348_800_250)

    private func entry(_ message: String = "Listening.", _ fields: LogEntry.Field...) -> LogEntry {
        LogEntry(time: time, level: .info, event: "listener.started", message: message, fields: fields)
    }

    @Test("Text is for people: time, level, message, event, fields")
    func text() {
        let entry = entry(
            "Listening.", .init("address", "127.0.0.1:8080"), .init("threads", 2), .init("tls", false),
            .init("reason", "no \"certificate\""), .init("empty", ""))
        #expect(
            LogFormat.text.line(of: entry)
                == "2026-11-22T12:00:00.250Z INFO    Listening.  event=listener.started address=127.0.0.1:8080 "
                + "threads=2 tls=false reason=\"no \\\"certificate\\\"\" empty=\"\"")
    }

    @Test("Brief is for a window: the time of day and the message, and what is known of a warning")
    func brief() {
        let quiet = entry("Listening.", .init("address", "127.0.0.1:8080"))
        #expect(LogFormat.brief.line(of: quiet) == "12:00:00  Listening.")
        var sale = entry("A purchase is recorded.", .init("product", "jungle"))
        sale.what = "jungle, lisa"
        #expect(LogFormat.brief.line(of: sale) == "12:00:00  A purchase is recorded. jungle, lisa")
        let loud = LogEntry(
            time: time, level: .warning, event: "x", message: "It is slow.", fields: [.init("reason", "a b")])
        #expect(LogFormat.brief.line(of: loud) == "12:00:00  warning: It is slow. reason=\"a b\"")
    }

    @Test("JSON is for programs: an object in one line")
    func json() {
        let entry = entry("Listening.", .init("address", "127.0.0.1:8080"), .init("threads", 2), .init("tls", false))
        #expect(
            LogFormat.json.line(of: entry)
                == #"{"time":"2026-11-22T12:00:00.250Z","level":"info","event":"listener.started","message":"Listening.","#
                + #""address":"127.0.0.1:8080","threads":2,"tls":false}"#)
    }

    @Test("A field cannot pass for the time, the level, the event or the message")
    func reservedNames() throws {
        let line = LogFormat.json.line(of: entry("Listening.", .init("level", "error"), .init("time", 1)))
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["level"] as? String == "info")
        #expect(object["field_level"] as? String == "error")
        #expect(object["field_time"] as? Int == 1)
    }

    @Test(
        "Nothing in an entry ends its line or commands a terminal",
        arguments: ["\n", "\r\n", "\u{1B}[2J", "\u{0}", "\u{85}", "\u{2028}", "\u{7F}", "\u{9B}31m", "\u{202E}"])
    func hostileText(text: String) throws {
        let hostile = LogEntry(
            time: time, level: .error, event: "a\(text)b", message: "c\(text)d",
            fields: [.init("e\(text)f", .text("g\(text)h"))])
        let line = LogFormat.text.line(of: hostile)
        #expect(line.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) }, "\(line.debugDescription)")
        let json = LogFormat.json.line(of: hostile)
        #expect(
            !json.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0 == "\u{2028}" })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["message"] as? String == "c\(text)d")
        #expect(object["e\(text)f"] as? String == "g\(text)h")
    }

    @Test("Random texts come out of JSON as they went in")
    func randomTexts() throws {
        for mutant in Mutants("log texts", of: ["a \"b\" \\ c\u{1F600}é", "{\"x\":1}\u{0}\n"], rounds: 500) {
            let text = mutant.text
            let json = LogFormat.json.line(of: entry("m", .init("text", .text(text))))
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any], "\(mutant)")
            // By scalars: texts are also equal that are not the same bytes.
            #expect(
                (object["text"] as? String).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars), "\(mutant)")
        }
    }

    @Test("A long text is cut, and shows it")
    func longText() {
        let fits = String(repeating: "x", count: LogLimits.textScalars)
        #expect(LogFormat.text.line(of: entry(fits)).contains(" \(fits)  event="))
        #expect(LogFormat.text.line(of: entry(fits + "y")).contains(" \(fits)…  event="))
        #expect(LogFormat.json.line(of: entry(fits + "yz")).contains("\(fits)…\""))
    }
}
