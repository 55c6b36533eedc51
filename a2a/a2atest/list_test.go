package a2atest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestAnAgentListsItsTasks(t *testing.T) {
	s, err := Parse("lister", []byte("-- agent --\ndialect 1.0\nendpoint /rpc\ntasks one 2\n-- scene go --\nstate new\ntext (?P<state>WORKING|COMPLETED)\ngoto busy\nset at now\nhead 200 application/json\nsend one\n"+
		"-- one --\n{\"id\":\"{{task}}\",\"contextId\":\"{{context}}\",\"status\":{\"state\":\"TASK_STATE_{{state}}\",\"timestamp\":\"{{at}}\"}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	clock, n := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), 0
	a, err := Start(context.Background(), s, Options{
		Now: func() time.Time { return clock }, NewID: func() string { n++; return fmt.Sprint("id", n) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	for _, state := range []string{"WORKING", "COMPLETED", "WORKING"} {
		all(t, post(t, a, "SendMessage", `{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"`+state+`"}]}}`))
		clock = clock.Add(time.Minute)
	}
	for _, c := range []struct{ params, ids, next string }{
		{`{}`, "id5 id3", "id3"},
		{`{"pageToken":"id3"}`, "id1", ""},
		{`{"pageSize":1}`, "id5", "id5"},
		{`{"pageSize":99}`, "id5 id3", "id3"},
		{`{"status":"TASK_STATE_WORKING"}`, "id5 id1", ""},
		{`{"contextId":"id4"}`, "id3", ""},
		{`{"contextId":"nobody's"}`, "", ""},
		{`{"statusTimestampAfter":"2026-11-20T12:00:30Z"}`, "id5 id3", ""},
	} {
		var answer struct {
			Result struct {
				Tasks         []struct{ ID string }
				NextPageToken string
			}
		}
		if err := json.Unmarshal([]byte(all(t, post(t, a, "ListTasks", c.params))), &answer); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, task := range answer.Result.Tasks {
			ids = append(ids, task.ID)
		}
		if got := strings.Join(ids, " "); got != c.ids || answer.Result.NextPageToken != c.next {
			t.Errorf("%s: got %q, then %q, want %q, then %q", c.params, got, answer.Result.NextPageToken, c.ids, c.next)
		}
	}
	for _, params := range []string{`{"pageToken":"nobody's"}`, `{"pageSize":"two"}`, `[]`} {
		if body := all(t, post(t, a, "ListTasks", params)); !strings.Contains(body, `"error"`) {
			t.Errorf("%s: got answer %s, want an error", params, body)
		}
	}
}

func TestAListWantsAFileAndASize(t *testing.T) {
	for _, line := range []string{"tasks", "tasks one", "tasks one 0", "tasks one x", "tasks missing 3"} {
		if _, err := Parse("x", []byte("-- agent --\ndialect 1.0\n"+line+"\n-- one --\n{}\n")); err == nil {
			t.Errorf("Parse(%q): got no error, want one", line)
		}
	}
}
