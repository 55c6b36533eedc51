package themes

import (
	"os"
	"strings"
	"testing"
)

// The manual names every theme and every key, and its example is a theme without mistakes that
// can be read.
func TestTheManualDescribesThemes(t *testing.T) {
	raw, err := os.ReadFile("../docs/themes.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(raw)
	for _, name := range builtin {
		if !strings.Contains(manual, "`"+name+"`") {
			t.Errorf("got no %s in docs/themes.md, want it", name)
		}
	}
	for key := range strings.FieldsFuncSeq(strings.ReplaceAll(keys, " and ", ","), func(r rune) bool { return r == ',' || r == ' ' }) {
		if !strings.Contains(manual, "`"+key+"`") {
			t.Errorf("got no key %s in docs/themes.md, want it", key)
		}
	}
	_, example, ok := strings.Cut(manual, "```toml\n")
	example, _, end := strings.Cut(example, "```")
	if !ok || !end {
		t.Fatal("got no example in docs/themes.md")
	}
	got, mistakes := Read("beamer", "beamer.toml", []byte(example))
	if len(mistakes) > 0 || got.About != "Nord for a bright room" || got.Accent != named("nord").Accent || got.Ground == named("nord").Ground {
		t.Errorf("got %+v and mistakes %v, want the theme of the example", got, mistakes)
	}
	if got := got.Shortfalls(); len(got) > 0 {
		t.Errorf("got an example that is hard to read: %v", got)
	}
}
