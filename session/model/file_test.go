package model

import (
	"testing"

	"parley/a2a"
)

func TestAMaskedAddressIsRecognised(t *testing.T) {
	for _, c := range []struct {
		masked, uri string
		same        bool
	}{
		{"http://x/a?sig=" + a2a.Mask, "http://x/a?sig=abc", true},
		{"http://x/a?sig=" + a2a.Mask + "&b=1", "http://x/a?sig=abc&b=1", true},
		{"http://x/a?sig=" + a2a.Mask + "&b=1", "http://x/a?sig=abc&b=2", false},
		{"http://" + a2a.Mask + "@x/?k=" + a2a.Mask + "&c", "http://u@x/?k=v&c", true},
		{"http://" + a2a.Mask + "@x/?k=" + a2a.Mask + "&c", "http://u@y/?k=v&c", false},
		{"http://x/a", "http://x/b", false}, {a2a.Mask, "", true}, {"", "", false},
	} {
		if got := unmasks(c.masked, c.uri); got != c.same {
			t.Errorf("%q and %q: got %t, want %t", c.masked, c.uri, got, c.same)
		}
	}
}
