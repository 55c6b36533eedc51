package tap

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// A delivering agent keeps the push configurations that it gets, and posts to them when it is told.
type delivering struct {
	mu  sync.Mutex
	url string
}

func (d *delivering) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	body := string(b)
	d.mu.Lock()
	defer d.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.Contains(body, "GetTaskPushNotificationConfig"):
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","id":"c","url":%q,"token":"token-of-the-client"}}`, d.url)
	case strings.Contains(body, "SendMessage"):
		d.url = between(body, `"url":"`, `"`)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)
	}
}

func TestDeliveriesPassTheTap(t *testing.T) {
	t.Parallel()
	var got []string
	client := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		b, _ := io.ReadAll(req.Body)
		got = append(got, req.Method+" "+req.RequestURI+" "+req.Host+" "+req.Header.Get("X-A2a-Notification-Token")+" "+string(b))
		w.WriteHeader(http.StatusAccepted)
	}))
	t.Cleanup(client.Close)
	agent := &delivering{}
	s := newSession(t)
	base, tap, _ := tapped(t, s, agent.ServeHTTP)
	own := client.URL + "/hook?key=secret-of-the-hook"
	ask(t, "POST", base+"/a2a", rpc("1", "SendMessage", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"go"}]},"configuration":{"taskPushNotificationConfig":{"url":"`+own+`","token":"token-of-the-client"}}}`))
	if !strings.HasPrefix(agent.url, base+webhookPath) {
		t.Fatalf("got %q at the agent, want a webhook of the tap", agent.url)
	}
	_, shown := ask(t, "POST", base+"/a2a", rpc("2", "GetTaskPushNotificationConfig", `{"taskId":"t","id":"c"}`))
	if want := `{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","id":"c","url":"` + own + `","token":"token-of-the-client"}}`; shown != want {
		t.Errorf("got %s, want its own webhook in %s", shown, want)
	}
	task := `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"artifacts":[{"artifactId":"a","parts":[{"text":"done"}]}]}}`
	if status, _ := ask(t, "POST", agent.url, task, "Content-Type", "application/json", "X-A2A-Notification-Token", "token-of-the-client"); status != http.StatusAccepted {
		t.Errorf("got status %d, want that of the client's webhook", status)
	}
	if want := "POST /hook?key=secret-of-the-hook " + strings.TrimPrefix(client.URL, "http://") + " token-of-the-client " + task; len(got) != 1 || got[0] != want {
		t.Errorf("got %q at the webhook, want %q", got, want)
	}
	if status, _ := ask(t, "POST", base+webhookPath+"nobody", task); status != http.StatusNotFound {
		t.Errorf("got status %d for an unknown webhook, want 404", status)
	}
	s.ends(4)
	s.waitNote(log.NoteTap, "does not know")

	a := s.state.Agent(tap.Agent())
	if len(a.Conversations) != 1 || len(a.Conversations[0].Turns) != 1 {
		t.Fatalf("got %+v, want one conversation with one turn\n%s", a.Conversations, s.describe())
	}
	if known := s.state.Task(a.ID, "t"); known == nil || known.State != a2a.StateCompleted || len(known.Artifacts) != 1 {
		t.Errorf("got %+v, want the task as it was delivered", known)
	}
	var changed []string
	for _, it := range s.records(a2a.KindRequest) {
		changed = append(changed, it.Record.Call.Tapped.Changed...)
	}
	if len(changed) != 1 || changed[0] != "the URL of the webhook" {
		t.Errorf("got %q, want the change of the webhook said", changed)
	}
	all := s.everything()
	for _, secret := range []string{"secret-of-the-hook", "token-of-the-client"} {
		if strings.Contains(all, secret) {
			t.Errorf("got %s in the session, want it masked", secret)
		}
	}
	if !strings.Contains(all, "/hook?key="+a2a.Mask) {
		t.Errorf("got no delivery to the client's webhook in\n%s", all)
	}
}

// What an agent elsewhere could not reach stays as it is.
func TestAWebhookStaysIfTheAgentCannotReachTheTap(t *testing.T) {
	t.Parallel()
	agent := &delivering{}
	s := newSession(t)
	base, tap, _ := tapped(t, s, agent.ServeHTTP)
	tap.At("") // nothing is known of an address
	ask(t, "POST", base+"/a2a", rpc("1", "SendMessage", `{"message":{"messageId":"m","parts":[{"text":"go"}]},"configuration":{"pushNotificationConfig":{"url":"http://c.example/"}}}`))
	s.ends(1)
	s.waitNote(log.NoteTap, "stays as it is")
	if agent.url != "http://c.example/" {
		t.Errorf("got %q, want the client's webhook", agent.url)
	}
}
