"""The pages of the console about money, by their names."""

from datetime import UTC, datetime


def money_pages(console: str) -> dict[str, str]:
    return {
        "ledger": f"{console}/ledger", "ledger-lines": f"{console}/ledger/postings",
        "ledger-unreadable": f"{console}/ledger?from=yesterday", "finance": f"{console}/finance",
        "finance-products": f"{console}/finance?by=product",
        "statement": f"{console}/finance/statements/my-team/{datetime.now(UTC):%Y-%m}",
        "transactions-narrowed": f"{console}/transactions?amountFrom=1&currency=USD",
    }
