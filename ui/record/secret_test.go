package record

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/session/model"
)

// The masks of a real client reveal the original values.
func TestSecretsOfARealExchangeAreRevealed(t *testing.T) {
	const bearer, pass = "bearer-of-the-user", "pass-word-of-the-user"
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Set-Cookie", "session=cookie-of-the-agent; Path=/")
		w.Header().Set("X-Echo", "got "+bearer+" and "+pass)
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"message\":{\"messageId\":\"m\",\"role\":\"ROLE_AGENT\",\r\ndata: \"parts\":[{\"text\":\"you sent %s\"}, {\"text\":\"%s\"}]}}}\r\n\r\n", bearer, pass)
	}))
	defer srv.Close()
	state := model.NewState()
	trace := a2a.Trace{Now: time.Now, Put: func(r a2a.Record, u a2a.Update) a2a.RecordID {
		r.ID = a2a.RecordID(state.Log.Len() + 1)
		if r.Exchange == 0 {
			r.Exchange = r.ID
		}
		state.Apply(log.Item{Record: r, Update: u})
		return r.ID
	}}
	url := srv.URL + "/a2a?api_key=key-in-the-url"
	client := a2a.NewClient(a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: url, Streaming: true}, nil, a2a.Options{
		Bearer: bearer, Headers: []a2a.HeaderPair{{Name: "X-Pass", Value: pass}}, UserAddresses: []string{url},
		Trace: trace, NewID: func() string { return "1" },
	})
	defer client.Close()
	out := client.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpStream, Agent: 1}, Message: &a2a.Message{ID: "m0", Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("hello " + pass)}}}, a2a.Hooks{})
	if state.Log.Len() < 4 {
		t.Fatalf("got %d records, want at least 4; outcome %+v", state.Log.Len(), out)
	}
	wants := map[string]bool{"key-in-the-url": false, "Bearer " + bearer: false, pass: false, "session=cookie-of-the-agent": false, "got " + bearer + " and " + pass: false}
	for id := a2a.RecordID(1); id <= a2a.RecordID(state.Log.Len()); id++ {
		v := New(openView(tape.New(), 0, 0, 0).st, func() bool { return true })
		v.SetLog(state.Log)
		v.SetSize(120, 60)
		for _, tab := range []Tab{Pretty, Headers} {
			v.Show(nil)
			v.Show(state.Log.At(id))
			v.SetTab(tab)
			v.End(false)
			hasNot(t, v, bearer, pass, "key-in-the-url", "cookie-of-the-agent")
			for range 40 {
				if s, ok := v.secret(); ok && s != v.shownSecret {
					if in := press(v, "u"); in != nil {
						t.Errorf("record %d: u returned %+v, want the secret revealed", id, in)
					}
					for want := range wants {
						wants[want] = wants[want] || strings.Contains(screen(v), want)
					}
				}
				v.Move(1)
			}
		}
	}
	for want, seen := range wants {
		if !seen {
			t.Errorf("got secret %q masked in every record, want it revealed in one", want)
		}
	}
	for id := a2a.RecordID(1); id <= a2a.RecordID(state.Log.Len()); id++ {
		r := &state.Log.At(id).Record
		for i, m := range bodyMasks(r) {
			if s := (secret{inBody, id, "", i}); !strings.HasPrefix(string(r.Payload()[m.at:]), a2a.Mask) {
				t.Errorf("record %d: got no mask for %+v at offset %d, want one: %s", id, s, m.at, r.Payload())
			}
		}
	}
}
