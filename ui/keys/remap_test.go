package keys

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
)

// sample are bindings of three sections.
type sample struct{ theme, mark, next, digits, remove key.Binding }

func sections() (*sample, []Section) {
	s := &sample{
		theme: bind("alt+t", "next theme"), mark: bind("m", "mark record", "m", "alt+m"), next: bind("n", "next match"),
		digits: bind("1-5", "show tab", "1", "2"), remove: bind("d", "delete webhook"),
	}
	return s, []Section{
		{Name: "everywhere", Map: named(&s.theme), Scope: Everywhere}, {Name: "wire", Map: named(&s.next, &s.mark, &s.digits), Scope: InPane}, {Name: "web hooks", Map: named(&s.remove), Scope: InSheet},
		{Name: "copy", Scope: InPane, Fixed: []key.Binding{bind("ctrl+k", "delete after cursor")}},
	}
}

func TestActionsGetOtherKeys(t *testing.T) {
	s, all := sections()
	var got []string
	for _, c := range Actions(all) {
		got = append(got, c.Action)
	}
	if want := []string{"everywhere.next-theme", "wire.next-match", "wire.mark-record", "web-hooks.delete-webhook"}; !slices.Equal(got, want) {
		t.Errorf("got actions %q, want %q", got, want)
	}
	others, problems := Remap(all, []Choice{
		{Action: "nowhere.mark-record", Press: []string{"d"}},
		{Action: "everywhere.next-theme", Press: []string{"f6"}}, {Action: "wire.mark-record", Press: []string{"d", "ctrl+t"}},
		{Action: "wire.next-match", Press: []string{"m"}}, // which is free now
	})
	if problems != nil || len(others) != 1 || others[0].Unknown() != "there is no action keys.nowhere.mark-record: docs/keys.md says how actions are named." {
		t.Errorf("got problems %q and others %+v, want none and that of nowhere", problems, others)
	}
	for _, c := range []struct {
		b    key.Binding
		want []string
	}{{s.theme, []string{"f6"}}, {s.mark, []string{"d", "ctrl+t"}}, {s.next, []string{"m"}}, {s.remove, []string{"d"}}} {
		if got := c.b.Keys(); !slices.Equal(got, c.want) || c.b.Help().Key != c.want[0] {
			t.Errorf("%s: got keys %q shown as %s, want %q", c.b.Help().Desc, got, c.b.Help().Key, c.want)
		}
	}
}

func TestAnUnusableChoiceSaysWhyAndChangesNothing(t *testing.T) {
	for _, c := range []struct {
		action string
		press  []string
		want   string
	}{
		{"wire.mark-recrd", []string{"d"}, "c.toml:3: there is no action keys.wire.mark-recrd; did you mean wire.mark-record?"},
		{"wire.show-tab", []string{"d"}, "c.toml:3: keys.wire.show-tab cannot be changed: it keeps 1-5."},
		{"copy.delete-after-cursor", []string{"d"}, "keys.copy.delete-after-cursor cannot be changed: it keeps ctrl+k."},
		{"wire.mark-record", []string{"1"}, `"1" for keys.wire.mark-record is the key of keys.wire.show-tab already`},
		{"wire.mark-record", nil, "names no key; m stays its key"},
		{"wire.mark-record", []string{"d", "strg+x"}, `"strg+x" for keys.wire.mark-record is no key`},
		{"wire.mark-record", []string{"n"}, `"n" for keys.wire.mark-record is the key of keys.wire.next-match already`},
		{"wire.mark-record", []string{"alt+t"}, "is the key of keys.everywhere.next-theme already"},
		{"everywhere.next-theme", []string{"d"}, "would type a character"},
		{"everywhere.next-theme", []string{"alt+m"}, "is the key of keys.wire.mark-record already"},
		{"wire." + strings.Repeat("x", 300), []string{"9"}, "there is no action keys.wire." + strings.Repeat("x", 35) + "…:"},
	} {
		s, all := sections()
		_, problems := Remap(all, []Choice{{Action: c.action, Press: c.press, Place: "c.toml:3"}})
		if len(problems) != 1 || !strings.Contains(problems[0], c.want) {
			t.Errorf("%s = %q: got problems %q, want %q", c.action, c.press, problems, c.want)
		}
		if !slices.Equal(s.mark.Keys(), []string{"m", "alt+m"}) || !slices.Equal(s.theme.Keys(), []string{"alt+t"}) {
			t.Errorf("%s: got keys %q and %q, want them unchanged", c.action, s.mark.Keys(), s.theme.Keys())
		}
	}
}

