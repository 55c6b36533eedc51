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
		t.Errorf("the screen says:\n%s", got)
	}
	if at := c.Cursor(); at.X != 7 {
		t.Errorf("the cursor is at %d", at.X)
	}
	exact(t, c, 60, c.Height())
	if got, ok := press(c, "enter").(Send); !ok || got.Draft.Text != "hun t" || !got.Draft.Secret || got.Target.TaskID != "91c2e0d4" {
		t.Fatalf("enter gave %+v", got)
	}
	if press(c, "up"); !c.Empty() {
		t.Errorf("the history has %q", c.Value())
	}
}

func TestASecretStaysOneWhenItsTargetChanges(t *testing.T) {
	c := open(60, login, newTask)
	c.Paste("hunter2")
	c.SetTargets([]TargetChoice{newTask}, 0)
	if got := screen(c); strings.Contains(got, "hunter2") || !c.Secret() {
		t.Errorf("the task was over, and the screen says:\n%s", got)
	}
	if got := press(c, "alt+s"); got != (Hidden{On: false}) || !strings.Contains(screen(c), "hunter2") {
		t.Errorf("the key gave %+v:\n%s", got, screen(c))
	}
	c.Clear()
	c.SetTargets([]TargetChoice{login, newTask}, 0)
	if !c.Secret() {
		t.Error("the next answer is no secret")
	}
	if press(c, "ctrl+t"); c.Secret() {
		t.Error("nothing is written, and it goes elsewhere")
	}
}

func TestADraftOfAnotherConversationIsNoSecret(t *testing.T) {
	c := open(60, login, newTask)
	c.SetDraft(Draft{Text: "hello"}) // which is shown before its targets are known
	c.SetTargets([]TargetChoice{newTask}, 0)
	if c.Secret() {
		t.Error("it is hidden")
	}
	c.SetDraft(Draft{})
	c.SetTargets([]TargetChoice{login}, 0)
	if c.SetTargets([]TargetChoice{login}, 0); !c.Secret() {
		t.Error("the next answer is no secret")
	}
}

func TestAKeyMakesASecretOfAnything(t *testing.T) {
	c := open(60, newTask)
	if got := press(c, "alt+s"); got != (Hidden{On: true}) {
		t.Fatalf("the key gave %+v", got)
	}
	press(c, "a", "backspace", "b")
	if got := screen(c); strings.Contains(got, "> b") || !c.Secret() {
		t.Errorf("the screen says:\n%s", got)
	}
	if got, _ := press(c, "alt+e").(Refused); !strings.Contains(got.Why, "file") {
		t.Errorf("the editor gets it: %+v", got)
	}
	if got, _ := press(c, "enter").(Send); !got.Draft.Secret {
		t.Errorf("sent %+v", got)
	}
	if press(c, "c"); c.Secret() || !strings.Contains(screen(c), "> c") {
		t.Errorf("the next one is hidden too:\n%s", screen(c))
	}
}

func TestWhoSaysItIsNoSecretIsHeard(t *testing.T) {
	c := open(60, login)
	press(c, "alt+s", "d", "o", "n", "e")
	c.SetTargets([]TargetChoice{login, newTask}, 0) // something else changed
	if got := screen(c); c.Secret() || !strings.Contains(got, "> done") {
		t.Errorf("the screen says:\n%s", got)
	}
	if got, _ := press(c, "enter").(Send); got.Draft.Secret {
		t.Errorf("sent %+v", got)
	}
	if !c.Secret() {
		t.Error("the next answer is no secret")
	}
}

func TestASecretThatBeginsWithASlashIsSentWhole(t *testing.T) {
	ran := func() []Command { return []Command{{Word: "cancel"}} }
	for _, text := range []string{"/hunter2", "//x", "/", "/cancelled"} {
		c := open(60, login)
		c.SetCommands(ran)
		c.Paste(text)
		if got := screen(c); strings.Contains(got, text) && text != "/" || len(c.Popup(5)) > 0 {
			t.Errorf("the screen says:\n%s", got)
		}
		if got, _ := press(c, "enter").(Send); got.Draft.Text != text {
			t.Errorf("%s was sent as %+v", text, got)
		}
		d := Draft{Text: text, Secret: true}
		if c.Restore(d); c.Value() != text {
			t.Errorf("%s is back as %s", text, c.Value())
		}
	}
	c := open(60, login)
	c.SetCommands(ran)
	press(c, "/", "c", "a", "n", "c", "e", "l")
	if got := press(c, "enter"); got != (Run{Word: "cancel"}) {
		t.Errorf("the command gave %+v", got)
	}
}

func TestNothingAboutALongSecretIsTold(t *testing.T) {
	c := open(60, login)
	c.Paste(strings.Repeat("swordfish\n", 200))
	c.SetSize(60, c.Height())
	if got := screen(c); strings.Contains(got, "swordfish") || strings.Contains(got, "200") || !strings.Contains(got, "pasted, hidden") {
		t.Errorf("the screen says:\n%s", got)
	}
	if key := c.ShortHelp(); !strings.Contains(names(key), "alt+s show") {
		t.Errorf("the keys are %s", names(key))
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
		t.Errorf("the screen says:\n%s", got)
	}
	if press(c, "h", "u"); strings.Contains(screen(c), "nter2") {
		t.Errorf("the suggestion tells what is written:\n%s", screen(c))
	}
	press(c, "backspace", "backspace")
	if got, _ := press(c, "enter").(Send); !got.Ghost || got.Draft.Secret {
		t.Errorf("sent %+v", got)
	}
}

func TestOtherHistoriesKeepNoSecretParts(t *testing.T) {
	h := NewHistory()
	h.Add(Draft{Parts: []a2a.Part{a2a.DataPart([]byte(`{"pw":"x"}`))}, Secrets: []string{"x"}})
	if _, ok := h.step(-1, Draft{}); ok {
		t.Error("it is kept")
	}
}
