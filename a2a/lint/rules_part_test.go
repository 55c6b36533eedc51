package lint

import (
	"strings"

	"parley/a2a"
)

// partCase is a case about one part of an answer.
func partCase(rule string, d a2a.DialectName, at, bad, good string) ruleCase {
	if at != "-" {
		at = map[bool]string{true: "/result/message/parts/0", false: "/result/parts/0"}[d == a2a.V10] + at
	}
	return ruleCase{rule: rule, call: on(d, a2a.OpSend), at: at, fires: withPart(d, bad), silent: withPart(d, good)}
}

const (
	pngBytes  = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk`
	jpegBytes = `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQE`
)

var partCases = []ruleCase{
	partCase("PART-001", a2a.V03, "/kind", `{"kind":"","text":"x"}`, `{"kind":"text","text":"x"}`),
	partCase("PART-001", a2a.V03, "", `{"text":"x"}`, `{"kind":"text","text":"x"}`),
	partCase("PART-001", a2a.V01, "", `{"text":"x"}`, `{"type":"text","text":"x"}`),
	partCase("PART-002", a2a.V03, "/type", `{"type":"text","text":"x"}`, `{"kind":"text","text":"x"}`),
	partCase("PART-002", a2a.V02, "/type", `{"kind":"text","type":"text","text":"x"}`, `{"kind":"text","text":"x"}`),
	partCase("PART-002", a2a.V01, "/kind", `{"kind":"text","text":"x"}`, `{"type":"text","text":"x"}`),
	partCase("PART-003", a2a.V10, "/kind", `{"kind":"text","text":"x"}`, `{"text":"x"}`),
	partCase("PART-003", a2a.V10, "/file", `{"file":{"bytes":"AAAA"}}`, `{"raw":"AAAA","mediaType":"a/b"}`),
	partCase("PART-004", a2a.V10, "", `{"text":"x","url":"https://x.example/"}`, `{"text":"x","metadata":{"url":"y"}}`),
	partCase("PART-004", a2a.V03, "", `{"kind":"text","text":"x","data":{}}`, `{"kind":"data","data":{}}`),
	partCase("PART-004", a2a.V10, "", `{"mediaType":"a/b"}`, `{"text":""}`),
	partCase("PART-013", a2a.V10, "", `{"audio":"x"}`, `{"text":"x"}`),
	partCase("PART-005", a2a.V03, "/file", `{"kind":"file","file":{"bytes":"AAAA","uri":"https://x.example/"}}`, `{"kind":"file","file":{"bytes":"AAAA"}}`),
	partCase("PART-006", a2a.V03, "/file/url", `{"kind":"file","file":{"url":"https://x.example/"}}`, `{"kind":"file","file":{"uri":"https://x.example/"}}`),
	partCase("PART-006", a2a.V01, "/file/data", `{"type":"file","file":{"data":"AAAA"}}`, `{"type":"file","file":{"bytes":"AAAA"}}`),
	partCase("PART-006", a2a.V10, "/mimeType", `{"raw":"AAAA","mimeType":"a/b"}`, `{"raw":"AAAA","mediaType":"a/b"}`),
	partCase("PART-007", a2a.V10, "/raw", `{"raw":"iVBOR…"}`, `{"raw":"AAAA"}`),
	partCase("PART-008", a2a.V03, "/data", `{"kind":"data","data":[1]}`, `{"kind":"data","data":{"list":[1]}}`),
	partCase("PART-009", a2a.V10, "", `{"raw":"AAAA"}`, `{"raw":"AAAA","mediaType":"a/b"}`),
	partCase("PART-009", a2a.V10, "/mediaType", `{"raw":"`+pngBytes+`","mediaType":"image/jpeg"}`, `{"raw":"`+jpegBytes+`","mediaType":"image/jpg; q=1"}`),
	partCase("PART-009", a2a.V03, "/file/mimeType", `{"kind":"file","file":{"bytes":"`+jpegBytes+`","mimeType":"text/plain"}}`,
		`{"kind":"file","file":{"bytes":"SGVsbG8sIHdvcmxkIQ==","mimeType":"text/plain"}}`),
	partCase("PART-009", a2a.V03, "/file/mimeType", `{"kind":"file","file":{"bytes":"SGVsbG8sIHdvcmxkIQ==","mimeType":"application/pdf"}}`,
		`{"kind":"file","file":{"bytes":"`+pngBytes+`","mimeType":"application/octet-stream"}}`),
	partCase("PART-010", a2a.V10, "/url", `{"url":"artifact://s/f","mediaType":"a/b"}`, `{"url":"HTTPS://x.example/f","mediaType":"a/b"}`),
	partCase("PART-010", a2a.V03, "/file/uri", `{"kind":"file","file":{"uri":"files/f?a:b"}}`, `{"kind":"file","file":{"uri":"http://x.example/f"}}`),
	{
		rule: "PART-011", call: on(a2a.V10, a2a.OpSend), at: "/result/message/parts/0/mediaType",
		fires: []step{asked(accepting), answered(wrapped(a2a.V10, "message", message(a2a.V10, "agent",
			`"parts":[{"raw":"AAAA","mediaType":"application/zip"}]`)))},
		silent: []step{asked(accepting), answered(wrapped(a2a.V10, "message", message(a2a.V10, "agent",
			`"parts":[{"raw":"AAAA","mediaType":"image/x-odd"},{"text":"x","mediaType":"text/plain; charset=utf-8"},{"text":"x"}]`)))},
	},
	{
		rule: "PART-012", call: on(a2a.V03REST, a2a.OpSend), at: "/message/content/0/file/fileWithBytes",
		fires:  answers(a2a.V03REST, `{"message":{"messageId":"m","role":"ROLE_AGENT","content":[{"file":{"fileWithBytes":"U0dWc2JHOHNJSGR2Y214a0lRPT0="}}]}}`),
		silent: answers(a2a.V03REST, `{"message":{"messageId":"m","role":"ROLE_AGENT","content":[{"file":{"fileWithBytes":"SGVsbG8sIHdvcmxkIQ=="}}]}}`),
	},
	{
		rule: "PART-011", call: on(a2a.V03, a2a.OpSend), at: "/result/parts/0/file/mimeType",
		fires: []step{asked(strings.Replace(accepting, `"image/*"`, `"application/pdf"`, 1)), answered(wrapped(a2a.V03, "message",
			message(a2a.V03, "agent", `"parts":[{"kind":"file","file":{"bytes":"AAAA","mimeType":"image/odd"}}]`)))},
		silent: []step{asked(strings.Replace(accepting, `"image/*"`, `"*/*"`, 1)), answered(wrapped(a2a.V03, "message",
			message(a2a.V03, "agent", `"parts":[{"kind":"file","file":{"bytes":"AAAA","mimeType":"image/odd"}}]`)))},
	},
	partCase("PART-013", a2a.V10, "", `{"smell":"of toast"}`, `{"data":null}`),
	{
		rule: "PART-013", call: on(a2a.V10, a2a.OpStream), at: "/params/message/parts/0",
		fires:  []step{sends(a2a.V10, `"parts":[{"smell":"of toast"}]`)},
		silent: []step{sends(a2a.V10, `"parts":[{"data":null}]`)},
	},
}

// accepting is a request that accepts plain text and images.
const accepting = `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},
	"configuration":{"acceptedOutputModes":["text","image/*"]}}}`
