package ui

import (
	"encoding/base64"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// sheetOf is a part with a file of text.
func sheetOf(name, text string) string {
	return `{"raw":"` + base64.StdEncoding.EncodeToString([]byte(text)) + `","filename":"` + name + `"}`
}

func TestAFileIsShownWholeAndGoesBackToWhereItWas(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("flights.csv", "flight,seats\n"+strings.Repeat("OS 411,9\n", 200)))
		d.press("V")
		d.sees("flights.csv", "as table of 200 rows", "flight", "1  OS 411", "v as text")
		d.press("G", "y")
		d.sees("200  OS 411", "copied")
		d.press("w")
		d.sees("saved flights.csv, 1.8 kB")
		d.press("v")
		d.sees("as text", "flight,seats")
		d.press("esc")
		d.sees("conversation", "flights.csv")
		if strings.Contains(d.text(), "as table of") {
			t.Errorf("it is still there:\n%s", d.text())
		}
	})
}

func TestFilesArePreviewedByNameAndTheFinder(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("a.json", `{"trip":{"to":"LHR"}}`), sheetOf("b.txt", "nothing but text"), `{"url":"https://files.example/c.pdf","filename":"c.pdf"}`)
		d.press("V")
		d.sees("preview", "a.json", "b.txt", "c.pdf")
		d.press("2")
		d.sees("nothing but text")
		d.press("q", "ctrl+p")
		d.write("preview a file")
		d.press("enter")
		d.press("1")
		d.sees("trip", `"LHR"`, "as tree")
	})
}

func TestTextIsPastedIntoThePreviewsSearchOnlyWhileItIsTyped(t *testing.T) {
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.gave(sheetOf("a.txt", "one\ntwo\nthree\n"))
		d.press("V", "/")
		d.send(tea.PasteMsg{Content: "thr\x1b[2Jee"})
		d.sees("/ thr")
		d.press("ctrl+c", "esc")
		d.sees("as text")
	})
}
