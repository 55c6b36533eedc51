package cli

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

var pushCard = strings.Replace(streamCard, `"streaming":true`, `"streaming":true,"pushNotifications":true`, 1)

// webhooks answers the operations on webhooks with what it was given.
func webhooks(q *asked, w http.ResponseWriter) {
	const config = `{"id":"w1","taskId":"t1","url":"https://hook.example/a2a","token":"secret token","authentication":{"scheme":"Bearer","credentials":"secret word"}}`
	switch q.Method {
	case "CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig":
		q.result(w, config)
	case "ListTaskPushNotificationConfigs":
		q.result(w, `{"configs":[`+config+`],"nextPageToken":""}`)
	case "DeleteTaskPushNotificationConfig":
		q.result(w, `{}`)
	default:
		q.fail(w, -32601, "no")
	}
}

func TestPushConfigsAreCreatedShownAndDeleted(t *testing.T) {
	t.Parallel()
	s := newStub(t, pushCard, webhooks)
	for _, c := range []struct {
		args         []string
		method, text string
	}{
		{[]string{"create", "t1", "--url", "https://hook.example/a2a", "--id", "w1"}, "CreateTaskPushNotificationConfig", "Webhook: w1\n"},
		{[]string{"get", "t1", "w1"}, "GetTaskPushNotificationConfig", "Webhook: w1\n"},
		{[]string{"list", "t1"}, "ListTaskPushNotificationConfigs", "Webhook: w1\n"},
		{[]string{"delete", "t1", "w1"}, "DeleteTaskPushNotificationConfig", "Deleted: w1\n"},
	} {
		args := append([]string{"task", "push-config", c.args[0], "-a", s.URL}, c.args[1:]...)
		r := parley(t, args...)
		if r.code != 0 || !strings.HasPrefix(r.out, "Task: t1\n"+c.text) || strings.Contains(r.out, "secret") {
			t.Errorf("%v: got exit %d and %q\n%s", args, r.code, r.out, r.err)
		}
		if q := s.only(t, c.method); at(q.Params, "taskId") != "t1" {
			t.Errorf("%v: got parameters %v, want the task", args, q.Params)
		}
		if r = parley(t, append(args, "-o", "json")...); r.code != 0 {
			t.Errorf("%v: got exit %d\n%s", args, r.code, r.out)
		} else if doc := document(t, r.out); c.args[0] == "list" && at(doc, "configs", 0, "id") != "w1" || c.args[0] == "get" && at(doc, "url") != "https://hook.example/a2a" {
			t.Errorf("%v: got %s, want the protocol's object", args, r.out)
		}
	}
}

func TestPushConfigsNeedTheCapability(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, webhooks)
	r := parley(t, "task", "push-config", "list", "-a", s.URL, "t1", "-o", "json")
	if doc := document(t, r.out); r.code != 1 || at(doc, "error", "code") != "PushNotificationNotSupportedError" || len(s.asked("ListTaskPushNotificationConfigs")) != 0 {
		t.Errorf("got exit %d and %s, want a refusal without a request", r.code, r.out)
	}
	for _, args := range [][]string{{"create", "t1"}, {"create", "t1", "--url", "odd"}, {"delete", "t1"}, {"get"}, {"list", "a", "b"}} {
		s := newStub(t, pushCard, webhooks)
		if r := parley(t, append([]string{"task", "push-config", args[0], "-a", s.URL}, args[1:]...)...); r.code != 2 {
			t.Errorf("%v: got exit %d, want 2\n%s", args, r.code, r.err)
		}
	}
}

