package lint

import (
	"testing"

	"parley/a2a"
)

// says is an answer whose status message has a text.
func says(text string) step {
	return answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working","message":` +
		`{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"` + text + `"}]}}}}`)
}

const textAt = "/result/status/message/parts/0/text"

var textCases = []ruleCase{
	{
		rule: "SEC-001", call: on(a2a.V03, a2a.OpGet), at: textAt,
		fires:  []step{asked(get03), headed(200, isJSON), says(`\u001b[2J`)},
		silent: []step{asked(get03), headed(200, isJSON), says("tabs\\tlines\\r\\n “quoted” … 한국어 👩‍🚀 \\u00e9")},
	},
	{
		rule: "SEC-001", call: on(a2a.V03, a2a.OpGet), at: textAt,
		fires:  []step{asked(get03), headed(200, isJSON), says("exe.\u202Efdp")},
		silent: []step{asked(get03), headed(200, isJSON), says("é © ÿ")},
	},
	{
		rule: "SEC-002", call: cardCall, at: "/documentationUrl",
		fires:  card(card10, `"version":"1"`, `"version":"1","documentationUrl":"JavaScript:alert(1)"`),
		silent: card(card10, `"version":"1"`, `"version":"1","documentationUrl":"https://agent.example/javascript:"`),
	},
	{
		rule: "SEC-002", call: on(a2a.V03, a2a.OpGet), at: "/result/artifacts/0/parts/0/file/uri",
		fires:  []step{asked(get03), headed(200, isJSON), file("http://169.254.169.254/latest/meta-data")},
		silent: []step{asked(get03), headed(200, isJSON), file("https://agent.example/f"), file("artifact://s/f")},
	},
}

// file is a task with a file by reference.
func file(uri string) step {
	return answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"working"},"artifacts":` +
		`[{"artifactId":"a","parts":[{"kind":"file","file":{"uri":"` + uri + `"}}]}]}}`)
}

func TestSuspicionHasNoFalseNegatives(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		if _, bad := firstControl(string(r)); bad && r >= 0x7F && !suspicious([]byte(string(r))) {
			t.Errorf("suspicious: got false for %U, want true", r)
		}
	}
	if !suspicious([]byte("é\u0085")) || suspicious([]byte("é… “a”\xC2")) {
		t.Error("suspicious: got \u0085 false or other text true")
	}
}
