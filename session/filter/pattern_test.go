package filter

import (
	"regexp"
	"testing"
)

func TestAPatternSaysWhatIsAlwaysThere(t *testing.T) {
	for expr, want := range map[string]string{
		"no such (text|word)": "uch ", "a(?:bcd|bcde)f": "bcd", "(itinerary)+x": "itinerary", "x*abc?": "", "abcd?e": "abc", "(?-i)Input": "input", "[a-z]+": "", "^GRÜßE$": "grÜße",
		"mask|abc": "", "(abc){2,3}": "abc", "(abc){0,3}": "", "desk": "", "task-\\d": "", "\ufffdabc": "abc",
	} {
		p, err := compilePattern(expr)
		if err != nil || p.must.lower != want {
			t.Errorf("%s: got literal %q, want %q (%v)", expr, p.must.lower, want, err)
		}
	}
}

// FuzzPattern compares a pattern with its plain regular expression.
func FuzzPattern(f *testing.F) {
	for _, expr := range []string{"no such (text|word)", "(itinerary)+x?", "GRÜßE", "a{3,}b", "\ufffdabc", "İstan", "(?s)a.*bcd"} {
		f.Add(expr, []byte("NO SUCH word, itineraryITINERARY \xff\xfe Grüße aaab \ufffdabc İSTAN\n"+expr))
	}
	f.Fuzz(func(t *testing.T, expr string, s []byte) {
		p, err := compilePattern(expr)
		if err != nil || len(expr) > 200 {
			return
		}
		if got, want := p.in(s), regexp.MustCompile("(?i)"+expr).Match(s); got != want {
			t.Fatalf("/%s/ in %q: got match %v, want %v", expr, s, got, want)
		}
	})
}
