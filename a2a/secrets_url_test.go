package a2a

import (
	"net/url"
	"strings"
	"testing"
)

func TestASecretInAURLInJSONIsMasked(t *testing.T) {
	t.Parallel()
	secret := `bearer/0ne+x&y-and-more`
	want := strings.ReplaceAll(url.PathEscape(secret), "&", `\u0026`)
	for _, s := range spellings(secret) {
		if s == want {
			return
		}
	}
	t.Errorf("got spellings %q, want %q among them", spellings(secret), want)
}
