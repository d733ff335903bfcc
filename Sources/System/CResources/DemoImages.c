// The files of Sources/Store/StoreCatalogue/Demo/DemoImages, as the compiler found them.
#include "include/Resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bookchapters_chapter1[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.bookchapters.chapter1.png"
};
static const unsigned char bookchapters_chapter2[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.bookchapters.chapter2.png"
};
static const unsigned char magazines_halfyear[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.magazines.halfyear.png"
};
static const unsigned char magazines_issue1[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.magazines.issue1.png"
};
static const unsigned char magazines_letter[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.magazines.letter.png"
};
static const unsigned char magazines_monthly[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.magazines.monthly.png"
};
static const unsigned char magazines_yearly[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.magazines.yearly.png"
};
static const unsigned char monkeycredits_club[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.monkeycredits.club.png"
};
static const unsigned char monkeycredits_credits10[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.monkeycredits.credits10.png"
};
static const unsigned char monkeycredits_credits5[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.monkeycredits.credits5.png"
};
static const unsigned char monkeycredits_jungle[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.monkeycredits.jungle.png"
};
static const unsigned char monkeycredits_season[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.monkeycredits.season.png"
};
static const unsigned char photofilters_all[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.photofilters.all.png"
};
static const unsigned char photofilters_clubmonthly[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.photofilters.clubmonthly.png"
};
static const unsigned char photofilters_clubyearly[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.photofilters.clubyearly.png"
};
static const unsigned char photofilters_mono[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.photofilters.mono.png"
};
static const unsigned char photofilters_sepia[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.photofilters.sepia.png"
};
static const unsigned char productview_advice[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.productview.advice.png"
};
static const unsigned char productview_wishlist[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoImages/com.example.productview.wishlist.png"
};

static const struct Resource images[] = {
    {"com.example.bookchapters.chapter1", bookchapters_chapter1, sizeof bookchapters_chapter1},
    {"com.example.bookchapters.chapter2", bookchapters_chapter2, sizeof bookchapters_chapter2},
    {"com.example.magazines.halfyear", magazines_halfyear, sizeof magazines_halfyear},
    {"com.example.magazines.issue1", magazines_issue1, sizeof magazines_issue1},
    {"com.example.magazines.letter", magazines_letter, sizeof magazines_letter},
    {"com.example.magazines.monthly", magazines_monthly, sizeof magazines_monthly},
    {"com.example.magazines.yearly", magazines_yearly, sizeof magazines_yearly},
    {"com.example.monkeycredits.club", monkeycredits_club, sizeof monkeycredits_club},
    {"com.example.monkeycredits.credits10", monkeycredits_credits10, sizeof monkeycredits_credits10},
    {"com.example.monkeycredits.credits5", monkeycredits_credits5, sizeof monkeycredits_credits5},
    {"com.example.monkeycredits.jungle", monkeycredits_jungle, sizeof monkeycredits_jungle},
    {"com.example.monkeycredits.season", monkeycredits_season, sizeof monkeycredits_season},
    {"com.example.photofilters.all", photofilters_all, sizeof photofilters_all},
    {"com.example.photofilters.clubmonthly", photofilters_clubmonthly, sizeof photofilters_clubmonthly},
    {"com.example.photofilters.clubyearly", photofilters_clubyearly, sizeof photofilters_clubyearly},
    {"com.example.photofilters.mono", photofilters_mono, sizeof photofilters_mono},
    {"com.example.photofilters.sepia", photofilters_sepia, sizeof photofilters_sepia},
    {"com.example.productview.advice", productview_advice, sizeof productview_advice},
    {"com.example.productview.wishlist", productview_wishlist, sizeof productview_wishlist},
};

const struct Resource *demoImage(size_t number) {
    return number < sizeof images / sizeof images[0] ? &images[number] : 0;
}
