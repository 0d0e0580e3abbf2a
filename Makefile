# Palimpsest. `make help` lists what there is.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
BIN := build/bin
WINDOW := $(BIN)/palimpsest$(if $(filter Windows_NT,$(OS)),.exe)
HEADLESS := $(BIN)/palimpsest-headless$(if $(filter Windows_NT,$(OS)),.exe)
SERVED := $(BIN)/tools/palimpsest-served$(if $(filter Windows_NT,$(OS)),.exe)
WINDOWS := $(BIN)/palimpsest.exe $(BIN)/palimpsest-window.exe $(BIN)/palimpsest-amd64-installer.exe
LINTER := $(BIN)/tools/golangci-lint
TYPES := $(BIN)/tools/types
LDFLAGS := -X palimpsest/backend.Version=$(VERSION)
WAILS_TAGS := webkit2_41
PRODUCTION := desktop,production,$(WAILS_TAGS)
# SQLite, which is C translated to Go, is not watched: none of our variables is in its memory, and to watch what it does there takes more
# than half of the time of a test that asks it.
# Nor are expressions, the reading of JSON and sums of texts, which are given texts that nobody changes and take four times as long when watched,
# nor what compares in tests alone.
# What shares generic code with us has to be watched: of that the linker takes one copy for all.
UNWATCHED := $(foreach p,modernc.org/sqlite/lib modernc.org/libc modernc.org/memory regexp regexp/syntax github.com/tidwall/gjson palimpsest/backend/wellformed \
	palimpsest/backend/siphash github.com/google/go-cmp/cmp/...,-gcflags=$(p)=-race=false)
# One way of building for all: what compiles for the window is then what the linter reads, and what another clone compiled before.
# Go is asked for the others, which it may have stored.
export GOFLAGS := $(strip $(filter-out -trimpath,$(shell go env GOFLAGS)) -trimpath)
# Compilers, linters and tests end soon: a fifth of their time went into collecting what would be gone by then.
THRIFTY := GOGC=400
# A machine that does other work takes its time: that is no mistake of a package's. Vet is asked by the linter, which knows more of it.
TEST := go test -vet=off -timeout 30m
# Else every process that a test starts, and every package's own, rests a second before it ends.
RACE := build/scripts/scratch env GORACE=atexit_sleep_ms=50 $(THRIFTY) $(TEST) -race $(UNWATCHED)
# What one goroutine does, and takes five times as long to when watched, is in files for tests without the race detector: those that say how
# much may be held, read or done, and the scripts, which start hundreds of programs.
ALONE = $(sort $(shell grep -rl --include='*_test.go' '^//go:build .*!race' backend))
FUZZTIME ?= 20s
# The table of what the program's benchmarks measured.
FIGURES := build/bench/program.md

# Go tests run in their packages' folders: the path must hold there too.
ifneq ($(PALIMPSEST_SAMPLES),)
ifneq ($(wildcard $(PALIMPSEST_SAMPLES)/.),)
override PALIMPSEST_SAMPLES := $(abspath $(PALIMPSEST_SAMPLES))
export PALIMPSEST_SAMPLES
else
$(warning PALIMPSEST_SAMPLES: no folder $(PALIMPSEST_SAMPLES))
override PALIMPSEST_SAMPLES :=
unexport PALIMPSEST_SAMPLES
endif
endif

ONCE := build/scripts/once
SAY := @printf '== %s\n'

GO_KEY = -k "$$(go env GOVERSION GOOS GOARCH)"
NODE_KEY = -k "$$(node --version)"
PROGRAM_INPUTS = go.mod go.sum wails.json frontend/dist frontend/src/lib/commands/commands.json \
	$(shell find *.go backend -type f -not -name '*_test.go' -not -path '*/testdata/*')
# Wails writes more into the folder of the installer.
WINDOWS_INPUTS = build/windows/icon.ico build/windows/info.json build/windows/wails.exe.manifest build/windows/installer/project.nsi
# Everything of the page but what is fetched, built or left behind by a test run.
PAGE_INPUTS = $(shell find frontend -mindepth 1 -maxdepth 1 \
	-not -name node_modules -not -name dist -not -name e2e -not -name bench \
	-not -name '.svelte-kit' -not -name 'test-results' -not -name 'playwright-report' -not -name coverage)

## help: this list
.PHONY: help
help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST) | awk -F ': ' '{ printf "make %-13s %s\n", $$1, $$2 }'

## run: install what is missing, build, open the window
.PHONY: run
run: display packages-run window
	$(WINDOW)

## build: the program, at build/bin/palimpsest
.PHONY: build
build: packages-run window

## headless: the program without window and C, at build/bin/palimpsest-headless
.PHONY: headless
headless: page
	@$(ONCE) headless -o $(HEADLESS) $(GO_KEY) $(PROGRAM_INPUTS) -- \
		env $(THRIFTY) CGO_ENABLED=0 go build -trimpath -tags headless -ldflags '-s -w $(LDFLAGS)' -o $(HEADLESS) .

