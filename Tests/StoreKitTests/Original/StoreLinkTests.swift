import Foundation
import Testing

@testable import StoreKit

/// Links to pages of the store, as apps read and make them.
@Suite("Links to pages of the store")
struct StoreLinkTests {
    @Test(
        "R7.3: the number of an item is taken from links of every form",
        arguments: [
            ("http://itunes.apple.com/us/app/angry-birds/id343200656?mt=8", 343_200_656),
            ("http://itunes.apple.com/us/app/ibooks/id364709193?mt=8", 364_709_193),
            ("http://itunes.apple.com/us/app/mwc-2012-unofficial/id496963922?mt=8", 496_963_922),
            ("https://apps.apple.com/app/id364709193", 364_709_193),
            ("itms-apps://itunes.apple.com/app/id364709193", 364_709_193),
            ("https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=364709193&mt=8", 364_709_193),
        ] as [(String, Int64)])
    func numbers(text: String, number: Int64) throws {
        #expect(StoreLink(text)?.storeIdentifier == number)
        #expect(StoreLink(try #require(URL(string: text)))?.storeIdentifier == number)
    }

    @Test("R1.12: a bundle id is no number, and a text without a number is no link")
    func refused() {
        for text in ["com.xamarin.mwc2012", "https://itunes.apple.com/us/app/com.xamarin.mwc2012", "ftp://a/id1", ""] {
            #expect(StoreLink(text) == nil, "\(text)")
        }
        #expect(StoreLink(storeIdentifier: 0) == nil && StoreLink(storeIdentifier: 1, country: "xx") == nil)
    }

    @Test("R7.3: a link is made of a number, and is read back with its song and its country")
    func made() throws {
        let link = try #require(StoreLink(storeIdentifier: 364_709_193, name: "iBooks", country: "US"))
        #expect(link.path == "/us/app/ibooks/id364709193?mt=8" && link.country == "us" && "\(link)" == link.path)
        let song = try #require(StoreLink("https://itunes.apple.com/de/album/ebb/id7?i=9&at=11l"))
        #expect(song.storeIdentifier == 7 && song.itemIdentifier == 9 && song.path == "/de/album/ebb/id7?i=9")
    }

    @Test("R7.3: the address of a page is that of the app's store; without a profile there is none")
    func addresses() {
        let link = StoreLink(storeIdentifier: 7)
        CurrentSession.$own.withValue(SessionContext(ScriptedSession())) {
            #expect(link?.url?.absoluteString == "https://store.example.com/app/id7?mt=8")
            #expect(StoreLink.store?.absoluteString == "https://store.example.com")
        }
        CurrentSession.$own.withValue(SessionContext(UnprovisionedSession(report: { _ in }))) {
            #expect(link?.url == nil && StoreLink.store == nil && link?.open() == false)
        }
    }
}
