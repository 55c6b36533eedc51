package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/session/card"
)

// A changingAgent answers every message; the test can change its card between two runs.
type changingAgent struct {
	*httptest.Server
	more atomic.Pointer[string] // members of the card
}

func newChangingAgent(t *testing.T) *changingAgent {
	a := &changingAgent{}
	a.says(``)
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Method == http.MethodPost:
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"hello"}]}}}`)
		case strings.HasSuffix(r.URL.Path, "agent-card.json"):
			fmt.Fprintf(w, `{"name":"Desk","version":"1"%s,"supportedInterfaces":[{"url":"http://%s/","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`, *a.more.Load(), r.Host)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(a.Close)
	return a
}

func (a *changingAgent) says(more string) { a.more.Store(&more) }

const (
	newDescription = `,"description":"another"`
	requiresKey    = newDescription + `,"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"securityRequirements":[{"schemes":{"key":{"list":[]}}}]`
)

// The next run reports security changes once, with the date. A command does not report the
// other changes, and leaves them for the workbench.
func TestTheNextRunTellsChangesOfSecurityOnce(t *testing.T) {
	t.Parallel()
	a := newChangingAgent(t)
	state := t.TempDir()
	send := func() string {
		t.Helper()
		return commandLine{args: []string{"send", "-a", a.URL, "hello"}, env: []string{"XDG_STATE_HOME=" + state}}.run(t).err
	}
	const word = "card has changed"
	if got := send(); strings.Contains(got, word) {
		t.Errorf("first run: got changes: %s", got)
	}
	files, _ := filepath.Glob(filepath.Join(state, "parley", "cards", "*"))
	if len(files) != 1 {
		t.Fatalf("got files %v, want 1", files)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	a.says(newDescription)
	if got := send(); strings.Contains(got, word) {
		t.Errorf("new description: got a warning about security: %s", got)
	}
	a.says(requiresKey)
	got := strings.Join(strings.Fields(send()), " ")
	for _, want := range []string{"Warning: the agent's card has changed since " + time.Now().Format("2 Jan 2006"), "The agent now requires credentials: key.", "There is a new security scheme: key (apiKey in header named X-Key)."} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in %s", want, got)
		}
	}
	if strings.Contains(got, "description has changed") {
		t.Errorf("got a warning about the description: %s", got)
	}
	if got := send(); strings.Contains(got, word) {
		t.Errorf("second run: got the changes again: %s", got)
	}
}

// The workbench reports all changes, including those that a command did not report.
func TestTheWorkbenchTellsWhatACommandLeft(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	seen := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	a := &app{ctx: t.Context(), env: environment{"XDG_STATE_HOME=" + state}}
	command := &cardMemory{cards: a.cardFolder(), now: func() time.Time { return seen }, securityOnly: true}
	kept := opened(t, state, workbench{})
	screen := kept.sinceLastRun(workbench{})
	const ref = "https://agent.example"
	command.compare(ref, 0, card.Snapshot{Name: "Desk"})
	if changes, _ := command.compare(ref, 0, card.Snapshot{Name: "Bureau"}); changes != nil {
		t.Errorf("got changes %+v of a command, want no new name", changes)
	}
	changes, since := screen(ref+"/", 0, card.Snapshot{Name: "Bureau"})
	if len(changes) != 1 || changes[0].Security || !since.Equal(seen) {
		t.Errorf("got changes %+v since %v, want one since %v", changes, since, seen)
	}
	if changes, _ := screen(ref, 0, card.Snapshot{Name: "Bureau"}); changes != nil {
		t.Errorf("second comparison: got %+v, want nothing", changes)
	}
	for _, w := range []workbench{{noRecord: true}, {embedded: true}} {
		if kept.sinceLastRun(w) != nil {
			t.Errorf("%+v: cards are stored, want none", w)
		}
	}
}

// An unusable folder of cards stops no message.
func TestNothingAboutKeptCardsStopsACommand(t *testing.T) {
	t.Parallel()
	a := newChangingAgent(t)
	for name, spoil := range map[string]func(t *testing.T, state, file string){
		"broken file": func(t *testing.T, state, file string) {
			writeTo(t, `{"seen":"2026-01-01T00:00:00Z","card":{"name":7`, file)
		},
		"wrong shape":    func(t *testing.T, state, file string) { writeTo(t, `{"seen":"2026-01-01T00:00:00Z","card":[1]}`, file) },
		"file is folder": func(t *testing.T, state, file string) { os.Remove(file); makeDir(t, file, "x") },
		"folder is file": func(t *testing.T, state, file string) {
			os.RemoveAll(filepath.Dir(file))
			writeTo(t, "mine", filepath.Dir(file))
		},
		"state is file": func(t *testing.T, state, file string) {
			os.RemoveAll(state)
			writeTo(t, "mine", state)
		},
	} {
		t.Run(name, func(t *testing.T) {
			state := filepath.Join(t.TempDir(), "state")
			c := commandLine{args: []string{"send", "-a", a.URL, "hello"}, env: []string{"XDG_STATE_HOME=" + state}}
			c.run(t)
			files, _ := filepath.Glob(filepath.Join(state, "parley", "cards", "*"))
			if len(files) != 1 {
				t.Fatalf("got files %v, want 1", files)
			}
			spoil(t, state, files[0])
			if r := c.run(t); r.code != 0 || !strings.Contains(r.out, "hello") || strings.Contains(r.err, "card has changed") {
				t.Errorf("got exit %d, want 0 and the answer\n%s%s", r.code, r.out, r.err)
			}
		})
	}
}