## build-windows: two programs and their installer for Windows, at build/bin
.PHONY: build-windows
build-windows: packages-windows page
	@$(ONCE) windows $(foreach f,$(WINDOWS),-o $(f)) $(GO_KEY) $(PROGRAM_INPUTS) build/appicon.png $(WINDOWS_INPUTS) -- \
		build/scripts/windows '$(LDFLAGS)'
	@PALIMPSEST_WINDOWS=$(abspath $(BIN)) go test -count=1 -tags windows_build ./build/windows

## test: install what is missing, run every test and linter
.PHONY: test
test: packages-test samples page test-go window served types-windows
	@MAKE=$(MAKE) build/scripts/beside window-test checks
	@$(MAKE) e2e
	$(SAY) 'Everything passed'

## bench: benchmarks of the program, then of the page, and their figures beside the limits, also in build/bench. LARGE=1 adds 10,000 sessions with 1 GB
.PHONY: bench
bench: bench-go bench-page $(if $(SOAK),bench-soak)

## lint: golangci-lint, svelte-check, eslint, prettier, shellcheck
.PHONY: lint
lint: packages-test page lint-scripts
	@MAKE=$(MAKE) build/scripts/beside lint-page lint-go

# What was compiled of the tests stays, when the folder for temporary files goes.
COMPILED = PWTEST_CACHE_DIR=$(abspath frontend/node_modules/.cache/e2e)

## e2e: the page in Chromium against the real program
.PHONY: e2e
e2e: packages-test served
	@$(ONCE) e2e $(NODE_KEY) $(SERVED) frontend/package-lock.json $(PAGE_INPUTS) frontend/e2e -- \
		build/scripts/scratch env PALIMPSEST_BIN=$(abspath $(SERVED)) $(COMPILED) npm --prefix frontend run e2e

## shots: a picture of every screen and state, light and dark, at both sizes; README's come from them
.PHONY: shots
shots: packages-test headless
	rm -rf build/shots
	env PALIMPSEST_BIN=$(abspath $(HEADLESS)) PALIMPSEST_SHOTS=$(abspath build/shots) \
		npm --prefix frontend run e2e -- --grep @look
	@build/scripts/gallery

## window-test: the real window, on a display of its own
.PHONY: window-test
window-test: packages-test window
	@$(ONCE) window-test $(GO_KEY) $(WINDOW) build/window -- \
		env PALIMPSEST_BIN=$(abspath $(WINDOW)) PALIMPSEST_SHOTS=$(abspath build/shots) \
		go test -count=1 -tags window ./build/window

## fuzz: every fuzz test for FUZZTIME (20s)
.PHONY: fuzz
fuzz:
	@build/scripts/fuzz $(FUZZTIME)

## fmt: format Go and the page
.PHONY: fmt
fmt: linter page-packages
	$(LINTER) fmt *.go backend build
	npm --prefix frontend run format

## pi: pi's own library, which tests of its sessions ask; comes with make test where there are samples
.PHONY: pi
pi:
	@$(ONCE) pi -o build/pi/node_modules $(NODE_KEY) build/pi/package.json build/pi/package-lock.json -- \
		npm --prefix build/pi ci --ignore-scripts --no-audit --no-fund --fetch-retries=1

## clean: remove what was built
.PHONY: clean
clean:
	rm -rf $(BIN) build/.stamps build/shots build/bench frontend/dist frontend/test-results frontend/playwright-report

# Steps of the above.

.PHONY: display packages-run packages-test packages-windows samples page-packages page window served linter types
display:
	@build/scripts/display

packages-run:
	@build/scripts/packages run

packages-test:
	@build/scripts/packages test

packages-windows:
	@build/scripts/packages windows

samples:
	$(SAY) '$(if $(PALIMPSEST_SAMPLES),Real samples: $(PALIMPSEST_SAMPLES),PALIMPSEST_SAMPLES is not set: tests over real samples will skip)'
	$(if $(PALIMPSEST_SAMPLES),@$(MAKE) pi || printf '== %s\n' "pi's own library can't be installed: its tests will skip")

page-packages:
	@$(ONCE) page-packages -o frontend/node_modules $(NODE_KEY) frontend/package.json frontend/package-lock.json -- \
		npm --prefix frontend ci --no-audit --no-fund

page: page-packages
	@$(ONCE) page -o frontend/dist/index.html $(NODE_KEY) $(PAGE_INPUTS) -- npm --prefix frontend run build

