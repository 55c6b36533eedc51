package composer

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/session/model"
)

var login = TargetChoice{
	Kind: TargetAnswer, Label: "reply to task 91c2", Note: "auth-required", Short: "reply", Secret: true, Target: model.Target{TaskID: "91c2e0d4"},
}

func TestASecretIsDotsAndGoesOutAsOne(t *testing.T) {
	c := open(60, login, newTask)
	press(c, "h", "u", "n", "space", "t")
	got := screen(c)
	if strings.Contains(got, "hun") || !strings.Contains(got, "> *****") || !strings.Contains(got, "secret, alt+s shows it") {
		t.Errorf("got a screen that shows the secret, or not its mask and hint:\n%s", got)
	}
	if at := c.Cursor(); at.X != 7 {
		t.Errorf("got cursor in column %d, want 7", at.X)
	}
	exact(t, c, 60, c.Height())
	if got, ok := press(c, "enter").(Send); !ok || got.Draft.Text != "hun t" || !got.Draft.Secret || got.Target.TaskID != "91c2e0d4" {
		t.Fatalf("got intent %+v for enter, want Send of a secret to task 91c2e0d4", got)
	}
	if press(c, "up"); !c.Empty() {
		t.Errorf("got text %q from the history, want none", c.Value())
	}
}

func TestASecretStaysOneWhenItsTargetChanges(t *testing.T) {
	c := open(60, login, newTask)
	c.Paste("hunter2")
	c.SetTargets([]TargetChoice{newTask}, 0)
	if got := screen(c); strings.Contains(got, "hunter2") || !c.Secret() {
		t.Errorf("got a readable secret after its target changed, want it masked:\n%s", got)
	}
	if got := press(c, "alt+s"); got != (Hidden{On: false}) || !strings.Contains(screen(c), "hunter2") {
		t.Errorf("got intent %+v for alt+s, want Hidden off and the text shown:\n%s", got, screen(c))
	}
	c.Clear()
	c.SetTargets([]TargetChoice{login, newTask}, 0)
	if !c.Secret() {
		t.Error("got a readable draft for the target that asks for a secret, want it masked")
	}
	if press(c, "ctrl+t"); c.Secret() {
		t.Error("got a masked empty draft for another target, want it readable")
	}
}

func TestADraftOfAnotherConversationIsNoSecret(t *testing.T) {
	c := open(60, login, newTask)
	c.SetDraft(Draft{Text: "hello"}) // shown before its targets are known
	c.SetTargets([]TargetChoice{newTask}, 0)
	if c.Secret() {
		t.Error("got another conversation's draft masked, want it readable")
	}
	c.SetDraft(Draft{})
	c.SetTargets([]TargetChoice{login}, 0)
	if c.SetTargets([]TargetChoice{login}, 0); !c.Secret() {
		t.Error("got a readable draft for the target that asks for a secret, want it masked")
	}
}

func TestAKeyMakesASecretOfAnything(t *testing.T) {
	c := open(60, newTask)
	if got := press(c, "alt+s"); got != (Hidden{On: true}) {
		t.Fatalf("got intent %+v for alt+s, want Hidden on", got)
	}
	press(c, "a", "backspace", "b")
	if got := screen(c); strings.Contains(got, "> b") || !c.Secret() {
		t.Errorf("got a screen that shows the secret, want it masked:\n%s", got)
	}
	if got, _ := press(c, "alt+e").(Refused); !strings.Contains(got.Why, "file") {
		t.Errorf("got %+v for the editor's key, want a refusal", got)
	}
	if got, _ := press(c, "enter").(Send); !got.Draft.Secret {
		t.Errorf("got intent %+v, want Send of a secret", got)
	}
	if press(c, "c"); c.Secret() || !strings.Contains(screen(c), "> c") {
		t.Errorf("got the next draft masked, want it readable:\n%s", screen(c))
	}
}

func TestWhoSaysItIsNoSecretIsHeard(t *testing.T) {
	c := open(60, login)
	press(c, "alt+s", "d", "o", "n", "e")
	c.SetTargets([]TargetChoice{login, newTask}, 0) // something else changed
	if got := screen(c); c.Secret() || !strings.Contains(got, "> done") {
		t.Errorf("got a draft masked that the user revealed, want it readable:\n%s", got)
	}
	if got, _ := press(c, "enter").(Send); got.Draft.Secret {
		t.Errorf("got intent %+v, want Send without a secret", got)
	}
	if !c.Secret() {
		t.Error("got the next draft readable, want it masked")
	}
}

func TestASecretThatBeginsWithASlashIsSentWhole(t *testing.T) {
	ran := func() []Command { return []Command{{Word: "cancel"}} }
	for _, text := range []string{"/hunter2", "//x", "/", "/cancelled"} {
		c := open(60, login)
		c.SetCommands(ran)
		c.Paste(text)
		if got := screen(c); strings.Contains(got, text) && text != "/" || len(c.Popup(5)) > 0 {
			t.Errorf("got a screen that shows %q, or completions of it:\n%s", text, got)
		}
		if got, _ := press(c, "enter").(Send); got.Draft.Text != text {
			t.Errorf("got intent %+v, want Send of %q", got, text)
		}
		d := Draft{Text: text, Secret: true}
		if c.Restore(d); c.Value() != text {
			t.Errorf("got text %q after Restore, want %q", c.Value(), text)
		}
	}
	c := open(60, login)
	c.SetCommands(ran)
	press(c, "/", "c", "a", "n", "c", "e", "l")
	if got := press(c, "enter"); got != (Run{Word: "cancel"}) {
		t.Errorf("got intent %+v for a complete command, want Run of cancel", got)
	}
}

func TestNothingAboutALongSecretIsTold(t *testing.T) {
	c := open(60, login)
	c.Paste(strings.Repeat("swordfish\n", 200))
	c.SetSize(60, c.Height())
	if got := screen(c); strings.Contains(got, "swordfish") || strings.Contains(got, "200") || !strings.Contains(got, "pasted, hidden") {
		t.Errorf("got a screen that tells the text or the length of a pasted secret:\n%s", got)
	}
	if key := c.ShortHelp(); !strings.Contains(names(key), "alt+s show") {
		t.Errorf("got keys %q, want alt+s show", names(key))
	}
}

func names(keys []key.Binding) string {
	var b strings.Builder
	for _, k := range keys {
		b.WriteString(k.Help().Key + " " + k.Help().Desc + ", ")
	}
	return b.String()
}

func TestASuggestionIsNoSecret(t *testing.T) {
	c := open(60, login)
	c.SetGhost("hunter2")
	if got := screen(c); !strings.Contains(got, "hunter2") {
		t.Errorf("got a screen without the suggestion:\n%s", got)
	}
	if press(c, "h", "u"); strings.Contains(screen(c), "nter2") {
		t.Errorf("got a suggestion that reveals the secret, want none:\n%s", screen(c))
	}
	press(c, "backspace", "backspace")
	if got, _ := press(c, "enter").(Send); !got.Ghost || got.Draft.Secret {
		t.Errorf("got intent %+v, want Send of the suggestion, which is not a secret", got)
	}
}

func TestOtherHistoriesKeepNoSecretParts(t *testing.T) {
	h := NewHistory()
	h.Add(Draft{Parts: []a2a.Part{a2a.DataPart([]byte(`{"pw":"x"}`))}, Secrets: []string{"x"}})
	if _, ok := h.step(-1, Draft{}); ok {
		t.Error("got a draft with a secret part from the history, want none")
	}
}
