package serve

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// onBroker adds a request to an agent on a broker.
func (tp *tape) onBroker(op, method, prompt string) int {
	return tp.line("request", 0, `,"dir":"out","call":{"agent":1,"op":"`+op+`","dialect":"sam-broker","binding":"MQTT","endpoint":"mqtt://b:1/n/a2a/v1/agent/request/A"},"head":{"method":"PUBLISH","url":"mqtt://b:1/n/a2a/v1/agent/request/A"},"raw":`+text(sendBody(`"t-1"`, method, prompt, "")), moment)
}

// puback adds the broker's word that it has a request.
func (tp *tape) puback(x int) {
	tp.line("response", x, `,"dir":"in","head":{"status":200,"proto":"MQTT 5","header":{":puback":["success"]}}`, moment)
}

// onMesh is a recording of an agent on a broker.
func onMesh() *tape {
	tp := newTape()
	x := tp.line("request", 0, `,"call":{"agent":1,"op":"card","binding":"MQTT"},"head":{"method":"SUBSCRIBE","url":"mqtt://b:1/n/a2a/v1/discovery/agentcards"}`, moment)
	tp.line("body", x, `,"dir":"in","raw":`+text(`{"name":"A","url":"solace:n/a2a/v1/agent/request/A","version":"1","skills":[],"capabilities":{"streaming":true}}`), 0)
	tp.line("note", 0, `,"note":{"type":"opened","attrs":{"agent":"1","record":"2"}}`, 0)
	x = tp.onBroker("stream", "message/stream", "Go")
	tp.puback(x)
	tp.event(x, "{\"jsonrpc\":\"2.0\",\r\n\"id\":\"t-1\",\n\"result\":{\"kind\":\"status-update\",\"taskId\":\"t-1\",\"contextId\":\"c\",\"status\":{\"state\":\"working\"}}}")
	tp.event(x, taskBody(`"t-1"`, "t-1", "c", "gone"))
	tp.end(x, "ended", "")
	x = tp.onBroker("send", "message/send", "Stay")
	tp.puback(x)
	tp.event(x, `{"jsonrpc":"2.0","id":"t-1","result":{"kind":"status-update","taskId":"t-2","contextId":"d","status":{"state":"working"}}}`)
	tp.event(x, taskBody(`"t-1"`, "t-2", "d", "stayed"))
	tp.end(x, "ended", "")
	x = tp.onBroker("stream", "message/stream", "Break")
	tp.event(x, `{"jsonrpc":"2.0","id":"t-1","result":{"kind":"status-update","taskId":"t-3","contextId":"e","status":{"state":"working"}}}`)
	tp.end(x, "cut", "the broker went away")
	tp.onBroker("stream", "message/stream", "Nothing came")
	return tp
}

// What was recorded on a broker is answered over JSON-RPC: a stream event by event, any other
// request by its answer, and a cut as a cut.
func TestAnAgentOnABrokerIsServed(t *testing.T) {
	t.Parallel()
	ts := onMesh().serve(t, Options{})
	got, err := ts.post(t, sendBody("7", "message/stream", "Go", ""))
	if want := "data: {\"jsonrpc\":\"2.0\",\ndata: \"id\":7,\ndata: \"result\":{\"kind\":\"status-update\""; err != nil || !strings.HasPrefix(got, want) || strings.Count(got, "\n\n") != 2 || strings.Contains(got, "\r") {
		t.Errorf("got %v and\n%q\nwant two events, the first with %q", err, got, want)
	}
	if got, err := ts.post(t, sendBody("8", "message/send", "Stay", "")); err != nil || got != taskBody("8", "t-2", "d", "stayed") {
		t.Errorf("got %v and %s, want the answer alone", err, got)
	}
	if got, err := ts.post(t, sendBody("9", "message/stream", "Break", "")); err == nil || !strings.Contains(got, `"t-3"`) {
		t.Errorf("got %v and %s, want an event and a cut", err, got)
	}
	if got, err := ts.post(t, sendBody("8", "message/stream", "Stay", "")); err != nil || !strings.HasPrefix(got, `data: {"jsonrpc":"2.0","id":8,"result":{"kind":"task","id":"t-2-`) || strings.Count(got, "\n\n") != 1 {
		t.Errorf("got %v and %s, want the answer as an event", err, got)
	}
	if got, err := ts.post(t, sendBody("7", "message/send", "Go", "")); err != nil || !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":7,"result":{"id":"t-1-`) || !strings.Contains(got, "gone") {
		t.Errorf("got %v and %s, want what the stream brings", err, got)
	}
	if got, err := ts.post(t, sendBody("9", "message/send", "Break", "")); err == nil {
		t.Errorf("got %s, want a cut", got)
	}
	resp, err := http.Get(ts.URL + wellKnown[0])
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	card, _ := io.ReadAll(resp.Body)
	if want := `{"name":"A","url":"` + ts.URL + `/","version":"1","skills":[],"capabilities":{"streaming":true}}`; string(card) != want {
		t.Errorf("got card %s, want %s", card, want)
	}
}
