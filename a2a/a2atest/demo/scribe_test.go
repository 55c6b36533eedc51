package demo

import (
	"strings"
	"testing"
)

func TestScribeWritesAWholeEssay(t *testing.T) {
	p := meet(t)["Scribe"]
	events := p.stream("Write an essay on tides", "")
	text := texts(t, events)["tides.md"]
	if len(text) < 5000 || len(text) > 7000 || len(events) < 300 {
		t.Errorf("got %d bytes in %d events, want 5000 to 7000 in at least 300", len(text), len(events))
	}
	for _, want := range []string{"\n## ", "|---", "\n```go\n", "\n> ", "](https://", "\n   - ", "\n     1. ", "- [x] "} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in the essay", want)
		}
	}
	if got := dig(p.get(events[0].task).result, "artifacts", 0, "parts", 0, "text"); got != text {
		t.Error("get: got another essay than the stream")
	}
}

func TestScribeInterleavesTwoDocuments(t *testing.T) {
	p := meet(t)["Scribe"]
	events := p.stream("Compare tides in two documents at once", "")
	changes, before := 0, ""
	for _, e := range events {
		if e.key != "" && e.key != before {
			changes++
			before = e.key
		}
	}
	if got := texts(t, events); len(got) != 2 || changes < 40 {
		t.Errorf("got %d artifacts and %d changes between them, want 2 and at least 40", len(got), changes)
	}
}

func TestScribeRevisesOneMessage(t *testing.T) {
	p := meet(t)["Scribe"]
	ids, longest := map[string]bool{}, ""
	for _, e := range p.stream("Think aloud about the Moon", "") {
		if e.message == nil {
			continue
		}
		ids[word(e.message["messageId"])] = true
		text := word(dig(e.message, "parts", 0, "text"))
		if !strings.HasPrefix(text, longest) {
			t.Fatalf("got %q, want it to continue %q", text, longest)
		}
		longest = text
	}
	if len(ids) != 1 || !strings.HasSuffix(longest, "cup of tea.\n") {
		t.Errorf("got %d message ids and text %q, want one id and the whole text", len(ids), longest)
	}
}
