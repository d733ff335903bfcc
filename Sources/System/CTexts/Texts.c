// The files of Sources/Shared/StoreFoundation/Texts, as the compiler found them.
#include "include/Texts.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char german[] = {
#embed "../../Shared/StoreFoundation/Texts/de.txt"
};
static const unsigned char english[] = {
#embed "../../Shared/StoreFoundation/Texts/en.txt"
};
static const unsigned char french[] = {
#embed "../../Shared/StoreFoundation/Texts/fr.txt"
};
static const unsigned char japanese[] = {
#embed "../../Shared/StoreFoundation/Texts/ja.txt"
};
static const unsigned char turkish[] = {
#embed "../../Shared/StoreFoundation/Texts/tr.txt"
};
static const unsigned char simplifiedChinese[] = {
#embed "../../Shared/StoreFoundation/Texts/zh-Hans.txt"
};

static const struct TextFile files[] = {
    {"de", german, sizeof german},     {"en", english, sizeof english}, {"fr", french, sizeof french},
    {"ja", japanese, sizeof japanese}, {"tr", turkish, sizeof turkish}, {"zh-Hans", simplifiedChinese, sizeof simplifiedChinese},
};

const struct TextFile *textFile(size_t number) {
    return number < sizeof files / sizeof files[0] ? &files[number] : 0;
}
