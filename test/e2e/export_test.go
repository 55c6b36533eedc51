//go:build unix

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// exportPage writes a recording as a page and returns its address.
func exportPage(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+".html")
	cmd := exec.Command(program, "export", filepath.Join("..", "..", "session", "export", "testdata", name+".jsonl"), "-o", path)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("got %v, want a page\n%s", err, out)
	}
	return "file://" + path
}

const inView = `(id => { const r = document.getElementById(id).getBoundingClientRect(); return r.height > 0 && r.bottom > 0 && r.top < innerHeight })`

// A page is used with scripts: a link to a record and back, the filter, the switch of the theme.
func TestAPageLinksConversationAndWire(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, exportPage(t, "booking"), true)
	b.click(`#talk a.rec[href="#r13"]`, "record 13 is open and in view", `location.hash === "#r13" && document.getElementById("r13").closest("details").open && `+inView+`("r13")`)
	b.click(`#r13 a[href^="#l"]`, "the line of record 13 is in view", `location.hash === "#l13" && `+inView+`("l13")`)
	b.click("#filter", "the filter has the focus", `document.activeElement.id === "filter"`)
	b.write("fares.json kind:event")
	b.until("one record is listed", `document.querySelectorAll("#rows > li:not([hidden])").length === 1 && document.getElementById("count").textContent === "1 of 26 records"`)
	b.click(`#talk a.rec[href="#r7"]`, "a record that was filtered out is shown", inView+`("r7")`)
	before := b.eval(`getComputedStyle(document.body).backgroundColor`)
	b.click(`label:has(#dark)`, "the dark theme is chosen", `document.getElementById("dark").checked`)
	dark := b.eval(`getComputedStyle(document.body).backgroundColor`)
	b.click(`label:has(#light)`, "the light theme is chosen", `document.getElementById("light").checked`)
	if light := b.eval(`getComputedStyle(document.body).backgroundColor`); light == dark || light != before && dark != before {
		t.Errorf("got colours %v, %v and %v, want those of both themes", before, dark, light)
	}
	if wide := b.eval(`document.documentElement.scrollWidth <= innerWidth`); wide != true {
		t.Error("got a page that is wider than its window")
	}
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true})
	b.until("the page fits a phone", `innerWidth <= 400 && document.documentElement.scrollWidth <= innerWidth`)
	b.wantSilence("127.0.0.1:4711")
	b.wantCount()
}

// A page can be read without scripts.
func TestAPageNeedsNoScript(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, exportPage(t, "booking"), false)
	if b.eval(`document.getElementById("filter").hidden`) != true {
		t.Error("got a filter, want none without scripts")
	}
	b.click(`#talk a.rec[href="#r13"]`, "record 13 is open and in view", `location.hash === "#r13" && document.getElementById("r13").closest("details").open && `+inView+`("r13")`)
	b.click(`label:has(#k-event)`, "events are hidden", `getComputedStyle(document.querySelector("li.event")).display === "none"`)
	b.wantSilence("127.0.0.1:4711")
}

// Nothing that an agent writes runs or is loaded.
func TestAHostilePageIsInert(t *testing.T) {
	t.Parallel()
	b := startBrowser(t, exportPage(t, "hostile"), true)
	b.eval(`document.querySelectorAll("details").forEach(d => d.open = true)`)
	for what, expression := range map[string]string{
		"one script":                   `document.scripts.length === 1`,
		"no foreign elements":          `document.querySelectorAll("iframe, object, embed, svg, form, link, base, img:not([src^='data:image/'])").length === 0`,
		"no handlers":                  `[...document.querySelectorAll("*")].every(e => e.getAttributeNames().every(n => !n.startsWith("on") && n !== "style"))`,
		"links to the web, and inside": `[...document.querySelectorAll("a")].every(a => /^(#|https?:|mailto:)/.test(a.getAttribute("href")))`,
		"links without a referrer":     `[...document.querySelectorAll("a:not([href^='#'])")].every(a => a.rel.includes("noreferrer"))`,
	} {
		if b.eval(expression) != true {
			t.Errorf("got a page that breaks: %s", what)
		}
	}
	b.wantSilence("127.0.0.1:4711")
}
