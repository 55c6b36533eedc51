package media

import "testing"

func TestFormsOfText(t *testing.T) {
	for _, c := range []struct {
		mediaType, name string
		want            Form
	}{
		{"", "", Markdown}, {"", "x.md", Markdown}, {"text/markdown", "x.go", Markdown}, {"text/csv", "", CSV},
		{"", "x.TSV", CSV}, {"text/plain", "x.csv", CSV}, {"application/json; charset=utf-8", "", JSON}, {"", "x.json", JSON},
		{"text/x-python", "", Code}, {"text/plain", "x.py", Code}, {"text/plain", "", Text}, {"", "x.log", Text},
	} {
		if got, _ := Of(c.mediaType, c.name); got != c.want {
			t.Errorf("%q, %q is of form %d, not %d", c.mediaType, c.name, got, c.want)
		}
	}
}
