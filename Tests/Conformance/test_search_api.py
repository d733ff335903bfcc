"""The search API, asked by a client that others wrote for the App Store's, after its address alone was changed."""

import itunespy
import pytest
import requests
from itunespy import music_album, music_artist, track

from conftest import tool_path
from support.shop import Shop
from support.till import run
from support.waiting import PATIENCE

TILL = tool_path().with_name("till")

pytestmark = pytest.mark.rows("R7.3", "R7.4")


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(TILL, tmp_path_factory.mktemp("search") / "store")
    yield shop
    assert shop.stop() == 0


@pytest.fixture(autouse=True)
def pointed(shop, monkeypatch):
    """Points the client at the sandbox, where nobody is kept waiting."""
    monkeypatch.setattr(itunespy, "base_search_url", f"{shop.address}/search")
    monkeypatch.setattr(itunespy, "base_lookup_url", f"{shop.address}/lookup")


def test_books_are_found_as_the_documents_find_them():
    book = itunespy.search_book("dot and the kangaroo", country="US")[0]
    assert book.track_name == "Dot and the Kangaroo" and book.artist_name == "Ethel C. Pedley"
    assert book.price == 0.99 and book.currency == "USD" and book.kind == "ebook"
    assert f"/us/book/dot-and-the-kangaroo/id{book.track_id}" in book.track_view_url
    assert itunespy.lookup_book(id=book.track_id)[0].track_id == book.track_id
    assert itunespy.search_book_author("pedley")[0].artist_id == book.artist_id


def test_apps_are_found_with_what_a_page_needs():
    app = itunespy.search_software("monkey")[0]
    assert app.bundle_id == Shop.BUNDLE and app.price == 0 and app.formatted_price == "Free"
    assert app.type == "software" and "Games" in app.genres and len(app.screenshot_urls) == 2
    picture = requests.get(app.artwork_url_512, timeout=PATIENCE)
    assert picture.ok and picture.headers["Content-Type"].startswith("image/")
    assert requests.get(app.track_view_url, timeout=PATIENCE).ok
    assert app.parsed_release_date.year > 2000 and app.get_country() == "US"


def test_an_album_leads_to_its_songs_and_an_artist_to_its_albums():
    artist = itunespy.search_artist("looms")[0]
    assert isinstance(artist, music_artist.MusicArtist)
    [album] = artist.get_albums()
    assert isinstance(album, music_album.MusicAlbum) and album.collection_name == "Low Tide"
    songs = album.get_tracks()
    assert [song.track_name for song in songs] == ["Ebb", "Rows", "Salt Road"]
    assert [song.track_number for song in songs] == [1, 2, 3] and songs[1].track_price == -1
    assert itunespy.search_track("salt road")[0].collection_id == album.collection_id
    with pytest.raises(LookupError):
        itunespy.search_album("nothing of the kind")


def test_films_and_shows_are_found():
    film = itunespy.search_movie("night bus")[0]
    assert isinstance(film, track.Track) and film.kind == "feature-movie" and film.content_advisory_rating == "G"
    season = itunespy.search_tv_season("signal box")[0]
    assert season.collection_type == "TV Season" and season.track_count == 2
    episode = itunespy.search_tv_episodes("up line")[0]
    assert episode.collection_id == season.collection_id and episode.artist_name == "Signal Box"
    assert itunespy.search_director("firth")[0].artist_type == "Movie Artist"


def test_typing_errors_and_other_languages_find_the_same():
    assert itunespy.search_book("dot and the kangarro")[0].track_name == "Dot and the Kangaroo"
    assert itunespy.search_book("カンガルー")[0].track_name == "Dot and the Kangaroo"
    assert itunespy.search_book("袋鼠")[0].track_name == "Dot and the Kangaroo"
    assert itunespy.search_book("kanguru", country="TR")[0].currency == "TRY"


def test_production_answers_twenty_calls_a_minute_unless_it_is_told_otherwise(shop):
    address = f"http://127.0.0.1:{shop.production}/search"
    # One call comes back every three seconds, so that a slow machine gets a few more answers.
    answers = []
    while not answers or answers[-1].ok:
        assert len(answers) < 200, "nobody was refused"
        answers.append(requests.get(address, {"term": "kangaroo"}, timeout=PATIENCE))
    assert len(answers) > 20
    assert answers[-1].status_code == 403 and int(answers[-1].headers["Retry-After"]) >= 1
    # Pages of the store go on searching.
    assert requests.get(f"http://127.0.0.1:{shop.production}/us/search", {"term": "kangaroo"}, timeout=PATIENCE).ok


def test_the_index_is_written_anew_while_the_store_runs(shop):
    assert "The index has " in shop.till("database", "reindex").stdout
    assert itunespy.search_book("kangaroo")[0].track_name == "Dot and the Kangaroo"
    checked = run(TILL, "database", "check", "--data", shop.data)
    assert checked.returncode == 0, checked.stderr
