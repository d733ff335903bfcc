import Foundation
import StoreFoundation
import TestSupport
import Testing

/// The texts of all languages, and the files that they are read from.
@Suite("Texts in six languages")
struct TextsTests {
    private static let repository = URL(filePath: #filePath + "/../../..").standardizedFileURL

    @Test("There are texts in six languages, and what is embedded is what the files say")
    func languages() throws {
        #expect(Texts.languages == ["de", "en", "fr", "ja", "tr", "zh-Hans"])
        for language in Texts.languages {
            let file = Self.repository.appending(path: "Sources/Shared/StoreFoundation/Texts/\(language).txt")
            let texts = try Texts(String(contentsOf: file, encoding: .utf8), in: language)
            #expect(try texts.signatures == Texts.embedded(language).signatures)
        }
    }

    @Test("All languages have the same names with the same arguments", arguments: Texts.languages)
    func signatures(language: String) throws {
        let (own, english) = (try Texts.embedded(language).signatures, try Texts.embedded("en").signatures)
        #expect(Set(own.keys).symmetricDifference(english.keys).isEmpty)
        for (name, arguments) in own { #expect(arguments == english[name], "\(name)") }
    }

    @Test("What the programs ask for is there, and what is there is asked for")
    func names() throws {
        let names = Set(try Texts.embedded("en").signatures.keys)
        var code = ""
        for folder in ["Sources", "Samples"] {
            let files = FileManager.default.enumerator(
                at: Self.repository.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
                code += try String(contentsOf: file, encoding: .utf8)
            }
        }
        // What stands between two quotation marks that follow one another.
        let said = Set(code.components(separatedBy: "\""))
        // Errors and the help of the sample have names that are put together.
        for name in names where !name.hasPrefix("error.") && !name.hasPrefix("sample.help.") {
            #expect(said.contains(name), "nobody says \(name)")
        }
        let topics = ["approve", "consent", "error", "prompt", "redeem", "sheet", "shop", "till", "sample"]
        for word in said where topics.contains(where: { word.hasPrefix($0 + ".") }) {
            guard word.wholeMatch(of: #/[a-z]+\.[a-z0-9_.]*[a-z0-9]/#) != nil else { continue }
            #expect(names.contains(word), "there is no text \(word)")
        }
        for help in ["buy", "several", "list", "credits", "restore", "receipt", "quit"] {
            #expect(names.contains("sample.help.\(help)"))
        }
    }

    @Test(
        "The form follows the number by the rules of the language",
        arguments: [
            ("en", [0: "0 monkey credits", 1: "1 monkey credit", 2: "2 monkey credits", -1: "-1 monkey credit"]),
            ("de", [0: "0 Affenpunkte", 1: "1 Affenpunkt"]), ("tr", [1: "1 maymun kredisi", 5: "5 maymun kredisi"]),
            (
                "fr",
                [
                    0: "0 crédit de singe", 1: "1 crédit de singe", 2: "2 crédits de singe",
                    1_000_000: "1000000 de crédits de singe",
                ]
            ), ("ja", [1: "モンキークレジット1個"]), ("zh-Hans", [1: "1 个猴子点数", 7: "7 个猴子点数"]),
        ])
    func plurals(language: String, forms: [Int: String]) throws {
        let texts = try Texts.embedded(language)
        for (number, text) in forms { #expect(texts("sample.credits", ["count": .number(number)]) == text) }
    }

    @Test(
        "The first language that there are texts in is taken, else English",
        arguments: [
            (["de-CH"], "de"), (["tr_TR.UTF-8"], "tr"), (["ko", "fr_CA@euro"], "fr"), (["ja"], "ja"), ([], "en"),
            (["zh"], "zh-Hans"), (["zh-CN"], "zh-Hans"), (["zh-Hans-HK"], "zh-Hans"), (["zh_TW", "de"], "de"),
            (["zh-Hant"], "en"), (["C.UTF-8"], "en"), ([""], "en"), (["DE"], "de"),
        ])
    func best(languages: [String], expected: String) {
        #expect(Texts.best(for: languages).language == expected)
    }

    @Test("The variables of a process name its languages, and C and POSIX name none")
    func variables() {
        #expect(Texts.languages(["LANG": "de_DE.UTF-8"]) == ["de_DE.UTF-8"])
        #expect(Texts.languages(["LANG": "de_DE", "LC_MESSAGES": "tr_TR", "LC_ALL": ""]) == ["tr_TR"])
        #expect(Texts.languages(["LANG": "de_DE", "LANGUAGE": "fr:ja"]) == ["fr", "ja", "de_DE"])
        #expect(Texts.languages(["LANG": "C.UTF-8", "LANGUAGE": "fr"]) == [])
        #expect(Texts.languages([:]) == [])
    }

    @Test(
        "A mistake in a file is told with its line",
        arguments: [
            ("a = b\na = c", "line 2: there is another a"), ("a", "line 1: there is no = and no :"),
            ("a =", "line 1: there is nothing after a"), ("ä = b", "line 1: a name has letters"),
            ("a = {b", "line 1: a brace holds"), ("a = b}", "line 1: there is a closing brace"),
            ("a = \\t", "line 1: after \\ comes"), ("  one = a", "line 1: this is no form"),
            ("a: n\n  few = b", "line 2: en has no plural category few"),
            ("a: n\n  one = b\nc = d", "line 3: a has not the forms one, other"),
            ("a: n\n  one = b\n  one = c", "line 3: there is another one"),
            ("a: n m", "line 1: the name of an argument"),
        ])
    func mistakes(file: String, problem: String) throws {
        let error = try #require(throws: TextsError.self) { try Texts(file, in: "en") }
        #expect(error.description.hasPrefix(problem), "\(error)")
    }

    @Test("Comments, empty lines and escaped characters are read as they are meant, and unknown arguments stay")
    func reading() throws {
        let texts = try Texts("# a = b\n\n  \na = 1\\n\\{x\\} {y} {z} \\\\ = : #\n", in: "en")
        #expect(texts("a", ["y": "Y"]) == "1\n{x} Y {z} \\ = : #")
        #expect(texts("b") == "b" && texts.find("b") == nil)
    }

    @Test("A damaged file is read as something else or refused, and never traps")
    func mutations() throws {
        let original = try String(
            contentsOf: Self.repository.appending(path: "Sources/Shared/StoreFoundation/Texts/fr.txt"), encoding: .utf8)
        let lines = original.split(separator: "\n").suffix(40).joined(separator: "\n")
        for mutant in Mutants("texts", of: [lines], rounds: 1000) {
            let texts = try? Texts(String(decoding: mutant.bytes, as: UTF8.self), in: "fr")
            for name in (texts?.signatures ?? [:]).keys { _ = texts?(name, ["count": 2]) }
        }
    }
}
