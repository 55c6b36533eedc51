package interop

import (
	"testing"
	"time"

	"parley/a2a"
)

// overREST connects to one of the endpoints that the agent's card does not name.
func overREST(t *testing.T, url string, profile a2a.Profile) *peer {
	t.Helper()
	p := connect(t, url)
	profile.Binding, profile.Streaming = a2a.BindingREST, true
	p.profile = profile
	p.client = a2a.NewClient(profile, p.card, a2a.Options{
		Named: []string{url}, AnswerTimeout: 20 * time.Second, NewID: newID, Trace: a2a.Trace{Put: p.put, Now: time.Now},
	})
	t.Cleanup(p.client.Close)
	return p
}

// TestOperationsOverHTTPJSON takes clients of 1.0, of 1.0 behind a tenant and of
// 0.3 through everything that the official Go SDK serves over HTTP+JSON.
func TestOperationsOverHTTPJSON(t *testing.T) {
	const module = "a2a-go-2.4.0"
	url := start(t, module)
	for name, profile := range map[string]a2a.Profile{
		"1.0":        {Dialect: a2a.V10, Endpoint: url + "/rest"},
		"1.0 tenant": {Dialect: a2a.V10, Endpoint: url + "/tenants/", Tenant: "billing"},
		"0.3":        {Dialect: a2a.V03, Endpoint: url + "/rest03"},
	} {
		t.Run(name, func(t *testing.T) {
			s := sdk{module: module, dialect: profile.Dialect, messages: true, auth: true}
			var seen findings
			for _, op := range []struct {
				name string
				test func(*peer, sdk)
			}{
				{"send", opSend}, {"stream", opStream}, {"several turns", opSeveral}, {"credentials", opAuth},
				{"failure", opFailure}, {"every kind of part", opParts}, {"get", opGet}, {"list", opList},
				{"cancel", opCancel}, {"subscribe", opSubscribe}, {"webhooks", opPush}, {"extended card", opExtended},
				{"unknown task", opUnknown},
			} {
				t.Run(op.name, func(t *testing.T) {
					p := overREST(t, url, profile)
					op.test(p, s)
					seen.add(p)
				})
			}
			seen.compare(t, module+" over HTTP+JSON "+name)
		})
	}
}

// TestListOf03OverHTTPJSON lists tasks, which that version has in its text only.
func TestListOf03OverHTTPJSON(t *testing.T) {
	url := start(t, "a2a-go-2.4.0")
	p := overREST(t, url, a2a.Profile{Dialect: a2a.V03REST, Endpoint: url + "/rest03"})
	task := p.made("count 1")
	list := p.must(a2a.OpList, a2a.Request{List: a2a.ListFilter{ContextID: task.ContextID}}, a2a.EventTaskList)
	if len(list.Tasks) != 1 || list.Tasks[0].ID != task.ID {
		p.t.Errorf("tasks %+v\n%s", list.Tasks, p.wire())
	}
}

// TestFilesSurviveHTTPJSON sends what the agent gives back, so that both sides
// must agree about how bytes are written.
func TestFilesSurviveHTTPJSON(t *testing.T) {
	url := start(t, "a2a-go-2.4.0")
	for _, profile := range []a2a.Profile{
		{Dialect: a2a.V10, Endpoint: url + "/rest"}, {Dialect: a2a.V03, Endpoint: url + "/rest03"},
	} {
		p := overREST(t, url, profile)
		req := p.say("ask me", "", "")
		req.Message.Parts = append(req.Message.Parts, a2a.Part{Kind: a2a.PartBytes, Content: []byte("\x00\xffbytes"), Filename: "b.bin"})
		task := p.must(a2a.OpSend, req, a2a.EventTask).Task
		many := 10
		task = p.must(a2a.OpGet, a2a.Request{TaskID: task.ID, HistoryLength: &many}, a2a.EventTask).Task
		if len(task.History) == 0 || len(task.History[0].Parts) != 2 {
			t.Fatalf("history %+v\n%s", task.History, p.wire())
		}
		content, err := task.History[0].Parts[1].Bytes()
		if err != nil || string(content) != "\x00\xffbytes" {
			t.Errorf("%s: %q %v\n%s", profile.Dialect, content, err, p.wire())
		}
	}
}
