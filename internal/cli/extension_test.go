package cli

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestExtensionsAreAskedForAndThoseThatAreRequiredAreNamed(t *testing.T) {
	t.Parallel()
	card := strings.Replace(plainCard, `"capabilities":{}`, `"capabilities":{"extensions":[{"uri":"urn:must","required":true},{"uri":"urn:a b\u001b[2J","required":true}]}`, 1)
	s := newStub(t, card, func(q *asked, w http.ResponseWriter) {
		if slices.Contains(q.header.Values("A2A-Extensions"), "urn:must") {
			w.Header().Set("A2A-Extensions", "urn:must")
		}
		q.result(w, task(strings.Replace(working, "WORKING", "INPUT_REQUIRED", 1)))
	})
	r := parley(t, "send", "-a", s.URL, "hello")
	if r.code != 0 || !strings.Contains(r.err, "requires the extension urn:must; to request it, add --extension urn:must") || strings.Contains(r.err, "\x1b") || strings.Contains(r.err, "uses") {
		t.Errorf("got exit %d, want 0 and the required extension\n%s", r.code, r.err)
	}
	r = parley(t, "send", "-a", s.URL, "hello", "--extension", "urn:must", "--extension", "urn:other")
	if r.code != 0 || strings.Contains(r.err, "requires the extension urn:must") || !strings.Contains(r.err, "the agent used urn:must.") {
		t.Errorf("got exit %d, want 0 and the used extension\n%s", r.code, r.err)
	}
	if !strings.Contains(r.out+r.err, "--extension urn:must --extension urn:other") {
		t.Errorf("got no extensions in the next command:\n%s%s", r.out, r.err)
	}
	sends := s.asked("SendMessage")
	if got := sends[len(sends)-1].header.Values("A2A-Extensions"); !slices.Equal(got, []string{"urn:must", "urn:other"}) {
		t.Errorf("got A2A-Extensions %q, want both", got)
	}
	if r = parley(t, "send", "-a", s.URL, "hello", "--extension", "a, b"); r.code != 2 || !strings.Contains(r.err, "--extension cannot be requested") {
		t.Errorf("got exit %d, want 2\n%s", r.code, r.err)
	}
}
