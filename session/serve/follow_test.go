package serve

import (
	"strings"
	"testing"
)

// get is a request for a task.
func getBody(method, task string) string {
	return `{"jsonrpc":"2.0","id":5,"method":"` + method + `","params":{"id":"` + task + `"}}`
}

// follow adds a request about a task that is answered with a text.
func (tp *tape) follow(op, method, task, said string) {
	x := tp.request(op, strings.Replace(getBody(method, task), `"id":5`, `"id":"rec-1"`, 1))
	tp.body(x, taskBody(`"rec-1"`, task, "ctx", said))
}

// What follows a message is answered as it was between this message and the next one.
func TestAFollowingRequestIsAnsweredAtItsPlace(t *testing.T) {
	t.Parallel()
	tp := newTape()
	tp.answer("Hello", "", "t", "ctx", "one")
	tp.follow("get", "tasks/get", "t", "after one")
	tp.follow("get", "tasks/get", "t", "after one, again")
	tp.answer("More", `,"taskId":"t"`, "t", "ctx", "two")
	tp.follow("get", "tasks/get", "t", "after two")
	tp.follow("cancel", "tasks/cancel", "t", "cancelled")
	tp.answer("Last", `,"taskId":"t"`, "t", "ctx", "three")
	ts := tp.serve(t, Options{})
	for _, c := range []struct{ body, want string }{
		{sendBody("1", "message/send", "Hello", ""), "one"},
		{getBody("tasks/get", "t"), "after one"},
		{getBody("tasks/get", "t"), "after one, again"},
		{getBody("tasks/get", "t"), "after one, again"},
		{sendBody("1", "message/send", "More", `,"taskId":"t"`), "two"},
		{getBody("tasks/cancel", "t"), "cancelled"},
		{getBody("tasks/get", "t"), "after two"},
		{sendBody("1", "message/send", "Last", `,"taskId":"t"`), "three"},
		{getBody("tasks/get", "t"), "three"}, // not recorded: the task as sent
		{getBody("tasks/resubscribe", "t"), "-32004"},
	} {
		if got, err := ts.post(t, c.body); err != nil || !strings.Contains(got, c.want+`"`) && !strings.Contains(got, c.want+`,`) {
			t.Errorf("%s: got %s, %v, want %s", c.body, got, err, c.want)
		}
	}
}

// A request that the recorded client left without an answer, as at the end of a recording, is answered
// with what is known of the task.
func TestARequestThatWasLeftIsAnsweredByWhatIsKnown(t *testing.T) {
	t.Parallel()
	tp := newTape()
	tp.answer("Hello", "", "t", "ctx", "one")
	for _, op := range [][2]string{{"get", "tasks/get"}, {"cancel", "tasks/cancel"}} {
		tp.end(tp.request(op[0], strings.Replace(getBody(op[1], "t"), `"id":5`, `"id":"rec-1"`, 1)), "cancelled", "")
	}
	ts := tp.serve(t, Options{})
	for _, c := range []struct{ body, want string }{
		{sendBody("1", "message/send", "Hello", ""), "one"}, {getBody("tasks/get", "t"), "one"}, {getBody("tasks/cancel", "t"), `"id":5`},
	} {
		if got, err := ts.post(t, c.body); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, %v, want %s", c.body, got, err, c.want)
		}
	}
}

func TestATaskIsReturnedAsSentSoFar(t *testing.T) {
	t.Parallel()
	chunk := func(add, text string) string {
		return `data: {"jsonrpc":"2.0","id":"rec-1","result":{"kind":"artifact-update","taskId":"t","contextId":"c","append":` + add + `,"artifact":{"artifactId":"a","name":"Essay","parts":[{"kind":"text","text":"` + text + `"}]}}}` + "\n\n"
	}
	tp := newTape()
	x := tp.send("message/stream", "Go", "")
	tp.head(x, "text/event-stream", moment)
	tp.event(x, `data: {"jsonrpc":"2.0","id":"rec-1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}}`+"\n\n")
	tp.event(x, chunk("false", "one "))
	tp.event(x, chunk("true", "two"))
	tp.event(x, `data: {"jsonrpc":"2.0","id":"rec-1","result":{"kind":"status-update","taskId":"t","contextId":"c","final":true,"status":{"state":"completed"}}}`+"\n\n")
	tp.end(x, "ended", "")
	for _, faults := range []Faults{{}, {Cut: 1}} { // after a cut, the agent works on
		ts := tp.serve(t, Options{Faults: faults})
		stream, err := ts.post(t, goNow)
		if (err != nil) != (faults.Cut > 0) {
			t.Fatal(err)
		}
		_, id, _ := strings.Cut(stream, `"kind":"task","id":"`)
		id, _, _ = strings.Cut(id, `"`)
		_, context, _ := strings.Cut(stream, `"contextId":"`)
		context, _, _ = strings.Cut(context, `"`)
		got, err := ts.post(t, getBody("tasks/get", id))
		want := `{"jsonrpc":"2.0","id":5,"result":{"id":"` + id + `","contextId":"` + context + `","status":{"state":"completed"},"artifacts":[{"artifactId":"a","name":"Essay","parts":[{"kind":"text","text":"one "},{"kind":"text","text":"two"}]}],"kind":"task"}}`
		if got != want || err != nil {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

// A subscription is answered with the recorded one, at its place.
func TestASubscriptionContinuesAStream(t *testing.T) {
	t.Parallel()
	tp, x := stream(2)
	tp.end(x, "cut", "")
	x = tp.request("subscribe", strings.Replace(getBody("tasks/resubscribe", "t"), `"id":5`, `"id":"rec-1"`, 1))
	tp.head(x, "text/event-stream", moment)
	tp.event(x, update(3, true))
	tp.end(x, "ended", "")
	ts := tp.serve(t, Options{})
	if _, err := ts.post(t, goNow); err == nil {
		t.Error("got no error, want the cut")
	}
	got, err := ts.post(t, getBody("tasks/resubscribe", "t"))
	if all := strings.ReplaceAll(update(3, true), `"rec-1"`, "5"); got != all || err != nil {
		t.Errorf("got %q, %v, want %q", got, err, all)
	}
}
