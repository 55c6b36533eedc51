# Parley. `make` lists nothing secret: every target is one or two plain commands.

GO        ?= go
TESTFLAGS ?=
FUZZTIME  ?= 3s
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
LDFLAGS   = -s -w

.PHONY: build test check fmt vet lint tidy race fuzz bench cross demo clean

build: ## the program, ready to copy anywhere
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/parley .

demo: ## the workbench on its own agents
	$(GO) run . demo

test: ## everything that Go alone can prove; missing tmux or Node are skips
	$(GO) test $(TESTFLAGS) ./...

check: fmt vet lint tidy race fuzz bench cross ## what continuous integration runs

fmt:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "gofmt needed:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

lint:
	$(GO) run $(STATICCHECK) ./...

tidy:
	$(GO) mod tidy -diff

race:
	$(MAKE) test TESTFLAGS='-race -shuffle=on -timeout 10m'

fuzz:
	./.ci/fuzz $(FUZZTIME)

bench: ## each benchmark once, so that none rots
	$(GO) test -run '^$$' -bench . -benchtime 1x ./...

cross: ## the platforms nobody tests on must at least build
	GOOS=windows GOARCH=amd64 $(GO) vet . ./a2a/... ./session/... ./ui/... ./internal/cli/...
	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 $(GO) build -o /dev/null .
	GOOS=darwin GOARCH=arm64 $(GO) vet . ./a2a/... ./session/... ./ui/... ./internal/cli/...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 $(GO) build -o /dev/null .

clean:
	rm -rf bin shots
