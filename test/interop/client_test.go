package interop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"parley/a2a"
)

// conversation is what the clients in agents/ have with every agent, and with its recording.
const conversation = `count completed 1 2 3 4 5
ask input-required
reply completed You said blue
get completed
send completed
`

// An officialClient is the client of an SDK that speaks one dialect.
type officialClient struct {
	sdk
	command []string
	url     string // of the SDK's own agent
}

// withOfficialClients runs a test with every client in agents/, in each of its dialects.
func withOfficialClients(t *testing.T, test func(t *testing.T, c officialClient)) {
	for _, c := range []struct {
		module   string
		dialects []a2a.DialectName
	}{
		{"a2a-go-2.4.0", []a2a.DialectName{a2a.V10, a2a.V10GRPC}},
		{"a2a-go-0.3.15", []a2a.DialectName{a2a.V03, a2a.V03GRPC}},
		{"a2a-js-1.3.0", []a2a.DialectName{a2a.V10, a2a.V10REST, a2a.V10GRPC}},
		{"a2a-js-0.3.14", []a2a.DialectName{a2a.V03, a2a.V03REST, a2a.V03GRPC}},
	} {
		t.Run(c.module, func(t *testing.T) {
			t.Parallel()
			url, command := start(t, c.module), clientOf(t, c.module)
			for _, dialect := range c.dialects {
				t.Run(string(dialect), func(t *testing.T) {
					test(t, officialClient{sdk{module: c.module, dialect: dialect}, command, url})
				})
			}
		})
	}
}

// clientOf returns the command of the client of an SDK.
func clientOf(t *testing.T, module string) []string {
	dir := filepath.Join("agents", module)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return []string{build(t, dir, "./client")}
	}
	return []string{"node", filepath.Join(install(t, dir), "client.mjs")}
}

// converse lets the client have the conversation with the agent at an address.
func (c *officialClient) converse(t *testing.T, url string) {
	t.Helper()
	if out := c.run(t, url); out != conversation {
		t.Fatalf("got\n%s\nwant\n%s", out, conversation)
	}
}

// operate lets the client call every operation for each of some texts, and returns what it prints.
func (c *officialClient) operate(t *testing.T, url string, texts ...string) string {
	t.Helper()
	return c.run(t, url, append([]string{"-operations"}, texts...)...)
}

// run runs the client with an agent and returns what it prints.
func (c *officialClient) run(t *testing.T, url string, more ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := slices.Concat(c.command[1:], []string{url, string(c.binding())}, more)
	out, err := exec.CommandContext(ctx, c.command[0], args...).CombinedOutput()
	if err != nil {
		t.Fatalf("got %v\n%s", err, out)
	}
	return string(out)
}
