"""The pages about people, with somebody on each of them."""

import requests

from support.waiting import PATIENCE


def decide_for_others(pages):
    """A child that asks for something, and waits."""
    shop = pages.shop
    pages.child = shop.add_tester("child@example.com")
    shop.ask("POST", "/families", {"organiser": "ada@example.com"})
    shop.ask("POST", "/families/ada@example.com/members", {"customer": "child@example.com", "role": "child"})
    toy = pages._signed_in("child@example.com")
    waiting = pages._asked(toy, "jungle")
    toy.confirm(waiting)
    page = shop.ask("GET", "/approvals")["items"][0]["page"]
    pages.addresses |= {
        "approval": shop.address + page, "purchase-approval": f"{pages.console}/purchases/{waiting['purchaseId']}",
    }


def show_people(pages):
    """Teams, those who would like to be one, the store's own people, and families."""
    shop, console, team = pages.shop, pages.console, f"{pages.console}/teams/my-team"
    shop.till("members", "put", "my-team", "dev@example.com", "--name", "Dev", "--role", "developer")
    invited = shop.till("people", "invite", "ada@example.com", "--name", "Ada", "--role", "reviewer").stdout.strip()
    form = {
        "teamId": "zoo", "teamName": "Zoo", "name": "Ada Ape", "email": "ada@zoo.example", "plans": "Animals",
        "version": "0", "agreed": "yes",
    }
    asked = requests.post(f"{pages.store}/console/apply", form, allow_redirects=False, timeout=PATIENCE)
    assert asked.status_code == 303, asked.text
    pages.others += [f"{console}/team", f"{pages.store}/console/code"]
    pages.addresses |= {
        "account": f"{console}/account", "second-factor": f"{console}/account/second-factor",
        "teams": f"{console}/teams", "team": team, "team-finance": f"{team}/finance",
        "team-applications": f"{console}/teams/applications", "agreement": f"{console}/agreements/paid",
        "people": f"{console}/people", "families": f"{console}/families",
        "family": f"{console}/families/ada@example.com", "apply": f"{pages.store}/console/apply",
        "applied": pages.store + asked.headers["Location"], "invitation": invited,
    }