// A choice is judged by the keys that all actions have afterwards.
func TestActionsSwapTheirKeys(t *testing.T) {
	for name, c := range map[string]struct {
		choices    []Choice
		mark, next []string
		problem    string // a part of the one that is expected, empty if there is none
	}{
		"swapped": {
			choices: []Choice{{Action: "wire.mark-record", Press: []string{"n"}}, {Action: "wire.next-match", Press: []string{"m"}}},
			mark:    []string{"n"}, next: []string{"m"},
		},
		"the other one is dropped": {
			choices: []Choice{{Action: "wire.mark-record", Press: []string{"n"}}, {Action: "wire.next-match", Press: []string{"1"}}},
			mark:    []string{"m", "alt+m"}, next: []string{"n"}, problem: `"n" for keys.wire.mark-record is the key of keys.wire.next-match already; m stays its key`,
		},
		"both the same key": {
			choices: []Choice{{Action: "wire.mark-record", Press: []string{"d"}}, {Action: "wire.next-match", Press: []string{"d"}}},
			mark:    []string{"d"}, next: []string{"n"}, problem: `"d" for keys.wire.next-match is the key of keys.wire.mark-record already; n stays its key`,
		},
	} {
		s, all := sections()
		_, problems := Remap(all, c.choices)
		if !slices.Equal(s.mark.Keys(), c.mark) || !slices.Equal(s.next.Keys(), c.next) {
			t.Errorf("%s: got keys %q and %q, want %q and %q", name, s.mark.Keys(), s.next.Keys(), c.mark, c.next)
		}
		if text := strings.Join(problems, "\n"); c.problem == "" && text != "" || !strings.Contains(text, c.problem) {
			t.Errorf("%s: got problems %q, want %q", name, problems, c.problem)
		}
	}
}

// Two actions share a place if both can get a key there, also where one of them edits text or comes
// before a sheet.
func TestAKeyIsRefusedWhereAnotherActionHasIt(t *testing.T) {
	for _, c := range []struct{ action, press, want string }{
		{"everywhere.new-conversation", "ctrl+k", `"ctrl+k" for keys.everywhere.new-conversation is the key of keys.writing.delete-after-cursor already; ctrl+n stays its key.`},
		{"writing.send", "ctrl+k", "is the key of keys.writing.delete-after-cursor already"},
		{"writing.send", "x", "would type a character"},
		{"wire.mark-record", "ctrl+k", ""}, // which no text field gets there
		{"wire.mark-record", "ctrl+s", ""},
		{"form.send-form", "ctrl+w", "is the key of keys.form.delete-word already"},
		{"form.send-form", "f1", "is the key of keys.everywhere.help already"}, // whose words are others
		{"everywhere.help", "alt+s", "is the key of keys.form.send-form already"},
		{"everywhere.help", "ctrl+w", "is the key of keys.form.delete-word already"},
		{"form.send-form", "ctrl+n", ""},
		{"form.send-form", "m", ""},
		{"everywhere.new-conversation", "alt+s", ""},
		{"start.complete", "ctrl+n", "is the key of keys.everywhere.new-conversation already"},
		{"start.complete", "f2", ""},
		{"everywhere.new-conversation", "alt+c", "is the key of keys.start.complete already"},
		{"start.complete", "alt+s", ""},
		{"form.send-form", "alt+c", ""},
	} {
		help, begin, send, mark, fill, complete := bind("f1", "show help"), bind("ctrl+n", "new conversation", "ctrl+n", "f2"), bind("ctrl+s", "send"), bind("m", "mark record"), bind("alt+s", "send form"), bind("alt+c", "complete")
		all := []Section{
			{Name: "everywhere", Scope: Everywhere, Map: append(named(&begin), Named{Name: "help", Binding: &help, First: true})},
			{Name: "writing", Scope: InText, Map: named(&send), Fixed: []key.Binding{bind("ctrl+k", "delete after cursor")}},
			{Name: "wire", Scope: InPane, Map: named(&mark)},
			{Name: "form", Scope: InSheet, Map: named(&fill), Fixed: []key.Binding{bind("ctrl+w", "delete word")}},
			{Name: "start", Scope: InSheet, Under: true, Map: named(&complete)},
		}
		_, problems := Remap(all, []Choice{{Action: c.action, Press: []string{c.press}}})
		if got := strings.Join(problems, " "); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s = %q: got problems %q, want %q", c.action, c.press, got, c.want)
		}
	}
}
