package record

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

// In the tree of a chunk, only the text that it brought has the agent's colour; an equal value
// elsewhere has not.
func TestTheTextThatAChunkBroughtHasTheAgentsColour(t *testing.T) {
	const text = `stand on the \n`
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}, Raw: []byte(`{"method":"SendStreamingMessage"}`)})
	chunk := f.Event(2, `{"jsonrpc":"2.0","id":"`+text+`","result":{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"data":{"text":"`+text+`"}},{"text":"`+text+`"},{"text":"left"}]}}}}`)
	state := f.Event(2, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"`+text+`"}]}}}}}`)
	v := openView(f, chunk, 80, 40)
	v.SetStyles(styles.New(themes.Dark(), styles.Unicode()))
	count := func(p styles.Paint, what string) int {
		return strings.Count(strings.Join(v.Lines(false), "\n"), p.On+`"`+what)
	}
	if n := count(v.st.Agent, text) + count(v.st.Agent, "left"); n != 2 {
		t.Errorf("got %d texts in the agent's colour, want the two that came:\n%q", n, v.Lines(false))
	}
	if n := count(v.st.Text, text); n != 2 {
		t.Errorf("got %d texts in the colour of text, want the id and the data", n)
	}
	v.Show(f.State.Log.At(state))
	if n := count(v.st.Agent, ""); n != 0 {
		t.Errorf("got %d texts in the agent's colour in a status, want none", n)
	}
}
