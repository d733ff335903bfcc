// The files of Sources/Store/StoreCatalogue/Demo/DemoFiles, as the compiler found them.
#include "include/Resources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char bookchapters_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/bookchapters.artwork.png"
};
static const unsigned char dot_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/dot.artwork.png"
};
static const unsigned char dot_epub[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/dot.epub"
};
static const unsigned char dot_sample_epub[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/dot.sample.epub"
};
static const unsigned char ebb_preview_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/ebb.preview.wav"
};
static const unsigned char ebb_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/ebb.wav"
};
static const unsigned char low_tide_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/low-tide.artwork.png"
};
static const unsigned char low_tide_wide_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/low-tide.wide.png"
};
static const unsigned char magazines_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/magazines.artwork.png"
};
static const unsigned char monkeycredits_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/monkeycredits.artwork.png"
};
static const unsigned char monkeycredits_deb[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/monkeycredits.deb"
};
static const unsigned char monkeycredits_screenshot_1_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/monkeycredits.screenshot.1.png"
};
static const unsigned char monkeycredits_screenshot_2_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/monkeycredits.screenshot.2.png"
};
static const unsigned char monkeycredits_wide_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/monkeycredits.wide.png"
};
static const unsigned char night_bus_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/night-bus.artwork.png"
};
static const unsigned char night_bus_webm[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/night-bus.webm"
};
static const unsigned char night_bus_wide_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/night-bus.wide.png"
};
static const unsigned char photofilters_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/photofilters.artwork.png"
};
static const unsigned char productview_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/productview.artwork.png"
};
static const unsigned char rows_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/rows.wav"
};
static const unsigned char salt_road_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/salt-road.wav"
};
static const unsigned char signal_box_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/signal-box.artwork.png"
};
static const unsigned char signal_box_webm[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/signal-box.webm"
};
static const unsigned char tide_book_artwork_png[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/tide-book.artwork.png"
};
static const unsigned char tide_book_preview_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/tide-book.preview.wav"
};
static const unsigned char tide_book_wav[] = {
#embed "../../Store/StoreCatalogue/Demo/DemoFiles/tide-book.wav"
};

static const struct Resource files[] = {
    {"bookchapters.artwork.png", bookchapters_artwork_png, sizeof bookchapters_artwork_png},
    {"dot.artwork.png", dot_artwork_png, sizeof dot_artwork_png},
    {"dot.epub", dot_epub, sizeof dot_epub},
    {"dot.sample.epub", dot_sample_epub, sizeof dot_sample_epub},
    {"ebb.preview.wav", ebb_preview_wav, sizeof ebb_preview_wav},
    {"ebb.wav", ebb_wav, sizeof ebb_wav},
    {"low-tide.artwork.png", low_tide_artwork_png, sizeof low_tide_artwork_png},
    {"low-tide.wide.png", low_tide_wide_png, sizeof low_tide_wide_png},
    {"magazines.artwork.png", magazines_artwork_png, sizeof magazines_artwork_png},
    {"monkeycredits.artwork.png", monkeycredits_artwork_png, sizeof monkeycredits_artwork_png},
    {"monkeycredits.deb", monkeycredits_deb, sizeof monkeycredits_deb},
    {"monkeycredits.screenshot.1.png", monkeycredits_screenshot_1_png, sizeof monkeycredits_screenshot_1_png},
    {"monkeycredits.screenshot.2.png", monkeycredits_screenshot_2_png, sizeof monkeycredits_screenshot_2_png},
    {"monkeycredits.wide.png", monkeycredits_wide_png, sizeof monkeycredits_wide_png},
    {"night-bus.artwork.png", night_bus_artwork_png, sizeof night_bus_artwork_png},
    {"night-bus.webm", night_bus_webm, sizeof night_bus_webm},
    {"night-bus.wide.png", night_bus_wide_png, sizeof night_bus_wide_png},
    {"photofilters.artwork.png", photofilters_artwork_png, sizeof photofilters_artwork_png},
    {"productview.artwork.png", productview_artwork_png, sizeof productview_artwork_png},
    {"rows.wav", rows_wav, sizeof rows_wav},
    {"salt-road.wav", salt_road_wav, sizeof salt_road_wav},
    {"signal-box.artwork.png", signal_box_artwork_png, sizeof signal_box_artwork_png},
    {"signal-box.webm", signal_box_webm, sizeof signal_box_webm},
    {"tide-book.artwork.png", tide_book_artwork_png, sizeof tide_book_artwork_png},
    {"tide-book.preview.wav", tide_book_preview_wav, sizeof tide_book_preview_wav},
    {"tide-book.wav", tide_book_wav, sizeof tide_book_wav},
};

const struct Resource *demoFile(size_t number) {
    return number < sizeof files / sizeof files[0] ? &files[number] : 0;
}
