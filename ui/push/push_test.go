package push

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
	"parley/themes"
	"parley/ui/styles"
)

func newPane(task *model.Task) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	agent := &model.Agent{ID: 1, Card: &a2a.Card{Name: "A"}, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}}
	p.SetAbout(About{Agent: agent, Task: task, Base: "http://127.0.0.1:1/push"})
	p.SetSize(80, 20)
	return p
}

func hooks(n int, text string) []model.Webhook {
	var out []model.Webhook
	for i := range n {
		out = append(out, model.Webhook{PushConfig: a2a.PushConfig{
			ID: fmt.Sprint(i, text), URL: "http://127.0.0.1:1/push/" + text, Token: text, Schemes: []string{text, text}, Credentials: text,
		}})
	}
	return out
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func TestHostileWebhooksAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 20)
	task := &model.Task{ID: evil, Lifecycle: task.Lifecycle{Word: evil}}
	task.Push = model.Push{Hooks: hooks(50, evil), Deliveries: 1 << 40, Problem: &problem.Problem{Sentence: evil}}
	p := newPane(task)
	for _, open := range []bool{false, true} {
		if open {
			press(p, "a")
			p.Paste(tea.PasteMsg{Content: evil})
		}
		for w := range 12 {
			for h := range 20 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.CursorInside(t, p.Cursor(), 10*w, h)
				if !open {
					press(p, "j")
				}
			}
		}
	}
	panetest.Plain(t, p.Title(), p.Note())
}

func TestTheSelectionStaysWithItsWebhook(t *testing.T) {
	task := &model.Task{ID: "t", Push: model.Push{Hooks: hooks(30, "x")}}
	p := newPane(task)
	press(p, "j", "j", "j")
	task.Push.Hooks = append(hooks(1, "new"), task.Push.Hooks...)
	if got := press(p, "enter"); got != (Get{"t", "3x"}) {
		t.Errorf("got intent %+v after the webhook moved, want Get of 3x", got)
	}
	task.Push.Hooks = hooks(2, "y") // without the selected webhook
	if got := press(p, "d"); got != (Delete{"t", "0y"}) {
		t.Errorf("got intent %+v after the webhook was gone, want Delete of 0y", got)
	}
	if got := press(p, "y"); got != (Copy{"http://127.0.0.1:1/push/y"}) {
		t.Errorf("got intent %+v, want Copy of the first webhook's URL", got)
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, 5)
	if got := press(p, "enter"); got != (Get{"t", "1y"}) {
		t.Errorf("got intent %+v after a click, want Get of 1y", got)
	}
}

func TestAFormForgetsItsSecrets(t *testing.T) {
	p := newPane(&model.Task{ID: "t"})
	press(p, "a")
	p.Paste(tea.PasteMsg{Content: " https://x.example/\n"})
	press(p, "tab")
	p.Paste(tea.PasteMsg{Content: "token"})
	press(p, "esc", "a", "tab", "tab", "tab")
	p.Paste(tea.PasteMsg{Content: "cred"})
	if _, no := press(p, "enter").(Refused); !no {
		t.Error("credentials without a scheme were accepted, want a refusal")
	}
	press(p, "shift+tab")
	p.Paste(tea.PasteMsg{Content: "Bearer"})
	got, _ := press(p, "enter").(Set)
	if got.Config.URL != "https://x.example/" || got.Config.Token != "token" || got.Config.Credentials != "cred" || len(got.Config.Schemes) != 1 {
		t.Errorf("got intent %+v, want Set with URL, token, scheme and credentials", got)
	}
	if p.Typing() || p.config().Token != "" || p.config().Credentials != "" {
		t.Errorf("got typing %v and form %+v after enter, want a closed form without secrets", p.Typing(), p.config())
	}
}

func TestAnAgentThatCannotReachTheWebhookIsSaid(t *testing.T) {
	p := newPane(&model.Task{ID: "t"})
	for endpoint, want := range map[string]bool{"http://127.0.0.1:9/": false, "https://agents.example/a": true, "": false, "::": false} {
		p.about.Agent.Profile.Endpoint = endpoint
		if got := strings.Contains(strings.Join(p.Lines(), ""), "cannot reach"); got != want {
			t.Errorf("endpoint %q: got warning %v, want %v", endpoint, got, want)
		}
	}
}

// A webhook that a message registered is not unknown.
func TestAWebhookThatCameAlongIsNotUnknown(t *testing.T) {
	task := &model.Task{ID: "t"}
	p := newPane(task)
	p.SetSize(100, 16)
	if got := strings.Join(p.Lines(), "\n"); !strings.Contains(got, "webhooks are unknown") {
		t.Errorf("got a screen before any delivery that does not say that the webhooks are unknown:\n%s", got)
	}
	task.Push.Deliveries = 3
	if got := strings.Join(p.Lines(), "\n"); strings.Contains(got, "webhooks are unknown") || !strings.Contains(got, "registered a webhook") {
		t.Errorf("got a screen after three deliveries that does not say that a message registered a webhook:\n%s", got)
	}
	task.Push.Listed = 7
	if got := strings.Join(p.Lines(), "\n"); !strings.Contains(got, "The task has no webhook.") {
		t.Errorf("got a screen after an empty list that does not say that the task has no webhook:\n%s", got)
	}
}

func TestWordsFilterTheWebhooks(t *testing.T) {
	p := newPane(&model.Task{ID: "t", Push: model.Push{Hooks: hooks(30, "a")}})
	if press(p, "/", "7", "a", "enter"); len(p.hooks()) != 3 {
		t.Errorf("got %d webhooks that contain 7a, want 3", len(p.hooks()))
	}
	panetest.Exact(t, p.Lines(), 80, 20)
	panetest.Sees(t, panetest.Text(p.Lines()), "/ 7a", "17a")
	if got, ok := press(p, "j", "d").(Delete); !ok || got.ID != "17a" {
		t.Errorf("got %+v for d on the second row, want the webhook 17a deleted", got)
	}
	if press(p, "esc") != nil || len(p.hooks()) != 30 {
		t.Error("got another list after esc, want all webhooks and the pane open")
	}
}

func TestTheDetailsStandBelowAShortList(t *testing.T) {
	p := newPane(&model.Task{ID: "t", Push: model.Push{Hooks: hooks(2, "a")}})
	p.SetSize(160, 50)
	lines := p.Lines()
	panetest.Exact(t, lines, 160, 50)
	if got := panetest.Text(lines[headRows+3 : headRows+4]); !strings.Contains(got, "id") {
		t.Errorf("got %q below two webhooks and a rule, want the details of the selected one", got)
	}
}
