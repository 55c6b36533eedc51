package engine

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/curl"
	"parley/session/model"
)

// A doorman is an agent behind an API key in the query, which its answers repeat.
func newDoorman(t *testing.T, key string) *httptest.Server {
	t.Helper()
	var s *httptest.Server
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprintf(w, `{"name":"Doorman","description":"d","version":"1","capabilities":{"streaming":true},"skills":[],
				"securitySchemes":{"k":{"apiKeySecurityScheme":{"location":"query","name":"entry"}}},"securityRequirements":[{"schemes":{"k":{"list":[]}}}],
				"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],
				"supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, s.URL+"/rpc")
			return
		}
		body, _ := io.ReadAll(r.Body)
		id, _, _ := strings.Cut(strings.SplitN(string(body), `"id":`, 2)[1], ",")
		said := r.URL.Query().Get("entry")
		if said != key {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, "not with "+said)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Echo", url.QueryEscape(said))
		for _, text := range []string{said, base64.StdEncoding.EncodeToString([]byte("it is " + said)), base64.RawURLEncoding.EncodeToString([]byte(said))} {
			fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,"result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}}`+"\n\n", id, text)
		}
		fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`+"\n\n", id)
	}))
	t.Cleanup(s.Close)
	return s
}

// A key that the user enters later is sent where the card says, and no record, file or screen
// contains it, even if a delivery repeats it.
func TestAnEnteredKeyGoesInAndStandsNowhere(t *testing.T) {
	t.Parallel()
	const key, wrong = "open-sesame/1 2", "another-word-1"
	door := newDoorman(t, key)
	d := newHarness(t, nil)
	id := d.openAgent(door.URL)
	if _, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{}); sig.Class != a2a.ClassNoCredentials {
		t.Fatalf("without a key: got turn end %+v, want class no-credentials", sig)
	}
	d.Pin(id, a2a.Pins{APIKey: wrong})
	if _, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{}); sig.Class != a2a.ClassAuth {
		t.Fatalf("with a wrong key: got turn end %+v, want class auth", sig)
	}
	d.Pin(id, a2a.Pins{APIKey: key})
	turn, sig := d.sendText(model.Target{Agent: id}, "let me in", model.SendOptions{})
	if sig.Sentence != "" {
		t.Fatalf("with the key: got turn end %+v, want no failure", sig)
	}
	delivery := a2a.Delivery{Call: &a2a.Call{Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{}}, Time: time.Now(), UserSecrets: d.secrets,
		Head: a2a.Head{Method: "POST", URL: "/push?k=" + url.QueryEscape(key), Header: http.Header{"X-Echo": {key}}}, Body: []byte(`{"text":"` + key + `"}`)}
	r, _ := delivery.Record()
	all := d.finishAndRead() + curl.Command(&d.state.Log.At(turn.Record).Record, d.state.Log.SentHead(turn.Record)) + string(r.Raw) + r.Head.URL + r.Head.Header.Get("X-Echo")
	for _, secret := range []string{key, wrong} {
		for _, spelled := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(secret, "/", `\/`),
			base64.StdEncoding.EncodeToString([]byte(secret))[:12], base64.StdEncoding.EncodeToString([]byte("it is " + secret))[8:20]} {
			if i := strings.Index(all, spelled); i >= 0 {
				t.Errorf("the session contains %q: %s", spelled, all[max(0, i-200):min(len(all), i+100)])
			}
		}
	}
}

// An unsent message is recorded as a note without the tokens in it, and a secret one without
// its metadata.
func TestWhatIsRecordedOfAMessageHoldsNoSecret(t *testing.T) {
	t.Parallel()
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
	d := newHarness(t, nil)
	nobody := d.Open("http://127.0.0.1:1")
	d.sendText(model.Target{Agent: nobody}, "clone it with "+token+" please", model.SendOptions{})
	d.sendText(model.Target{Agent: nobody}, "my word is otter-moss, thank you", model.SendOptions{Secrets: []string{"otter-moss"}})
	door := newDoorman(t, "open-sesame/1 2")
	id := d.openAgent(door.URL)
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("swordfish")},
		Metadata: []byte(`{"account":"ann-of-accounting","pin":471147114711}`)}, model.SendOptions{Secret: true})
	d.waitForTurnEnd(turn)
	all := d.finishAndRead()
	for _, secret := range []string{token, "otter-moss", "swordfish", "ann-of-accounting", "471147114711"} {
		if i := strings.Index(all, secret); i >= 0 {
			t.Errorf("the session contains %q: %s", secret, all[max(0, i-200):min(len(all), i+100)])
		}
	}
	for _, want := range []string{"clone it with ••• please", "my word is •••, thank you"} {
		if !strings.Contains(all, want) {
			t.Errorf("want the masked text of the unsent message, %q, got session\n%s", want, all)
		}
	}
}
