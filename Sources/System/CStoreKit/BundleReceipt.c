/* Puts StoreKit's answer in the place of Foundation's for Bundle.appStoreReceiptURL.
 *
 * On Linux Foundation declares that property and always answers nil, and a second declaration in StoreKit would make
 * every use of it ambiguous. But it is an ordinary overridable property, so calls go through the table of methods of the
 * class. When the program starts, the getter in that table is replaced by StoreKit's.
 *
 * Class and getters are found by their symbols, at link time, so this works with a dynamic and with a static Foundation.
 * The place is found by comparing pointers. Where a Foundation has no such place, nothing is changed: the property then
 * answers nil as before, and Bundle.storeReceiptURL of StoreKit answers all the same. */
#include <stddef.h>
#include <stdint.h>

/* A class as Swift lays it out where there is no Objective-C. The table of methods follows, among other words. */
struct swift_class {
    const void *kind;
    const struct swift_class *superclass;
    uint32_t flags;
    uint32_t instance_address_point;
    uint32_t instance_size;
    uint16_t instance_alignment;
    uint16_t reserved;
    uint32_t class_size;
    uint32_t class_address_point;
    const void *words[];
};

/* Foundation.Bundle, and its getter of appStoreReceiptURL. */
extern struct swift_class foundation_bundle __asm__("$s10Foundation6BundleCN");
extern const char foundation_getter[] __asm__("$s10Foundation6BundleC18appStoreReceiptURL0A10Essentials0F0VSgvg");

/* The getter of StoreKit, in Bundle+Receipt.swift. */
extern const char storekit_getter[] __asm__("storekit_receipt_getter");

__attribute__((constructor)) static void install_receipt_getter(void) {
    size_t head = foundation_bundle.class_address_point + offsetof(struct swift_class, words);
    if (foundation_bundle.class_size < head) return;
    size_t count = (foundation_bundle.class_size - head) / sizeof(void *);
    for (size_t place = 0; place < count; place++) {
        if (foundation_bundle.words[place] != (const void *)foundation_getter) continue;
        foundation_bundle.words[place] = (const void *)storekit_getter;
        return;
    }
}