// The receiver prints what the agent posts until the task is over, and nothing that it refused.
func TestPushNotificationsAreReceived(t *testing.T) {
	t.Parallel()
	post := func(t *testing.T, config map[string]any, token, body string) {
		t.Helper()
		req, err := http.NewRequest(http.MethodPost, at(config, "url").(string), strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/a2a+json")
		req.Header.Set("X-A2A-Notification-Token", token)
		if scheme := at(config, "authentication", "scheme"); scheme != nil {
			req.Header.Set("Authorization", fmt.Sprint(scheme, " ", at(config, "authentication", "credentials")))
		}
		if token == "wrong" {
			req.Header.Set("Authorization", "Bearer wrong")
		}
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		answer.Body.Close()
	}
	s := newStub(t, pushCard, func(q *asked, w http.ResponseWriter) {
		switch q.Method {
		case "CreateTaskPushNotificationConfig":
			raw, _ := json.Marshal(q.Params)
			q.result(w, string(raw))
			config := q.Params
			go func() {
				token, _ := at(config, "token").(string)
				post(t, config, "wrong", status("FAILED"))
				post(t, config, token, chunk)
				post(t, config, token, status("COMPLETED"))
			}()
		case "GetTask":
			q.result(w, working)
		default:
			q.fail(w, -32601, "no")
		}
	})
	r := parley(t, "task", "push-config", "listen", "-a", s.URL, "t1", "-o", "json", "--timeout", "1m")
	docs := documents(t, r.out)
	if r.code != 0 || len(docs) < 2 || at(docs[len(docs)-1], "statusUpdate", "status", "state") != "TASK_STATE_COMPLETED" || !strings.Contains(r.out, "before the cut") || strings.Contains(r.out, "FAILED") {
		t.Errorf("got exit %d, want 0 and what was posted\n%s%s", r.code, r.out, r.err)
	}
}

// Push notifications that come in another order than they were sent never move the printed state back.
func TestPushNotificationsOutOfOrderAreNotPrinted(t *testing.T) {
	t.Parallel()
	stamped := func(state string, second int) string {
		return fmt.Sprintf(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_%s","timestamp":"2026-03-01T12:00:%02dZ"}}}`, state, second)
	}
	known := `{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-03-01T12:00:05Z"}}`
	for name, whenKnown := range map[string]bool{"the state is known": true, "the state is not known": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			posted := make(chan struct{})
			s := newStub(t, pushCard, nil)
			deliver := func(config map[string]any) {
				for _, body := range []string{stamped("WORKING", 6), stamped("SUBMITTED", 1), stamped("COMPLETED", 9), stamped("WORKING", 7)} {
					req, err := http.NewRequest(http.MethodPost, at(config, "url").(string), strings.NewReader(body))
					if err != nil {
						t.Error(err)
						return
					}
					req.Header.Set("X-A2A-Notification-Token", fmt.Sprint(at(config, "token")))
					req.Header.Set("Authorization", fmt.Sprint(at(config, "authentication", "scheme"), " ", at(config, "authentication", "credentials")))
					if answer, err := http.DefaultClient.Do(req); err == nil { // the last one may come too late
						answer.Body.Close()
					}
				}
				close(posted)
			}
			var config map[string]any
			s.answer = func(q *asked, w http.ResponseWriter) {
				switch q.Method {
				case "CreateTaskPushNotificationConfig":
					config = q.Params
					raw, _ := json.Marshal(q.Params)
					q.result(w, string(raw))
				case "GetTask":
					if q.nth == 1 && !whenKnown {
						deliver(config)
					}
					q.result(w, known)
					if q.nth == 1 && whenKnown {
						_ = http.NewResponseController(w).Flush()
						go deliver(config)
					}
				default:
					q.fail(w, -32601, "no")
				}
			}
			r := parley(t, "task", "push-config", "listen", "-a", s.URL, "t1", "--timeout", "1m")
			<-posted
			if r.code != 0 || strings.Contains(r.out, "submitted") || !strings.Contains(r.out, "State: completed\n") ||
				strings.LastIndex(r.out, "State: working") > strings.Index(r.out, "State: completed") {
				t.Errorf("got exit %d and output\n%s\nwant working before completed, and nothing older", r.code, r.out)
			}
			said := strings.ReplaceAll(r.err, "\n  ", " ")
			if !strings.Contains(said, "Note: a push notification (submitted) is not printed. Its timestamp is older than the known state of the task; it changed nothing.") {
				t.Errorf("got standard error\n%s\nwant a note about the older state", r.err)
			}
		})
	}
}

