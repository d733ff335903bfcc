import Foundation
import TestSupport
import Testing

@testable import StoreSigning

@Suite struct Base64Tests {
    @Test(
        "Has the test vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func hasTestVectors(plain: String, encoded: String) {
        let unpadded = encoded.filter { $0 != "=" }
        #expect(Base64.encode(plain.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
        #expect(Base64.encode(plain.utf8, .url) == unpadded)
        #expect(Base64.decode(unpadded, .url) == Array(plain.utf8))
    }

    @Test("Writes every character of both alphabets") func writesEveryCharacter() {
        // All 64 values in order, as six-bit groups.
        let everyValue = bytes(
            hex: """
                00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf
                """)
        let common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        #expect(Base64.encode(everyValue) == common + "+/")
        #expect(Base64.encode(everyValue, .url) == common + "-_")
        #expect(Base64.decode(common + "+/") == everyValue)
        #expect(Base64.decode(common + "-_", .url) == everyValue)
    }

    @Test("Refuses the characters of the other alphabet") func refusesCharactersOther() {
        #expect(Base64.decode("+/+/") != nil)
        #expect(Base64.decode("+/+/", .url) == nil)
        #expect(Base64.decode("-_-_", .url) != nil)
        #expect(Base64.decode("-_-_") == nil)
    }

    @Test("Refuses every byte that is in no alphabet, at every place of a group") func refusesEveryByte() {
        for alphabet in [Base64Alphabet.standard, .url] {
            let allowed = Set(alphabet.characters)
            for byte in UInt8.min ... .max where !allowed.contains(byte) {
                for place in 0..<8 {
                    // A "=" at the end of standard text is padding and judged elsewhere.
                    if alphabet == .standard, byte == UInt8(ascii: "="), place >= 6 { continue }
                    var text = Array("AAAAAAAA".utf8)
                    text[place] = byte
                    #expect(text.withUnsafeBytes { Base64.decode($0, alphabet) } == nil, "\(byte) at \(place)")
                }
            }
        }
    }

    @Test(
        "Refuses white space wherever it stands",
        arguments: ["Zm9v\n", "Zm9v\r\n", " Zm9v", "Zm 9", "Zm9\tYm", "Zm9vYg==\n", "Zm9v Yg==", "\u{FEFF}Zm9v"])
    func refusesWhiteSpace(text: String) {
        #expect(Base64.decode(text) == nil)
        #expect(Base64.decode(text, .url) == nil)
    }

    @Test(
        "Refuses wrong padding",
        arguments: [
            "=", "==", "===", "====", "Z", "Z=", "Z==", "Z===", "Zg", "Zg=", "Zg===", "Zg====", "Zm8", "Zm8==", "Zm9v=",
            "Zm9v====", "Zg==Zg==", "Zg=Z", "Z=g=", "=Zg=", "==Zg", "Zm9vZ", "Zm9vZg", "Zm9vZm8",
        ])
    func refusesWrongPadding(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(
        "Refuses padding and lone characters in the alphabet without padding",
        arguments: ["Z", "Zm9vZ", "Zg=", "Zg==", "Zm8=", "====", "="])
    func refusesPaddingLone(text: String) {
        #expect(Base64.decode(text, .url) == nil)
    }

    @Test("Refuses stray bits, so that one run of bytes has one text") func refusesStrayBits() {
        let characters = Base64Alphabet.standard.characters.map { Character(Unicode.Scalar($0)) }
        for (value, character) in characters.enumerated() {
            #expect((Base64.decode("A\(character)==") != nil) == (value & 0xF == 0), "A\(character)==")
            #expect((Base64.decode("AA\(character)=") != nil) == (value & 0x3 == 0), "AA\(character)=")
        }
        for (value, byte) in Base64Alphabet.url.characters.enumerated() {
            let character = Character(Unicode.Scalar(byte))
            #expect((Base64.decode("A\(character)", .url) != nil) == (value & 0xF == 0), "A\(character)")
            #expect((Base64.decode("AA\(character)", .url) != nil) == (value & 0x3 == 0), "AA\(character)")
        }
    }

    @Test("Agrees with Foundation on random bytes of every length") func agreesWithFoundation() {
        var random = RandomizedRun.generator(named: "Base64 against Foundation")
        for round in 0..<RandomizedRun.cases(300) {
            let count = round % 300
            let bytes = random.bytes(count)
            let standard = Data(bytes).base64EncodedString()
            let url = standard.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            #expect(Base64.encode(bytes) == standard)
            #expect(Base64.encode(bytes, .url) == url)
            #expect(Base64.encodedCount(count, .standard) == standard.utf8.count)
            #expect(Base64.encodedCount(count, .url) == url.utf8.count)
            #expect(Base64.decode(standard) == bytes)
            #expect(Base64.decode(url, .url) == bytes)
        }
    }

    @Test("Reads text whose storage is not contiguous, and slices") func readsTextWhose() {
        let text = "xxZm9vYmFyxx"
        #expect(Base64.decode(text.dropFirst(2).dropLast(2)) == Array("foobar".utf8))
        #expect(Base64.encode(Array("xfoox".utf8)[1..<4]) == "Zm9v")
        #expect(Base64.encode((0..<3).lazy.map { UInt8($0) }) == "AAEC")
    }

    @Test("Damaged text is refused or is the one text of other bytes", .mutationTimeLimit) func damagedTextRefused() {
        let genuine = ["AAECAwQFBgcICQ==", "3q2+7w==", "AAEC", "Zm9vYmE="]
        for text in genuine { #expect(Base64.decode(text).map { Base64.encode($0) } == text) }
        for mutant in Mutants("Base64", of: genuine, rounds: 5000) {
            let decoded = mutant.bytes.withUnsafeBytes { Base64.decode($0, .standard) }
            if let decoded { #expect(Array(Base64.encode(decoded).utf8) == mutant.bytes, "\(mutant)") }
            let url = mutant.bytes.withUnsafeBytes { Base64.decode($0, .url) }
            if let url { #expect(Array(Base64.encode(url, .url).utf8) == mutant.bytes, "\(mutant)") }
        }
    }
}
