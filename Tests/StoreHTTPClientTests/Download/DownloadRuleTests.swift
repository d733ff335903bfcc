import StoreHTTP
import TestSupport
import Testing

@testable import StoreHTTPClient

@Suite("What answers mean for a part") struct DownloadRuleTests {
    private static let rules = DownloadRules(identity: "it", expectedLength: nil, limit: 1000, boot: "b")

    private static func record(tag: String? = "\"a\"", length: Int? = 100, synchronized: Int = 0) -> DownloadRecord {
        var record = DownloadRecord(identity: "it", boot: "b")
        record.entityTag = tag
        record.length = length
        record.synchronized = synchronized
        return record
    }

    private static func head(_ status: Int, _ fields: HTTPFields = HTTPFields()) -> ResponseHead {
        ResponseHead(status: HTTPStatus(rawValue: status), fields: fields)
    }

    @Test("a part of proven origin asks for the rest, any other for everything") func partProvenOrigin() {
        let rules = Self.rules
        #expect(rules.fields(offset: 0, record: Self.record())["Range"] == nil)
        #expect(rules.fields(offset: 5, record: nil)["Range"] == nil)
        #expect(rules.fields(offset: 5, record: Self.record(tag: nil))["Range"] == nil)
        let fields = rules.fields(offset: 5, record: Self.record())
        #expect(fields["Range"] == "bytes=5-" && fields["If-Range"] == "\"a\"")
        #expect(fields["Accept-Encoding"] == "identity")
    }

    @Test("a range is taken only if it begins where the part ends and belongs to the same whole") func rangeTakenOnly()
    {
        let judge = { (range: String, length: String?, tag: String?) in
            var fields: HTTPFields = ["Content-Range": range]
            fields["Content-Length"] = length
            fields["ETag"] = tag
            return Self.rules.judge(Self.head(206, fields), offset: 40, record: Self.record())
        }
        let whole = DownloadRules.Verdict.append(Self.record(), end: 100)
        #expect(judge("bytes 40-99/100", "60", "\"a\"") == whole)
        #expect(judge("bytes 40-99/*", nil, nil) == whole)
        #expect(judge("bytes 40-49/100", "10", nil) == .append(Self.record(), end: 50))
        for (range, length, tag) in [
            ("bytes 40-99/100", "61", nil), ("bytes 40-99/100", "60", "\"b\""), ("bytes 41-99/100", "59", nil),
            ("bytes 40-99/101", "60", nil), ("bytes 40-100/*", "61", nil), ("bytes */100", nil, nil),
            ("", nil, nil),
        ] as [(String, String?, String?)] {
            #expect(judge(range, length, tag) == .startOver, "\(range) \(length ?? "") \(tag ?? "")")
        }
    }

    @Test("a whole makes a record of its own, with what proves it") func wholeMakesRecord() {
        let strong = Self.head(200, ["ETag": "\"x\"", "Content-Length": "7"])
        #expect(Self.rules.judge(strong, offset: 3, record: nil) == .restart(Self.record(tag: "\"x\"", length: 7)))
        let weak = Self.head(200, ["ETag": "W/\"x\""])
        #expect(Self.rules.judge(weak, offset: 0, record: nil) == .restart(Self.record(tag: nil, length: nil)))
        guard
            case .failed(let error) = Self.rules.judge(
                Self.head(200, ["Content-Length": "1001"]), offset: 0, record: nil)
        else {
            Issue.record("a file beyond the limit is taken")
            return
        }
        #expect(error.code == .tooLarge)
    }

    @Test("beyond the end is the end if the lengths agree") func beyondEndEnd() {
        let beyond = { (range: String?, record: DownloadRecord?) in
            var fields = HTTPFields()
            fields["Content-Range"] = range
            return Self.rules.judge(Self.head(416, fields), offset: 100, record: record)
        }
        #expect(beyond("bytes */100", Self.record()) == .complete)
        #expect(beyond("bytes */100", Self.record(length: nil)) == .complete)
        for range in ["bytes */99", "bytes */101", "bytes 0-99/100", nil] {
            #expect(beyond(range, Self.record(length: nil)) == .startOver, "\(range ?? "")")
        }
        #expect(beyond("bytes */100", Self.record(length: 120)) == .startOver)
    }

    @Test("trouble passes, refusals stay, and other places are looked for") func troublePassesRefusals() {
        for status in [408, 425, 429, 500, 502, 503, 504] {
            #expect(Self.rules.judge(Self.head(status), offset: 0, record: nil) == .later(nil))
        }
        for status in [201, 204, 400, 401, 403, 404, 410, 416, 501, 505] {
            let verdict = Self.rules.judge(Self.head(status), offset: 0, record: nil)
            #expect(verdict == .failed(DownloadRules.refused(HTTPStatus(rawValue: status))))
        }
        for status in [301, 302, 303, 304, 307, 308] {
            #expect(Self.rules.judge(Self.head(status), offset: 0, record: nil) == .redirected)
        }
    }

    @Test("after the machine was started anew, only what was synchronised counts") func afterMachineWas() {
        let record = Self.record(synchronized: 30)
        #expect(record.usableLength(of: 50, boot: "b") == 50)
        #expect(record.usableLength(of: 50, boot: "c") == 30)
        #expect(record.usableLength(of: 20, boot: "c") == 20)
        #expect(record.usableLength(of: 101, boot: "b") == 0)
        #expect(Self.record(tag: nil).usableLength(of: 50, boot: "b") == 0)
    }

    @Test("what stands in Content-Range is read strictly") func whatStandsContent() {
        #expect(ContentRange("bytes 0-0/1")?.range == 0..<1)
        #expect(ContentRange("Bytes 5-9/*")?.range == 5..<10)
        #expect(ContentRange("bytes */7")?.total == 7)
        for text in [
            "bytes 0-1/1", "bytes 2-1/9", "bytes -1/9", "bytes 0-/9", "bytes 0-1", "bytes 0-1/9/9", "bytes 0-1-2/9",
            "items 0-1/9", "bytes a-b/c", "bytes 0-99999999999999999999/*", "", "bytes ", "bytes */", "bytes 0-1/+9",
        ] {
            #expect(ContentRange(text) == nil, "\(text)")
        }
        for mutant in Mutants("content ranges", of: ["bytes 10-19/100", "bytes */100"], rounds: 2000) {
            guard let content = ContentRange(mutant.text), let range = content.range else { continue }
            #expect(!range.isEmpty && range.upperBound <= content.total ?? .max, "\(mutant)")
        }
    }
}
