# Plyscope: every command sets up what it needs.  `make PYTHON=python3.12 run` takes another interpreter.
# The newest Python that runs (a name on the path may be an empty shim) and can make a venv.
ifndef PYTHON
PYTHON := $(shell for name in python3.13 python3.12 python3.11 python3; do \
	$$name -c 'import sys, ensurepip, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null && \
	echo $$name && exit; done; echo python3)
endif
VENV := .venv
BIN := $(VENV)/bin
PROGRAM := $(VENV)/.program
STAMP := $(VENV)/.installed
KERNELS := $(VENV)/.kernels
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help run checks test test-all lint bench bench-tree bench-gui bench-gpu fuzz soak soak-short guide guide-pictures wheel package check-python check-qt check-window

help:
	@echo 'make run     open the window                       (make run ARGS="analyze connect4 \"d d\"" for a command)'
	@echo 'make test    the checks: style, types, import rules, all tests but the slow ones'
	@echo 'make test-all    the same with the slow tests, half an hour'
	@echo 'make lint    style, types and import rules only'
	@echo 'make bench   measure the search on this machine'
	@echo 'make bench-tree  measure what the search costs beside the net, by processor time'
	@echo 'make bench-gpu  measure a GPU: the nets, search, self-play and learning on it'
	@echo 'make bench-gui  measure the window: how fast it answers, what it costs the search'
	@echo 'make fuzz    damaged files for every reader      (make fuzz ARGS="-k session --hypothesis-seed=2")'
	@echo 'make soak     two hours of random use of the window, counting what goes wrong; make soak-short: one minute'
	@echo 'make guide    the guide and the lessons as a website in build/guide; make guide-pictures takes its pictures anew'
	@echo 'make wheel   a wheel in dist/ that brings its compiled kernels along, for this Python and this kind of machine'
	@echo 'make package a folder and an archive in build/package that run on Linux without Python, without training'
	@echo 'Each makes .venv first when it is missing or older than pyproject.toml, with the newest Python from 3.11 to 3.13;'
	@echo 'PYTHON=python3.12 takes another interpreter.'

run: check-window $(STAMP) $(KERNELS)
	@$(BIN)/plyscope $(ARGS)

# While the kernels are compiled, the packages for development are installed, and then the style and types are checked.
checks: check-qt $(PROGRAM)
	$(MAKE) --no-print-directory --jobs 2 --output-sync=line lint $(KERNELS)

# Sets of words are in one order in every run; pytest alone, soak and the program take another each time.
test test-all: export PYTHONHASHSEED = 0

test: checks
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'not slow' $(ARGS)

test-all: checks
	$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/python tests/rules.py

bench: $(STAMP)
	$(BIN)/python -m measure.bench_speed $(ARGS)

bench-tree: $(STAMP)
	$(BIN)/python -m measure.bench_tree $(ARGS)

bench-gui: check-qt $(STAMP)
	$(BIN)/python -m measure.window $(ARGS)

fuzz: check-qt $(STAMP)
	$(BIN)/python -m pytest tests/damage -n 2 --dist worksteal --hypothesis-profile=fuzz $(ARGS)

bench-gpu: $(STAMP)
	$(BIN)/python -m measure.gpu $(ARGS)

soak: check-qt $(STAMP)
	$(BIN)/python -m measure.soak $(ARGS)

# Kernels that are compiled in so short a time weigh more than what it may grow by otherwise.
soak-short: check-qt $(STAMP)
	$(BIN)/python -m measure.soak --minutes 0.5 --seeds 2 --jobs 2 --growth 400

LANGUAGES := <a href='../en/index.html'>English</a> · <a href='../zh_CN/index.html'>简体中文</a> · <a href='../lessons/index.html'>Lessons 课程</a>

# Sphinx is asked for without a file of settings: the pages are the program's, which shows them itself.
# Its search in Chinese is broken (its script names a ChineseStemmer that there is not); that of English finds parts of words.
guide: check-qt $(STAMP) $(KERNELS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[guide]'
	for language in en zh_CN; do $(BIN)/python -m sphinx -q -C -D project=Plyscope -D extensions=myst_parser \
		-D html_theme=furo -D html_title=Plyscope -D myst_heading_anchors=3 -D language=$$language -D suppress_warnings=myst.xref_missing -W \
		-D html_show_copyright=0 -D html_search_language=en -D html_theme_options.announcement="$(LANGUAGES)" \
		resources/guide/$$language build/guide/$$language || exit; done
	QT_QPA_PLATFORM=offscreen $(BIN)/python -P -m gui.app --lessons build/guide/lessons --theme light

guide-pictures: check-qt $(STAMP) $(KERNELS)
	$(BIN)/python -m measure.pictures $(ARGS)

# What the program needs without training, and OpenSpiel, whose games have kernels too.
$(PROGRAM): pyproject.toml | check-python
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -e '.[openspiel]' >&2
	touch $(PROGRAM)

# torch first and by its exact version: where a build for this machine is provided beside PyPI, that one is taken.
$(STAMP): $(PROGRAM)
	$(BIN)/python -m pip install --disable-pip-version-check 'torch==2.13.0' >&2
	$(BIN)/python -m pip install --disable-pip-version-check -e '.[dev]' >&2
	touch $(STAMP)

# Once, at install; after an edit what depends on it is compiled when it is needed.
$(KERNELS): $(PROGRAM)
	PYTHONPATH=. $(BIN)/python -P -m gui.app kernels
	touch $(KERNELS)

# Compiled anew, all of them, when a source that they may be made from is newer.
SHIPPED := core/compiled/.made
$(SHIPPED): $(STAMP) $(wildcard core/*.py core/*/*.py models/kernels.py models/runs/config.py gui/rooms/tree/picture_raster.py)
	rm -rf core/compiled
	$(BIN)/plyscope kernels --into core/compiled
	touch $(SHIPPED)

wheel: $(STAMP) $(SHIPPED)
	rm -rf build/lib
	$(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --wheel-dir dist .

# With the kernels that the wheel brings along.
package: check-qt wheel
	$(BIN)/python -m measure.package --wheel "$$(ls -t dist/plyscope-*.whl | head -1)"

check-python:
	@command -v $(PYTHON) >/dev/null || { echo 'Python 3.11, 3.12 or 3.13 is needed and $(PYTHON) is not there: sudo apt-get install -y python3 python3-venv, or make PYTHON=/path/to/python' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || { echo "Python 3.11, 3.12 or 3.13 is needed and $(PYTHON) is $$($(PYTHON) -V 2>&1): name another with make PYTHON=python3.12" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo 'The venv module of $(PYTHON) is missing: sudo apt-get install -y python3-venv' >&2; exit 1; }

# What Qt needs of the system: "library package" pairs, tried by loading them.
export QT_LIBRARIES := libEGL.so.1 libegl1 libGL.so.1 libgl1 libdbus-1.so.3 libdbus-1-3 libfontconfig.so.1 libfontconfig1 \
	libglib-2.0.so.0 libglib2.0-0 libxkbcommon.so.0 libxkbcommon0
export WINDOW_LIBRARIES := libxcb-cursor.so.0 libxcb-cursor0 libxcb-icccm.so.4 libxcb-icccm4 libxcb-keysyms.so.1 libxcb-keysyms1 \
	libxcb-shape.so.0 libxcb-shape0 libxkbcommon-x11.so.0 libxkbcommon-x11-0
define CHECK_LIBRARIES
import ctypes, os, sys
words = " ".join(os.environ[name] for name in sys.argv[1:]).split()
missing = []
for library, package in zip(words[::2], words[1::2]):
    try:
        ctypes.CDLL(library)
    except OSError:
        missing.append(package)
if missing and sys.platform == "linux":
    sys.exit("Qt needs system libraries that are missing: sudo apt-get install -y " + " ".join(missing))
endef
export CHECK_LIBRARIES

check-qt: check-python
	@$(PYTHON) -c "$$CHECK_LIBRARIES" QT_LIBRARIES

check-window: check-python
	@$(PYTHON) -c "$$CHECK_LIBRARIES" QT_LIBRARIES WINDOW_LIBRARIES
