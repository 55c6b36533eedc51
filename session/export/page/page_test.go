package page

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// render returns the HTML of Markdown from record 1.
func render(t testing.TB, source string) string {
	t.Helper()
	var b bytes.Buffer
	p := &page{out: newOut(&b), places: newPlaces(), excerpt: excerptOf(t)}
	p.markdown([]byte(source), spot{1, 0, 0}, func(int) a2a.RecordID { return 1 })
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLinksLeadOnlyWhereTheySay(t *testing.T) {
	for source, want := range map[string]string{
		"[a](https://a.example/?b=1&c=2)": `<a class="out" rel="noreferrer noopener nofollow" href="https://a.example/?b=1&amp;c=2" title="leads to a.example">a</a>`,
		"<mail@a.example>":                `href="mailto:mail@a.example"`,
		"[a](javascript:alert(1))":        `<span class="nolink">a <code>javascript:alert(1)</code></span>`,
		"[a](JaVaScRiPt:alert(1))":        `<span class="nolink">`,
		"[a](&#106;avascript:alert(1))":   `<span class="nolink">`,
		"[a](data:text/html,x)":           `<span class="nolink">`,
		"[a](//a.example)":                `<span class="nolink">`,
		"[a](#r1)":                        `<span class="nolink">`,
		"[a](https://user@a.example/)":    `<span class="nolink">`,
		"![a](https://a.example/x.png)":   `>picture: a</a>`,
		"<b onclick=x>y</b>":              `&lt;b onclick=x&gt;y&lt;/b&gt;`,
		"<div>\n<script>x</script>\n":     `<pre>&lt;div&gt;`,
		"a &#x202e; b &#27;[31m":          `a ⟨U+202E⟩ b ␛[31m`,
		"```html\n<x>\n```":               `<pre><code>&lt;x&gt;`,
	} {
		if got := render(t, source); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", source, got, want)
		}
	}
}

func TestPausesHaveOneSign(t *testing.T) {
	for d, want := range map[time.Duration]string{-time.Second: "", 0: "", time.Microsecond: "&lt;1 ms", time.Millisecond: "+1 ms", 2 * time.Second: "+2 s"} {
		if got := pause(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}

// What is slow to parse is shown as it is.
func TestHostileMarkdownIsCheap(t *testing.T) {
	for name, source := range map[string]string{
		"quotes": strings.Repeat(">", 100_000) + "x", "lists": strings.Repeat("- ", 50_000) + "x", "brackets": strings.Repeat("[", 100_000),
		"stars": strings.Repeat("*a ", 100_000), "giant": strings.Repeat("words\n\n", 200_000),
	} {
		if isCheap([]byte(source)) {
			t.Errorf("%s: got Markdown, want plain text", name)
		}
	}
	for _, source := range []string{"- - -\n", "a\n---\n", strings.Repeat("-", 200) + "\n", "|" + strings.Repeat("---|", 100) + "\n", "> > > quote"} {
		if !isCheap([]byte(source)) {
			t.Errorf("%q: got plain text, want Markdown", source)
		}
	}
}

// Neither styles nor script can end the element that they are in, and nothing is loaded.
func TestTheFrameIsInert(t *testing.T) {
	for _, text := range []string{css, script} {
		if regexp.MustCompile(`(?i)</|url\(|@import|https?:|innerHTML|eval|fetch`).MatchString(text) {
			t.Error("got styles or a script that could load or end something")
		}
	}
	if !strings.Contains(colours(), "--text:light-dark(#22283a,#c8d0e6);") {
		t.Errorf("got %s, want the colours of both themes", colours())
	}
}

// FuzzMarkdown checks that no element or attribute comes out that an agent chose.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"# a\n\n[b](javascript:x)", "<img src=x onerror=y>", "| a |\n|:-:|\n| `<b>` |", "<http://x/\"onclick=y>", "<http://on0=0>", "```\n\"'><", "[a]: <x \"y\"\n[a]"} {
		f.Add(seed)
	}
	tag := regexp.MustCompile(`<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:\s+[a-z]+="[^"<>]*")*)\s*/?>`)
	attribute := regexp.MustCompile(`\s+([a-z]+)="[^"<>]*"`)
	hostile := regexp.MustCompile(`^(on\w+|style|src|srcset|action)$`)
	allowed := regexp.MustCompile(`^(div|span|a|p|br|hr|pre|code|em|strong|del|ul|ol|li|blockquote|table|thead|tbody|tr|th|td|h[1-6])$`)
	f.Fuzz(func(t *testing.T, source string) {
		out := render(t, source)
		rest := tag.ReplaceAllStringFunc(out, func(s string) string {
			m := tag.FindStringSubmatch(s)
			if !allowed.MatchString(m[2]) {
				t.Fatalf("%q: got element %s", source, s)
			}
			for _, a := range attribute.FindAllStringSubmatch(m[3], -1) { // a value may contain what looks like one
				if hostile.MatchString(a[1]) {
					t.Fatalf("%q: got attribute %s in %s", source, a[1], s)
				}
			}
			if href := regexp.MustCompile(`href="([^"]*)"`).FindStringSubmatch(m[3]); href != nil && !regexp.MustCompile(`^(https?://|mailto:|#)`).MatchString(href[1]) {
				t.Fatalf("%q: got link %s", source, s)
			}
			return ""
		})
		if strings.ContainsAny(rest, "<>") {
			t.Fatalf("%q: got %q, want no other markup", source, rest)
		}
	})
}
