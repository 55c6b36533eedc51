package interop

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc"
)

// An sdk is an agent of one SDK version with one dialect.
type sdk struct {
	module  string // below agents/; versions exclude one another, hence one each
	dialect a2a.DialectName
	// path is an endpoint that the agent's card does not name, with its tenant if it has one;
	// empty for declared endpoints.
	path, tenant string
	// messages is set if an agent may answer with a message instead of a task. busy is set if a
	// task that waits for credentials is still executing, so that a further message is an
	// internal error.
	busy bool
	// auth is set if a task can wait for credentials.
	messages, auth bool
	// pushes is set if the SDK delivers to webhooks; others only store them.
	pushes bool
	// follows lists the situations in which a task accepts no further message, with the name of
	// the error.
	follows map[situation]string
	// signs is the message that starts a task which continues after a sign-in elsewhere, empty
	// if there is none.
	signs string
	// refused are the operations of the dialect that the SDK does not serve, with the name of
	// the error or the HTTP status.
	refused map[a2a.Op]string
	// forgets is set if a cancelled task is deleted, nameless if files have no names.
	forgets, nameless bool
	// unknown is the name of the error for a subscription to an unknown task, if it differs
	// from the specification's.
	unknown string
	// unsent is the name of the error for an artifact with every kind of part, if the SDK cannot
	// encode it.
	unsent string
	// size is the agent's answer about a file of seven bytes, if it differs.
	size string
}

// sdks are the agents, each in the dialect of its card.
var sdks = []sdk{
	{module: "a2a-go-2.4.0", dialect: a2a.V10, follows: busyGo, messages: true, auth: true, busy: true, signs: "pay", pushes: true},
	{module: "a2a-js-1.3.0", dialect: a2a.V10, follows: js1, messages: true, auth: true, signs: "auth", pushes: true},
	{module: "a2a-go-0.3.3", dialect: a2a.V03, follows: plainGo, messages: true, auth: true, busy: true, pushes: true},
	{module: "a2a-go-0.3.15", dialect: a2a.V03, follows: plainGo, messages: true, auth: true, busy: true, pushes: true},
	{module: "a2a-js-0.3.14", dialect: a2a.V03, follows: js0, messages: true, auth: true, signs: "auth", pushes: true},
	{module: "a2a-js-0.2.5", dialect: a2a.V02, follows: js0, messages: true, auth: true, refused: map[a2a.Op]string{
		a2a.OpPushList: "MethodNotFoundError", a2a.OpPushDelete: "MethodNotFoundError", a2a.OpExtendedCard: "MethodNotFoundError",
	}},
	{module: "trpc-a2a-go-0.2.5", dialect: a2a.V02, follows: trpc, messages: true, auth: true, forgets: true, refused: map[a2a.Op]string{
		a2a.OpPushList: "MethodNotFoundError", a2a.OpPushDelete: "MethodNotFoundError",
	}},
	{module: "trpc-a2a-go-0.0.3", dialect: a2a.V01},
}

// restSDKs are the HTTP+JSON endpoints of the same agents.
var restSDKs = []sdk{
	{module: "a2a-go-2.4.0", dialect: a2a.V10REST, path: "/rest", follows: busyGo, messages: true, auth: true, busy: true, signs: "pay", pushes: true},
	{module: "a2a-go-2.4.0", dialect: a2a.V10REST, path: "/tenants/", tenant: "billing", follows: busyGo, messages: true, auth: true, busy: true},
	{module: "a2a-go-2.4.0", dialect: a2a.V03REST, path: "/rest03", follows: busyGo, messages: true, auth: true, busy: true},
	{module: "a2a-js-1.3.0", dialect: a2a.V10REST, follows: js1, messages: true, auth: true, signs: "auth", pushes: true},
	{
		module: "a2a-js-0.3.14", dialect: a2a.V03REST, follows: js0, messages: true, auth: true, signs: "auth", nameless: true,
		refused: map[a2a.Op]string{a2a.OpList: "404"},
		unknown: "InternalError", // "Bug: toJson serializer and body must be provided"
		// The SDKs in Go and Python expect base64 in base64 here, this one does not. Parley
		// sends the same to all.
		size: "12 bytes",
	},
}

// grpcSDKs are the gRPC endpoints of the same agents.
var grpcSDKs = []sdk{
	{module: "a2a-go-2.4.0", dialect: a2a.V10GRPC, follows: busyGo, messages: true, auth: true, busy: true, signs: "pay", pushes: true},
	{module: "a2a-go-2.4.0", dialect: a2a.V03GRPC, follows: busyGo, messages: true, auth: true, busy: true},
	{module: "a2a-go-0.3.15", dialect: a2a.V03GRPC, follows: plainGo, messages: true, auth: true, busy: true, refused: map[a2a.Op]string{
		a2a.OpList: "MethodNotFoundError",
	}},
	{module: "a2a-js-1.3.0", dialect: a2a.V10GRPC, follows: js1, messages: true, auth: true, signs: "auth", pushes: true},
	{module: "a2a-js-0.3.14", dialect: a2a.V03GRPC, follows: js0GRPC, messages: true, auth: true, signs: "auth", nameless: true,
		refused: map[a2a.Op]string{a2a.OpList: "MethodNotFoundError"}, size: "12 bytes",
		unsent: "InternalError"}, // “invalid int32: object”: it cannot encode a null in data
}

// binding is the binding of the dialect.
func (s *sdk) binding() a2a.Binding {
	switch s.dialect {
	case a2a.V10REST, a2a.V03REST:
		return a2a.BindingREST
	case a2a.V10GRPC, a2a.V03GRPC:
		return a2a.BindingGRPC
	default:
		return a2a.BindingJSONRPC
	}
}

// carriers are those of the program.
func carriers() map[a2a.Binding]a2a.Carrier {
	return map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: grpc.New()}
}

// overHTTP reports whether the dialect is one of HTTP+JSON.
func (s *sdk) overHTTP() bool { return s.dialect == a2a.V10REST || s.dialect == a2a.V03REST }

// has reports whether the dialect has an operation.
func (s *sdk) has(op a2a.Op) bool {
	d, ok := a2a.LookupDialect(s.dialect)
	return ok && d.Supports(op)
}

// serves reports whether the SDK is expected to have an operation.
func (s *sdk) serves(op a2a.Op) bool { return s.has(op) && s.refused[op] == "" }

// start runs an agent until the test ends. It returns its URL.
func start(t *testing.T, module string, args ...string) string {
	t.Helper()
	dir := filepath.Join("agents", module)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return run(t, exec.Command(build(t, dir, "."), args...))
	}
	return run(t, exec.Command("node", append([]string{filepath.Join(install(t, dir), "server.mjs")}, args...)...))
}

// skipWithout skips a test that lacks something, except where everything must be installed.
func skipWithout(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// run starts a command that prints its URL as its first line and ends with its input.
func run(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait()
		if t.Failed() && said.Len() > 0 {
			t.Logf("output of the agent:\n%s", said)
		}
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("got no URL before the agent ended (%v), want one", lines.Err())
	}
	return strings.TrimSpace(lines.Text())
}
