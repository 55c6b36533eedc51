package replay

import "testing"

// Whatever is typed, there is a place or a sentence.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"12:03", "1:02:03.5", "#421", "@14:02", "50%", "+30s", "-1m", "next finding", "previous mark", "end", "", "@", "-", "1e9", "NaN%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := Parse(text)
		switch {
		case err != nil:
		case g.kind == toRecord && g.Record < 1, g.kind == toPart && !(g.Part >= 0 && g.Part <= 1), g.kind == toWord && g.Word == "", g.kind == toTime && !g.Relative && g.Since < 0:
			t.Errorf("%q: got %+v", text, g)
		}
	})
}
