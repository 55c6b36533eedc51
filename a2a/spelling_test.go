package a2a

import (
	"encoding/json"
	"testing"
)

// TestTheFourSpellingsOf03OverHTTPJSONMeanTheSame decodes one task as servers of that binding
// write it: with JSON names, with protocol buffer names, as over JSON-RPC inside the wrapper,
// and the same in snake_case.
func TestTheFourSpellingsOf03OverHTTPJSONMeanTheSame(t *testing.T) {
	t.Parallel()
	const want = `{"id":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELED","message":` +
		`{"messageId":"m","contextId":"c","taskId":"t","role":"ROLE_AGENT","parts":[{"text":"no"},{"raw":"AP8Q","filename":"a.bin","mediaType":"x/y"},` +
		`{"url":"https://files.example/a","mediaType":"x/y"},{"data":{"n":1}}]}},` +
		`"artifacts":[{"artifactId":"a","parts":[{"text":"x"}]}]}`
	for name, body := range map[string]string{
		"names of JSON": `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_CANCELLED","message":
			{"messageId":"m","contextId":"c","taskId":"t","role":"ROLE_AGENT","content":[{"text":"no"},
			{"file":{"fileWithBytes":"QVA4UQ==","name":"a.bin","mimeType":"x/y"}},{"file":{"fileWithUri":"https://files.example/a","mimeType":"x/y"}},{"data":{"data":{"n":1}}}]}},
			"artifacts":[{"artifactId":"a","parts":[{"text":"x"}]}]}}`,
		"names of the protocol buffer": `{"task":{"id":"t","context_id":"c","status":{"state":"TASK_STATE_CANCELLED","update":
			{"message_id":"m","context_id":"c","task_id":"t","role":"ROLE_AGENT","content":[{"text":"no"},
			{"file":{"file_with_bytes":"QVA4UQ==","name":"a.bin","mime_type":"x/y"}},{"file":{"file_with_uri":"https://files.example/a","mime_type":"x/y"}},{"data":{"data":{"n":1}}}]}},
			"artifacts":[{"artifact_id":"a","parts":[{"text":"x"}]}]}}`,
		"as over JSON-RPC": `{"task":{"kind":"task","id":"t","contextId":"c","status":{"state":"canceled","message":
			{"kind":"message","messageId":"m","contextId":"c","taskId":"t","role":"agent","parts":[{"kind":"text","text":"no"},
			{"kind":"file","file":{"bytes":"AP8Q","name":"a.bin","mimeType":"x/y"}},{"kind":"file","file":{"uri":"https://files.example/a","mimeType":"x/y"}},{"kind":"data","data":{"n":1}}]}},
			"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":"x"}]}]}}`,
		"in snake_case": `{"kind":"task","id":"t","context_id":"c","status":{"state":"canceled","message":
			{"kind":"message","message_id":"m","context_id":"c","task_id":"t","role":"agent","parts":[{"kind":"text","text":"no"},
			{"kind":"file","file":{"bytes":"AP8Q","name":"a.bin","mime_type":"x/y"}},{"kind":"file","file":{"uri":"https://files.example/a","mime_type":"x/y"}},{"kind":"data","data":{"n":1}}]}},
			"artifacts":[{"artifact_id":"a","parts":[{"kind":"text","text":"x"}]}]}`,
	} {
		u := Decode(&Call{Op: OpSend, Dialect: V03REST}, Input{Body: []byte(body), Status: 200})
		if len(u.Events) != 1 || u.Events[0].Kind != EventTask {
			t.Errorf("%s: got update %+v, want one task", name, u)
			continue
		}
		task := u.Events[0].Task
		task.v1 = false
		var got, expected any
		if err := json.Unmarshal(EncodeV1Task(task), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(want), &expected); err != nil {
			t.Fatal(err)
		}
		if g, w := mustJSON(t, got), mustJSON(t, expected); g != w {
			t.Errorf("%s:\n got %s\nwant %s", name, g, w)
		}
	}
}
