package canvas

import (
	"strings"
	"testing"

	"parley/a2a/hostname"
)

func TestAHostThatDoesNotFitKeepsItsEnd(t *testing.T) {
	link := "https://www.bank.example." + strings.Repeat("a", 60) + ".evil.example:8443/"
	for w := range 100 {
		got := HostIn(link, w, "…")
		if Width(got) > w || !strings.HasSuffix(hostname.OfLink(link), strings.TrimPrefix(got, "…")) {
			t.Errorf("%d cells: got %q, want the end of the host", w, got)
		}
		if w >= 20 && !strings.HasSuffix(got, ".evil.example:8443") {
			t.Errorf("%d cells: got %q, want the registered domain in it", w, got)
		}
	}
}
