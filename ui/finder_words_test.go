package ui

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"parley/ui/palette"
)

// settingNames are the settings that parley config lists.
const settingNames = `a2a-version agent-card allow-origin api-key artifact-gateway ascii bearer cacert card-key cert client-id debug dialect endpoint extension history insecure insecure-host key
mask-member max-answer max-card max-event max-file max-items max-stream mesh-gone mesh-interval mesh-user metadata mqtt-client-id mqtt-password mqtt-plain mqtt-user no-bell no-check no-record output
poll-interval present public push-listen push-url record record-max redirect-port secret svc-param task-id tenant theme timeout tls-fingerprint token-store trace transport verbose wait`

// freshDesk are the options of a workbench on which everything can be found, as that of parley demo.
func freshDesk() Options {
	s := Settings{File: "/home/me/.config/parley/config.toml", Home: "/home/me", Check: func() []string { return nil }}
	for _, name := range strings.Fields(settingNames) {
		s.List = append(s.List, Setting{Name: name, Source: "built-in default"})
	}
	return Options{Settings: s, Tour: func() *exec.Cmd { return nil }}
}

// Every word of the list leads to the right row, among the first three.
func TestTheFinderFindsWhatUsersCallIt(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/finder-words.txt")
	if err != nil {
		t.Fatal(err)
	}
	bubble(t, 120, 40, freshDesk(), func(d *desk) {
		d.book(allFound)
		d.press("ctrl+p")
		p, words := d.model.panes.palette, 0
		for line := range strings.Lines(string(text)) {
			word, rows, ok := strings.Cut(strings.TrimSpace(line), "\t")
			if !ok {
				continue
			}
			words++
			p.Type(word)
			found := p.Found()
			first := found[:min(len(found), 3)]
			if !slices.ContainsFunc(first, func(e palette.Entry) bool {
				return slices.ContainsFunc(strings.Split(rows, " | "), func(row string) bool {
					slash, isWord := strings.CutPrefix(row, "/")
					return isWord && e.Word == slash || !isWord && strings.HasPrefix(e.Name, row)
				})
			}) {
				var names []string
				for _, e := range first {
					names = append(names, e.Name)
				}
				t.Errorf("%s finds %q, want %s among the first three", word, names, rows)
			}
			if len(found) > 0 && found[0].Why != "" && slices.ContainsFunc(found, func(e palette.Entry) bool { return e.Why == "" }) {
				t.Errorf("%s finds first %q, which is not possible: %s", word, found[0].Name, found[0].Why)
			}
		}
		if words < 100 {
			t.Errorf("got %d words, want those of the list", words)
		}
	})
}
