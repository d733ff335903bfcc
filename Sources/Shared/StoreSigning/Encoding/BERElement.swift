/// One value of an ASN.1 encoding, as ranges of the bytes it was found in.
struct BERElement {
    let tag: ASN1Tag
    /// From the tag to the last octet that belongs to the value.
    let whole: Range<Int>
    let content: Range<Int>
}
