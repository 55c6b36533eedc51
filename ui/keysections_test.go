package ui

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/config"
	"parley/session/log"
	"parley/ui/keys"
)

// plainModel returns a model without agents.
func plainModel(choices ...config.Keys) *Model {
	return New(context.Background(), Options{Engine: &fakeEngine{}, Feed: log.NewFeed(), Now: time.Now, Getenv: func(string) string { return "" }, Keys: choices})
}

// What the manual calls an action is its name in settings: another name is refused there.
func TestSettingsKnowTheActionsOfTheManual(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../docs/keys.md")
	if err != nil {
		t.Fatal(err)
	}
	row, press := regexp.MustCompile(`(?m)^\| \*\*(.+?)\*\* \| (.+?)(?:<br>| \|)`), regexp.MustCompile("`[^`]+`")
	n := 0
	for _, m := range row.FindAllStringSubmatch(string(manual), -1) {
		section := m[1]
		if _, own, ok := strings.Cut(section, " (*"); ok {
			section = strings.TrimSuffix(own, "*)")
		}
		for _, part := range strings.Split(m[2], " · ") {
			action := keys.Slug(section) + "." + keys.Slug(press.ReplaceAllString(part, ""))
			// No action may have this key, so that each that is known is refused with a reason.
			why := strings.Join(UnusableKeys([]config.Keys{{Action: action, Press: []string{"no key"}}}), " ")
			if strings.Contains(why, "there is no action") {
				t.Errorf("%s: got %q, want an action of settings", part, why)
			}
			n++
		}
	}
	if n < 200 {
		t.Errorf("got %d actions in the manual, want all", n)
	}
}

func TestTheExampleOfTheSettingsIsUsable(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(manual), "[keys]\n")
	example, _, _ = strings.Cut(example, "```")
	var choices []config.Keys
	for line := range strings.Lines(example) {
		action, value, _ := strings.Cut(line, " = ")
		var press []string
		for _, q := range regexp.MustCompile(`"[^"]+"`).FindAllString(value, -1) {
			press = append(press, strings.Trim(q, `"`))
		}
		choices = append(choices, config.Keys{Action: action, Press: press})
	}
	if why := UnusableKeys(choices); len(choices) == 0 || why != nil {
		t.Errorf("got %d choices and problems %q, want all usable", len(choices), why)
	}
}

// Many mistakes do not push other warnings off the screen.
func TestTheStartNamesFewUnusableKeys(t *testing.T) {
	t.Parallel()
	var choices []config.Keys
	for i := range 9 {
		choices = append(choices, config.Keys{Action: fmt.Sprint("wire.x", i), Press: []string{"x"}, Place: fmt.Sprint("c.toml:", i)})
	}
	m := plainModel(choices...)
	if want := "7 more keys of [keys] are not used: parley config says why."; len(m.opts.Warnings) != 3 || !slices.Contains(m.opts.Warnings, want) {
		t.Errorf("got warnings %q, want two and %q", m.opts.Warnings, want)
	}
	if all := UnusableKeys(choices); len(all) != 9 {
		t.Errorf("got %d problems, want 9: %q", len(all), all)
	}
}

// A key that another action gets in the same place is refused, and both actions are named.
func TestAConflictOfKeysIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ action, press, other string }{
		{"everywhere.find-anything", "ctrl+k", "text.delete-to-line-end"},
		{"text.delete-word-before", "ctrl+n", "everywhere.new-conversation"},
		{"text.delete-word-before", "f1", "everywhere.show-help"},
		{"text.delete-word-before", "alt+e", "writing.open-editor"},
		{"writing.open-editor", "ctrl+w", "text.delete-word-before"},
		{"text.undo", "alt+s", ""}, // which the text field does not have
		{"writing.new-line", "enter", "writing.send"},
		{"writing.hide-text", "alt+u", ""},
		{"text.undo", "ctrl+s", "request.send-request"},
		{"request.format-json", "ctrl+w", "text.delete-word-before"},
		{"request.format-json", "x", "would type a character"},
		{"json.format-json", "alt+u", "text.undo"},
		{"text.delete-to-line-end", "alt+l", "request.format-json"},
		{"form.send-form", "ctrl+j", "text.new-line"},
		{"start-screen.down", "ctrl+j", ""}, // a single line
		{"start-screen.complete", "ctrl+w", "text.delete-word-before"},
		{"text.line-end", "alt+.", "attach-a-file.show-hidden-files"},
		{"find.choose", "ctrl+e", "text.line-end"},
		{"find.choose", "space", "would type a character"},
		{"text.delete-word-before", "alt+y", "sign-in.copy-address-or-code"},
		{"credentials.next-kind", "ctrl+y", "text.paste-cut-text"},
		{"credentials.remove-credentials", "x", ""}, // where nothing is typed
		{"webhooks.next-field", "ctrl+f", "text.right"},
		{"webhooks.filter-wire", "ctrl+k", ""},
		{"wire.complete", "ctrl+d", "text.delete"},
		{"wire.search-records", "ctrl+w", ""},
		{"text.page-up", "x", "would type a character"},
		{"text.page-up", "shift+space", "would type a character"},
		{"everywhere.write-message", "ctrl+s", "request.send-request"},
		{"form.send-form", "f1", "everywhere.show-help"},
		{"tasks.get-task", "ctrl+l", "everywhere.write-message"},
		{"lanes.mark-record", "ctrl+o", "everywhere.press-next-key-with-alt"},
		{"start-screen.open", "ctrl+n", "everywhere.new-conversation"},
		{"lanes.mark-record", "i", ""}, // a sheet that has i gets it before the text field
		{"lanes.mark-record", "ctrl+n", ""},
		{"start-screen.open", "f2", ""},
		{"wire.mark-record", "ctrl+t", ""},
	} {
		want := c.other
		if strings.Contains(want, ".") {
			want = "is the key of keys." + c.other + " already"
		}
		got := UnusableKeys([]config.Keys{{Action: c.action, Press: []string{c.press}}})
		if text := strings.Join(got, " "); want == "" && text != "" || !strings.Contains(text, want) || !strings.Contains(text, c.action) && want != "" {
			t.Errorf("%s = %q: got %q, want %q", c.action, c.press, text, want)
		}
	}
}

// What settings called the keys that edit text is answered with what they are called now.
func TestKeysThatEditTextSayWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ action, want string }{
		{"request.undo", "there is no action keys.request.undo any more: use keys.text.undo."},
		{"json.new-line", "use keys.text.new-line."},
		{"writing.paste-cut-text", "use keys.text.paste-cut-text."},
		{"writing.delete-to-line-end", "use keys.text.delete-to-line-end."},
		{"writing.new-line", ""}, // another one
	} {
		got := UnusableKeys([]config.Keys{{Action: c.action, Press: []string{"alt+q"}}})
		if text := strings.Join(got, " "); c.want == "" && text != "" || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want %q", c.action, got, c.want)
		}
	}
}

// Sending and a new line swap their keys, although enter breaks the line elsewhere.
func TestSendingAndANewLineSwapTheirKeys(t *testing.T) {
	t.Parallel()
	o := Options{Keys: []config.Keys{{Action: "writing.send", Press: []string{"alt+enter"}}, {Action: "writing.new-line", Press: []string{"enter"}}}}
	bubble(t, 120, 40, o, func(d *desk) {
		d.write("one")
		d.press("enter")
		d.write("two")
		if got := d.model.panes.composer.Value(); got != "one\ntwo" || len(d.model.unusable) > 0 {
			t.Errorf("got text %q and problems %q, want two lines and none", got, d.model.unusable)
		}
	})
}