// Push notifications that the agent signs are verified with the keys of --card-key, whose
// signature may stand for the token; forged ones are rejected.
func TestSignedPushNotificationsAreVerified(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k1"}}})
	if err != nil {
		t.Fatal(err)
	}
	keys := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(keys, set, 0o600); err != nil {
		t.Fatal(err)
	}
	sign := func(address, body, jti string) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", "k1").WithType("JWT"))
		if err != nil {
			t.Error(err)
			return ""
		}
		jws, err := signer.Sign(fmt.Appendf(nil, `{"iss":"agent","aud":%q,"iat":%d,"exp":%d,"jti":%q,"request_body_sha256":"%x"}`, address, time.Now().Unix(), time.Now().Unix()+60, jti, sha256.Sum256([]byte(body))))
		if err != nil {
			t.Error(err)
			return ""
		}
		token, _ := jws.CompactSerialize()
		return token
	}
	statuses := make(chan int, 32) // of all deliveries; 0 where the webhook was gone
	post := func(config map[string]any, token, body string) {
		req, err := http.NewRequest(http.MethodPost, at(config, "url").(string), strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("Content-Type", "application/a2a+json")
		req.Header.Set("Authorization", "Bearer "+token)
		answer, err := http.DefaultClient.Do(req)
		if err != nil {
			statuses <- 0
			return
		}
		statuses <- answer.StatusCode
		answer.Body.Close()
	}
	listen := func(until *regexp.Regexp, args ...string) result {
		s := newStub(t, pushCard, func(q *asked, w http.ResponseWriter) {
			switch q.Method {
			case "CreateTaskPushNotificationConfig":
				raw, _ := json.Marshal(q.Params)
				q.result(w, string(raw))
				config, address := q.Params, at(q.Params, "url").(string)
				go func() {
					post(config, sign(address, "another", "1"), status("FAILED"))
					post(config, sign("http://other.example", status("FAILED"), "2"), status("FAILED"))
					post(config, sign(address, chunk, "3"), chunk)
					post(config, sign(address, status("COMPLETED"), "4"), status("COMPLETED"))
				}()
			case "GetTask":
				q.result(w, working)
			default:
				q.fail(w, -32601, "no")
			}
		})
		return commandLine{args: append([]string{"task", "push-config", "listen", "-a", s.URL, "t1", "-o", "json"}, args...), until: until}.run(t)
	}
	r := listen(nil, "--card-key", keys, "--timeout", "1m")
	docs := documents(t, r.out)
	if r.code != 0 || at(docs[len(docs)-1], "statusUpdate", "status", "state") != "TASK_STATE_COMPLETED" || strings.Contains(r.out, "FAILED") {
		t.Errorf("got exit %d, want 0 and what was signed\n%s%s", r.code, r.out, r.err)
	}
	for _, want := range []string{"Signature: broken Its token was made for another body", "Signature: broken Its token is for another receiver", "Signature: verified"} {
		if !strings.Contains(strings.Join(strings.Fields(r.err), " "), want) {
			t.Errorf("got no %q\n%s", want, r.err)
		}
	}
	for _, want := range []int{401, 401, 200, 200} {
		if got := <-statuses; got != want {
			t.Errorf("got status %d, want %d", got, want)
		}
	}
	published := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/.well-known/jwks.json" || r.Header.Get("Authorization") != "" {
			t.Errorf("got a request for %s with credentials %q", r.URL.Path, r.Header.Get("Authorization"))
		}
		_, _ = w.Write(set)
	}))
	t.Cleanup(published.Close)
	r = listen(nil, "--card-key-host", strings.TrimPrefix(published.URL, "http://"), "--timeout", "1m", "--bearer", "s3cret")
	if r.code != 0 || !strings.Contains(r.err, "Signature: verified") {
		t.Errorf("with published keys: got exit %d, want 0\n%s%s", r.code, r.out, r.err)
	}
	r = listen(regexp.MustCompile(`The keys at http://127\.0\.0\.1:1/\.well-known/jwks\.json cannot be downloaded`), "--card-key-host", "127.0.0.1:1", "--timeout", "1m")
	if r.code != 1 {
		t.Errorf("without a server of keys: got exit %d, want 1 after a warning\n%s", r.code, r.err)
	}
	r = listen(regexp.MustCompile(`Signature:\s+not verifiable`), "--timeout", "1m")
	if r.code != 1 || strings.Contains(r.out, "FAILED") {
		t.Errorf("without keys: got exit %d, want 1 after a refusal, and no delivery\n%s%s", r.code, r.out, r.err)
	}
	if r = listen(nil, "--timeout", "300ms"); r.code != 5 || strings.Contains(r.out, "FAILED") {
		t.Errorf("without an end: got exit %d, want 5 and no delivery\n%s%s", r.code, r.out, r.err)
	}
}

// A task without webhooks has an answer, too.
func TestTheWebhooksOfATaskAreCounted(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"configs":[]}`: "Webhooks: 0\n",
		`{"configs":[{"id":"w1","taskId":"t1","url":"https://hook.example"}]}`: "Task: t1\nWebhook: w1\nURL: https://hook.example\n\nWebhooks: 1\n",
	} {
		s := newStub(t, pushCard, func(q *asked, w http.ResponseWriter) { q.result(w, answer) })
		if r := parley(t, "task", "push-config", "list", "-a", s.URL, "t1"); r.code != 0 || r.out != want {
			t.Errorf("got exit %d and %q, want 0 and %q\n%s", r.code, r.out, want, r.err)
		}
	}
}
