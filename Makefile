# The commands of this repository. Anything longer than a line is a script in Scripts/.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help base setup run release sample test rows lint bench docs screenshots soak clean

# Optimised as a whole, not module by module: a quarter of the processor time of a request.
RELEASE := --configuration release -Xswiftc -cross-module-optimization

help: ## List these commands.
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## Install what is missing: Debian packages, Python packages in .venv, and the hooks of git.
	@Scripts/setup.sh

base:
	@Scripts/setup.sh run

run: base ## Build till and run a store in ./till_data until Ctrl-C, with a console to open.
	swift build --product till
	.build/debug/till dev --data ./till_data

release: base ## Build till as it is to be deployed, optimised, and say where it is.
	swift build $(RELEASE) --product till
	@echo "$$(swift build $(RELEASE) --show-bin-path)/till"

sample: base ## Run a sample app against the store of make run, in another terminal; APP=MonkeyCredits, ARGS=--storekit2.
	@Scripts/sample.sh $(ARGS)

test: ## Set up, then run every test; TILL_SEED=N repeats the random cases of a run.
	@Scripts/test.sh

rows: ## List which tests prove which row of the requirements; ROWS="R2.4 R3.1" for some.
	@python3 Scripts/rows.py $(ROWS)

lint: setup ## Check the form of Swift, shell, Python and C.
	@Scripts/lint.sh

bench: setup ## Measure against peers, in release; BENCH_OPTIONS goes to till-bench.
	swift build $(RELEASE) --product till
	swift build $(RELEASE) --product till-bench
	"$$(swift build $(RELEASE) --show-bin-path)/till-bench" $(BENCH_OPTIONS)

docs: setup ## Build the documentation into .build/docs.
	@Scripts/docs.sh

screenshots: setup ## Take pictures of every page into .build/screenshots; CHOSEN=1 only those of the documentation.
	swift build --product till
	.venv/bin/python Scripts/screenshots.py $(if $(CHOSEN),--chosen)

soak: ## Run every test with the full counts of random cases, and sell a million times; takes long.
	@TILL_SOAK=1 Scripts/test.sh
	swift build $(RELEASE) --product till
	swift build $(RELEASE) --product till-bench
	"$$(swift build $(RELEASE) --show-bin-path)/till-bench" --soak 1000000
	"$$(swift build $(RELEASE) --show-bin-path)/till-bench" --year 100000

clean: ## Remove what was built; keeps ./till_data and .venv.
	rm -rf .build
	find . -path ./.venv -prune -o \( -name __pycache__ -o -name .pytest_cache \) -type d -print0 | xargs -0 rm -rf
