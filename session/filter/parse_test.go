package filter

import (
	"errors"
	"strings"
	"testing"

	"parley/a2a"
)

// A wrong filter; in where, guillemets enclose the wrong part of its text.
type wrong struct{ text, where, words string }

func (c wrong) check(t *testing.T) {
	t.Helper()
	_, err := Parse(c.text)
	var e *Error
	if !errors.As(err, &e) {
		t.Errorf("%s: got error %v, want an Error", c.text, err)
		return
	}
	if where := c.text[:e.Off] + "«" + c.text[e.Off:e.End] + "»" + c.text[e.End:]; where != c.where || !strings.Contains(e.Error(), c.words) {
		t.Errorf("%s: got %s: %s\nwant %s: %s", c.text, where, e.Message, c.where, c.words)
	}
}

func TestAWrongFilterSaysWhere(t *testing.T) {
	for _, c := range []wrong{
		{"foo:bar", "«foo»:bar", "there is no field foo"},
		{"a stat:working", "a «stat»:working", "state: or status:"},
		{"knid:task", "«knid»:task", "kind:"},
		{"kinds:task", "«kinds»:task", "kind:"},
		{"sise>10k", "«sise»>10k", "size>"},
		{"http://host", "«http»://host", "quotation marks"},
		{"dir:", "dir:«»", "in, out or local"},
		{"dir:up in", "dir:«up» in", "in, out or local"},
		{"dir:in,up", "dir:in,«up»", "in, out or local"},
		{"dir:in,", "dir:in,«»", "in, out or local"},
		{"dir=in", "dir«=»in", "dir:"},
		{"kind:/x/", "kind:«/x/»", "kind"},
		{"a or", "a or«»", "missing at the end"},
		{"or a", "«or» a", "missing before \"or\""},
		{"a and or b", "a and «or» b", "missing before \"or\""},
		{"not", "not«»", "missing at the end"},
		{"(a", "«(»a", "closing bracket is missing"},
		{"((a)", "«(»(a)", "is missing"},
		{"a (", "a «(»", "is missing"},
		{"a)", "a«)»", "is missing"},
		{"()", "(«)»", "missing before this bracket"},
		{"(a or )", "(a or «)»", "missing before this bracket"},
		{`"abc`, `«"abc»`, "closing quotation mark is missing"},
		{`""`, `«""»`, "are empty"},
		{`"a"b`, `"a"«b»`, "a space is missing"},
		{`agent:"a"b c`, `agent:"a"«b» c`, "a space is missing"},
		{"/a2a", "«/a2a»", "must end with /"},
		{"//", "«//»", "is empty"},
		{"x /a(b/", "x /«a(b»/", "missing closing )"},
		{"x /a[z-a]/", "x /a[«z-a»]/", "invalid character class range"},
		{"/a{2,1}/", "/a«{2,1}»/", "repeat count"},
		{"/(a{900}){900}/", "/(a«{900}»){900}/", "repeat count"},
		{strings.Repeat("(", 200) + "a", strings.Repeat("(", 100) + "«(»" + strings.Repeat("(", 99) + "a", "nested too deeply"},
	} {
		c.check(t)
	}
	if _, err := Parse(strings.Repeat("a ", 3000)); err == nil {
		t.Errorf("got no error for a filter of 6000 bytes, want one beyond %d", maxText)
	}
}

func TestAWrongValueSaysWhere(t *testing.T) {
	for _, c := range []wrong{
		{"state:workin", "state:«workin»", "state:other"},
		{"status:abc", "status:«abc»", "404, 4xx or 400-499"},
		{"status>4xx", "status>«4xx»", "404, 4xx or 400-499"},
		{"status:500-400", "status:«500-400»", "404, 4xx or 400-499"},
		{"size:10k", "size«:»10k", "size>"},
		{"size>10x", "size>«10x»", "10k or 1.5MB"},
		{"size>kB", "size>«kB»", "10k or 1.5MB"},
		{"size>1e300", "size>«1e300»", "10k or 1.5MB"},
		{"size> 10k", "size>«» 10k", "10k or 1.5MB"},
		{"gap>2", "gap>«2»", "its unit"},
		{"gap:2s", "gap:«2s»", "gap needs a time such as gap>500ms or gap>2s, or gap:max"},
		{"gap:/max/", "gap:«/max/»", "or gap:max"},
		{"gap>max", "gap>«max»", "its unit"},
		{"gap>-2s", "gap>«-2s»", "its unit"},
		{"since:noon", "since:«noon»", "14:02"},
		{"since:#x", "since:«#x»", "#120"},
		{"until:noon", "until:«noon»", "14:05"},
		{"error:x", "error«:»x", "has no field"},
	} {
		c.check(t)
	}
}

// FuzzParse searches for input that crashes the parser, for errors that point outside of the
// text, and for records that crash a filter.
func FuzzParse(f *testing.F) {
	tape := desk()
	env := tape.env()
	for _, s := range []string{"", "a", `dir:in kind:artifact,status "x" /y/`, "not (a or b) and c", "size>10k gap>=2s since:14:02", `agent:"x\"" state:/a/`, "finding:E marked error", "(((", "status:4xx,>3", "since:2026-11-20T15:03:00+01:00"} {
		f.Add(s, len(s))
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		for _, c := range Complete(text, at, env) {
			if c.From < 0 || c.From > c.To || c.To > len(text) {
				t.Fatalf("%q at %d: got candidate %+v, want it inside of the text", text, at, c)
			}
		}
		flt, err := Parse(text)
		var e *Error
		if errors.As(err, &e) {
			if e.Off < 0 || e.Off > e.End || e.End > len(text) || e.Message == "" {
				t.Fatalf("%q: got error %+v, want it inside of the text and with a message", text, e)
			}
			return
		}
		for i := 1; i <= tape.State.Log.Len(); i++ {
			flt.Match(tape.State.Log.At(a2a.RecordID(i)), env)
		}
	})
}
