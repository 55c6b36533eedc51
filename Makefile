# Every target is one or two plain commands: run `make test`, or what it says.

GO          ?= go
TESTFLAGS   ?=
FUZZTIME    ?= 2s
FUZZFLAGS   ?= -time $(FUZZTIME)
COUNT       ?= 5
STAGES      ?=
SYSTEMS     ?= windows darwin
RELEASEFLAGS ?=
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
DEADCODE    = golang.org/x/tools/cmd/deadcode@v0.51.0
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0
GOVULNDB   ?= https://vuln.go.dev

.PHONY: build demo test check nightly stages fmt vet lint deadcode vuln tidy race concurrent flows stress fuzz bench benchonce mutants recipes matrix honest soak cross foreign pictures release reproducible clean

build: ## the program, ready to copy anywhere
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/parley .

demo: ## the workbench on its own agents
	$(GO) run . demo

test: ## everything that Go alone can prove; what needs tmux or Node is skipped and counted without them
	GO=$(GO) ./.ci/test $(TESTFLAGS)

check: ## what continuous integration runs: the stages of the gate
	./.ci/run

nightly: ## the proofs that take long, or some of them: STAGES='race matrix'; those that passed on this commit are not repeated
	$(GO) run ./test/stages nightly $(STAGES)

stages: ## which nightly stages passed on the last ten commits
	@$(GO) run ./test/stages table

fmt:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "gofmt needed:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

lint:
	$(GO) run $(STATICCHECK) ./...

deadcode: ## functions that neither a program nor a test reaches
	@out=$$($(GO) run $(DEADCODE) -test ./...) || exit 1; if [ -n "$$out" ]; then echo "unreachable functions:"; echo "$$out"; exit 1; fi

vuln: ## known vulnerabilities in what the program calls; skipped where nobody can be asked for them
	@if curl --silent --fail --output /dev/null --max-time 20 $(GOVULNDB)/index/db.json; then $(GO) run $(GOVULNCHECK) -db $(GOVULNDB) ./...; \
	else echo "skipped: the database of known vulnerabilities, $(GOVULNDB), cannot be reached"; fi

tidy:
	$(GO) mod tidy -diff

race:
	$(MAKE) --no-print-directory test TESTFLAGS='-race -shuffle=on -timeout 30m'

stress: ## the race suite several times under four times the load: no test may pass or fail by chance
	GO=$(GO) ./.ci/stress $(COUNT)

fuzz:
	$(GO) run ./test/fuzz $(FUZZFLAGS)

concurrent: ## the race detector in the packages in which it can find something; race has all of them
	packages=$$($(GO) run ./test/packages concurrent) && PACKAGES=$$packages GO=$(GO) ./.ci/test -race -shuffle=on -timeout 30m

flows: ## the main flows in a terminal, on a program with the race detector
	PARLEY_RACE=1 PACKAGES=./test/e2e GO=$(GO) ./.ci/test -count=1

foreign: ## vet for other systems where the files differ from those of this one; cross has all of them
	@for system in $(SYSTEMS); do packages=$$($(GO) run ./test/packages $$system) && GOOS=$$system CGO_ENABLED=0 $(GO) vet $$packages || exit 1; done

benchonce: ## each benchmark once, so that none rots
	packages=$$($(GO) run ./test/packages benchmarks) && $(GO) test -run '^$$' -bench . -benchtime 1x $$packages

bench: ## the benchmarks that matter beside their floors: prints the table and writes it into docs/performance.md
	$(GO) run ./test/bench/table -write docs/performance.md

recipes: ## each recipe of CONTRIBUTING.md, followed on a copy of the module: it must end green
	$(GO) run ./test/recipes

matrix: ## every agent of test/interop behind every card, with and without what agents may lack
	MATRIX=all $(GO) test -count=1 -timeout 30m -run Matrix ./test/interop ./test/matrix

honest: ## every agent of test/interop over each binding, used in every way: nothing false is said against any
	HONEST=all $(GO) test -count=1 -timeout 30m -run Honest ./test/interop

mutants: ## change the core in one place after the other: a test must fail for each change; takes half an hour
	$(GO) run ./test/mutants

soak: ## five minutes with twenty agents that stream, break and are listened to again; the report goes into docs/performance.md
	$(GO) run ./test/soak -write docs/performance.md

pictures: build ## the pictures in docs/img, which README.md shows, drawn by Parley itself
	bin/parley demo docs/img/tour.parley --render
	bin/parley demo docs/img/stills.parley --render

cross: ## the platforms nobody tests on must at least build, tests included
	GOOS=windows GOARCH=amd64 $(GO) vet ./...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -o /dev/null .
	GOOS=darwin GOARCH=arm64 $(GO) vet ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null .

release: ## archives for every platform in dist/, with man pages, completions, lists of modules and checksums
	$(GO) run -trimpath ./internal/release $(RELEASEFLAGS)

reproducible: ## the archive for this machine, built twice at two places: the bytes must be equal
	GO=$(GO) ./.ci/reproducible

clean:
	rm -rf bin dist shots
