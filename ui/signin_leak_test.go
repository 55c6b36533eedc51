package ui

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/pipetest"
	"parley/internal/signin"
	"parley/internal/signin/signintest"
	signinsheet "parley/ui/control/signin"
)

// No secret of a sign-in is shown, copied, or in a file but that of the tokens: neither a token that was
// entered nor that of an authorization server, its refresh token, the client's secret or the code in the
// address of the last page, whatever the agent repeats.
func TestNoSecretOfASignInLeavesTheWorkbench(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		issuer, at := pipetest.At("127.0.0.1:8002"), pipetest.At("127.0.0.1:8001")
		server := signintest.StartAt(t, issuer)
		const entered = "entered-t0ken-1"
		var now atomic.Pointer[parrot] // it learns the secrets when they are sent
		agent := serveAt(t, at, func(w http.ResponseWriter, r *http.Request) { now.Load().serve(w, r) })
		said := []string{signintest.Secret}
		learns := func(secrets ...string) {
			said = append(said, secrets...)
			now.Store(&parrot{Server: agent, said: said})
		}
		learns()
		transport := &http.Transport{DialContext: pipetest.Dialer(issuer)}
		t.Cleanup(transport.CloseIdleConnections)
		client := signin.HTTPClient(transport)
		dir := t.TempDir()
		keeper := signin.NewKeeper(filepath.Join(dir, "identities.json"), &signin.Memory{}, client, time.Now)
		service := &signin.Client{Keeper: keeper, HTTP: client, Now: time.Now, Defaults: signin.Settings{ClientID: signintest.Service, Secret: signintest.Secret}}
		d, journal, engine := newSpiedDesk(t, []string{signintest.Secret, entered}, Options{SignIn: service}, agent.URL, func(ref string) a2a.Options {
			o := a2a.Options{UserAddresses: []string{ref}, UserAgent: "parley", Dial: pipetest.Dialer(at), Passwords: []string{signintest.Secret}}
			all, err := keeper.Of(a2a.TypedOrigin(ref))
			if err != nil {
				t.Error(err)
			}
			for _, i := range all {
				s, _ := keeper.Secrets(i) // without one it is of another run
				o.Passwords = append(o.Passwords, s.Value, s.Refresh, s.Client)
				o.BearerFrom = func(ctx context.Context, refused string) (string, error) { return keeper.Token(ctx, i, refused) }
			}
			return o
		})
		d.until("the card", func() bool { a := d.model.agent(); return a != nil && a.Card != nil })
		d.says("401")
		d.until("the sheet", func() bool { return d.model.screen.over == signinsheet.SheetName })
		for !strings.Contains(d.model.View().Content, "bearer token") {
			d.press("ctrl+t")
		}
		d.take(tea.PasteMsg{Content: entered})
		d.press("enter")
		d.until("the sign-in", func() bool { return d.model.screen.over == noOverlay })
		learns(entered)
		for _, mode := range []string{"hello", "pieces", "redirect", "500", "error"} {
			d.says(mode)
			d.press("f5", "tab", "tab", "r", "pgdown", "esc")
		}
		d.conversationPane()
		d.wirePane()

		all, err := service.Identities()
		if err != nil || len(all) != 1 {
			t.Fatalf("got %+v, %v, want one identity", all, err)
		}
		got, err := service.Authorize(t.Context(), &signin.Login{Origin: all[0].Origin, Step: signin.Step{Kind: signin.ClientSecret,
			Scheme: a2a.SecurityScheme{Type: "openIdConnect", OpenIDConnectURL: server.Issuer}}, Settings: service.Defaults})
		if err != nil {
			t.Fatal(err)
		}
		s, err := keeper.Secrets(got.Identity)
		if err != nil {
			t.Fatal(err)
		}
		d.hidden = append(d.hidden, s.Value)
		d.press("f5")
		d.sees("then it is r")
		token, err := url.Parse(got.Identity.Server.TokenURL)
		if err != nil {
			t.Fatal(err)
		}
		server.Instead(token.Path, signintest.Parrot) // it refuses a renewal, and repeats what it got
		d.press("tab", "r")
		d.sees("refused: invalid_request (")
		server.Instead(token.Path, nil)
		d.press("r")
		d.until("the renewal", func() bool { now, _ := keeper.Secrets(got.Identity); return now.Value != s.Value })
		d.press("esc")
		s, _ = keeper.Secrets(got.Identity) // after the renewal
		d.hidden = append(d.hidden, s.Value)
		d.says("hello")
		learns(s.Value)
		for _, mode := range []string{"hello", "pieces", "401"} {
			d.says(mode)
		}
		d.press("f5", "esc")
		d.wirePane()
		engine.Close()
		d.settle()
		if err := journal.Close(); err != nil {
			t.Error(err)
		}
		d.files("run.jsonl", "history.jsonl")
		index, err := os.ReadFile(filepath.Join(dir, "identities.json"))
		if err != nil || !strings.Contains(string(index), all[0].Origin) {
			t.Errorf("got %s, %v, want the identity", index, err)
		}
		d.look("identities.json", string(index))
	})
}