# On Linux a window is no more than a program, and what compiles it there is all that Wails would have Go do; to make Wails' own program for that
# takes longer than the window.
WINDOW_BUILD = $(if $(filter Linux,$(shell uname -s)),\
	env $(THRIFTY) go build -buildvcs=false -trimpath -tags $(PRODUCTION) -ldflags '-w -s $(LDFLAGS)' -o $(WINDOW) .,\
	env NO_COLOR=1 go tool wails build -v 0 -m -s -skipbindings -nosyncgomod -trimpath \
		-tags $(WAILS_TAGS) -ldflags '$(LDFLAGS)' -o $(notdir $(WINDOW)))
window: page
	@$(ONCE) window -o $(WINDOW) $(GO_KEY) $(PROGRAM_INPUTS) build/appicon.png build/darwin $(WINDOWS_INPUTS) -- \
		$(WINDOW_BUILD)

# The headless program, compiled as the window is and so of what that has compiled, while its standard library without C would be all of it
# once more. That nothing but that library has any C is looked at here.
served: page
	@$(ONCE) served -o $(SERVED) $(GO_KEY) $(PROGRAM_INPUTS) -- sh -euc '\
		c=$$(go list -deps -tags headless -f "{{if and .CgoFiles (not .Standard)}}{{.ImportPath}}{{end}}" .); \
		if [ -n "$$c" ]; then echo "headless, and has C: $$c" >&2; exit 1; fi; \
		$(THRIFTY) go build -buildvcs=false -trimpath -tags headless -ldflags "-s -w $(LDFLAGS)" -o $(SERVED) .'

linter:
	@$(ONCE) linter -o $(LINTER) $(GO_KEY) build/tools -- \
		env $(THRIFTY) go -C build/tools build -o $(abspath $(LINTER)) github.com/golangci/golangci-lint/v2/cmd/golangci-lint

types:
	@$(ONCE) types -o $(TYPES) $(GO_KEY) build/tools -- \
		env $(THRIFTY) sh -ec 'go -C build/tools test ./types; go -C build/tools build -o $(abspath $(TYPES)) ./types'

.PHONY: bench-go bench-page
bench-go:
	@mkdir -p $(dir $(FIGURES))
	@printf '| what | measured | limit | |\n|---|---|---|---|\n' > $(FIGURES)
	PALIMPSEST_FIGURES=$(abspath $(FIGURES)) $(if $(LARGE),PALIMPSEST_BENCH=large) go test -run '^$$' -bench . -benchmem -timeout 0 ./backend/...
	@cat $(FIGURES)

# Agents side by side for as long as SOAK says, such as 30m.
bench-soak:
	PALIMPSEST_SOAK=$(SOAK) go test -race -count 1 -run TestSoak -timeout 0 -v ./backend

bench-page: packages-test headless
	@env PALIMPSEST_BIN=$(abspath $(HEADLESS)) npm --prefix frontend run bench

.PHONY: checks test-go types-windows test-page lint-go lint-page lint-scripts
# What takes as long as the window's tests, which wait more than they work.
checks: lint test-page

# One package more than there are processors: many of these tests wait.
ATONCE = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
test-go:
	$(SAY) 'go test -race ./backend/...'
	@$(RACE) -p $(ATONCE) ./backend/...
	$(SAY) 'go test, what is not watched'
	@build/scripts/scratch env GOGC=200 $(TEST) -p $(ATONCE) $(patsubst %,./%,$(sort $(dir $(ALONE)))) \
		-run "^($$(sed -n 's/^func \(Test[[:alnum:]_]*\)(.*/\1/p' $(ALONE) | paste -s -d '|' -))\$$"

# Whether Windows' half compiles. It is not compiled for that: all that it needs would have to be, too.
types-windows: page types
	@$(ONCE) types-windows $(GO_KEY) $(TYPES) *.go go.mod go.sum backend build/window build/windows build/scripts -- \
		env $(THRIFTY) GOOS=windows CGO_ENABLED=0 sh -ec '$(TYPES) -tags headless ./...; $(TYPES) . ./backend/desktop'

test-page: page-packages
	@$(ONCE) test-page $(NODE_KEY) $(PAGE_INPUTS) -- npm --prefix frontend test

# What cgo makes of a file names the folder that the file was in, and Go, told to trim paths, would store it for all clones: a linter has to
# open the file that stands in this one.
lint-go: page linter
	$(SAY) 'golangci-lint'
	@$(THRIFTY) CGO_CPPFLAGS="'-DCLONE=$(CURDIR)'" $(LINTER) run . ./backend/... ./build/...

lint-page: page-packages
	@$(ONCE) check-page $(NODE_KEY) $(PAGE_INPUTS) $(wildcard frontend/e2e frontend/bench) -- npm --prefix frontend run check
	@$(ONCE) lint-page $(NODE_KEY) $(PAGE_INPUTS) $(wildcard frontend/e2e frontend/bench) -- npm --prefix frontend run lint

lint-scripts:
	@$(ONCE) lint-scripts build/scripts .ci/run -- shellcheck build/scripts/* .ci/run
