package a2a_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

// The client asks for the extended card in the other way if the agent does not have the way of
// its version.
func TestTheExtendedCardIsAskedForInBothWays(t *testing.T) {
	t.Parallel()
	const card = `{"name":"Extended","description":"d","version":"1","url":"http://h/","capabilities":{},"skills":[]}`
	for _, c := range []struct {
		dialect  a2a.DialectName
		get, rpc string // bodies of the answers, "" for none
		refusal  int    // status of a GET that is not served
		want     string
		asked    int
	}{
		{a2a.V02, card, "", 0, "Extended", 1},
		{a2a.V02, "", card, 404, "Extended", 2},
		{a2a.V02, "", card, 405, "Extended", 2},
		{a2a.V03, "", card, 404, "Extended", 1},
		{a2a.V03, card, "", 0, "Extended", 2},
		{a2a.V03, "", "", 404, "", 2},
		{a2a.V02, "", card, 401, "", 1}, // no permission there is no permission here
		{a2a.V02, "", card, 500, "", 1},
	} {
		asked := 0
		srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			body, _ := io.ReadAll(r.Body)
			var rpc struct{ ID json.RawMessage }
			_ = json.Unmarshal(body, &rpc)
			w.Header().Set("Content-Type", "application/json")
			switch {
			case r.Method == http.MethodGet && c.get != "" && strings.HasSuffix(r.URL.Path, "/agent/authenticatedExtendedCard"):
				_, _ = io.WriteString(w, c.get)
			case r.Method == http.MethodGet:
				http.Error(w, "no", c.refusal)
			case c.rpc != "":
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, rpc.ID, c.rpc)
			default:
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, rpc.ID)
			}
		})
		tp := newTape()
		client := a2a.NewClient(profile(c.dialect, srv.URL+"/a2a"), nil, options(tp, srv.URL))
		out := client.Do(t.Context(), request(a2a.OpExtendedCard), a2a.Hooks{})
		client.Close()
		tp.check(t)
		got := ""
		for i := range out.Last.Events {
			if card := out.Last.Events[i].Card; card != nil {
				got = card.Name
			}
		}
		if got != c.want || asked != c.asked {
			t.Errorf("%s, GET %d: got card %q after %d requests, want %q after %d: %+v", c.dialect, c.refusal, got, asked, c.want, c.asked, out.End)
		}
	}
}
