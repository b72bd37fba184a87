# The two commands of the README, and their parts. Each sets up what it needs (scripts/) and is quick the second time.
.PHONY: demo test test-deep test-tunnel bench gallery pictures setup check clean

# Plays both sides in a scratch project: needs nothing but Python.
demo:
	@scripts/venv
	@.venv/bin/offprompt demo

# Everything that can be checked: style, types, import rules, freshness of what is built, tests with real parts.
test: setup
	@scripts/with-tools scripts/check
	@scripts/with-tools scripts/tests $(ARGS)

# What takes long, and is run before a release and in CI: ten times the examples, every picture, a clone in a folder with an
# odd name.
test-deep: setup
	@scripts/with-tools scripts/tests --deep $(ARGS)

# Opens a real tunnel through Cloudflare and answers through it: needs the internet, no account.
test-tunnel: setup
	@OFFPROMPT_TEST_TUNNEL=1 scripts/with-tools python -m pytest -m "" tests/tunnel/test_real.py

# Figures beside a peer's from the same run; nothing here passes or fails.
bench: bench-stdio bench-submit bench-page bench-tunnel bench-registry

bench-%: setup
	@scripts/peers
	@scripts/with-tools python bench/$*.py $(ARGS)

# Every state of the page as pictures, side by side in artefacts/gallery/index.html. `make test-deep` makes them, too.
gallery: setup
	@scripts/with-tools python -m pytest -q -m "" tests/browser/test_gallery.py

# The pictures of the page in the README, taken anew: look at them, and commit them.
pictures: setup
	@OFFPROMPT_PICTURES=1 scripts/with-tools python -m pytest -q tests/browser/test_pictures.py

setup:
	@scripts/setup

check: setup
	@scripts/with-tools scripts/check

clean:
	rm -rf .venv .e2e build dist *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	rm -rf offprompt/page/script/node_modules scripts/icons/node_modules tests/node/node_modules tests/harness/node_modules
	rm -rf tests/browser/firefox/node_modules artefacts
	rm -rf bench/peers/node_modules bench/peers/.venv
