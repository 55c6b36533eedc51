package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
)

// authorizing returns a conversation whose task waits for credentials, described in one part.
func authorizing(part a2a.Part, state a2a.State) *model.Conversation {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	task := b.Task
	said := &a2a.Message{ID: "m9", Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart("Sign in to your calendar."), part}}
	tr := model.Transition{State: state, Word: state.String(), Time: noon, Record: 30}
	task.State, task.Prompt = state, said
	task.Transitions = append(task.Transitions, tr)
	b.Entries = append(b.Entries,
		model.Entry{Kind: model.EntryState, Record: 30, Time: noon, State: tr},
		model.Entry{Kind: model.EntryMessage, Record: 30, Time: noon, Message: said})
	return conv
}

// The chat shows without a key press what an agent asks for: the scheme, where to sign in, what
// to do.
func TestWhatAnAgentWantsToAuthenticateWithIsListed(t *testing.T) {
	info := `{"schemes":["OAuth2"],"credentials":"{\"authorizationUrl\":\"https://accounts.google.com.a-very-long-host-name-of-somebody-else.evil.example/authorize?client_secret=hush-hush\",\"tokenUrl\":\"https://auth.example.com/token\",\"api_key\":\"not-to-be-seen\",\"scopes\":{\"cal:read\":\"x\"}}"}`
	for name, part := range map[string]a2a.Part{
		"space": {Kind: a2a.PartData, Data: json.RawMessage(info)},
		"v":     a2a.TextPart(info),
	} {
		for _, w := range []int{40, 80, 120} {
			conv := authorizing(part, a2a.StateAuthRequired)
			if name == "v" { // in a text of its own
				said := conv.Turns[0].Blocks[0].Task.Prompt
				said.Parts = said.Parts[1:]
			}
			p := open(mono(), conv, w, 80)
			p.Focus()
			settle(t, p)
			text := screen(p)
			panetest.Sees(t, text, "authenticate with OAuth2", "sign in at", "else.evil.example", "tokens from auth.example.com", "scopes cal:read", "f5 signs in",
				name+" shows it as it came", "needs you")
			for _, secret := range []string{"hush-hush", "not-to-be-seen", "data - 2 keys"} {
				if strings.Contains(text, secret) {
					t.Errorf("got secret %q on the screen, want it masked:\n%s", secret, text)
				}
			}
			press(p, "G", name)
			settle(t, p)
			if text := screen(p); !strings.Contains(text, "schemes") || strings.Contains(text, "sign in at") {
				t.Errorf("got no original data after %s, want it:\n%s", name, text)
			}
		}
	}
}

// The request stays readable after it was answered. Parts are not searched for one while no
// credentials are required.
func TestWhatIsListedFollowsTheState(t *testing.T) {
	part := a2a.Part{Kind: a2a.PartData, Data: json.RawMessage(`{"schemes":["Bearer"],"note":"x"}`)}
	conv := authorizing(part, a2a.StateAuthRequired)
	conv.Tasks[0].Answered = true
	conv.Tasks[0].State, conv.Tasks[0].Prompt = a2a.StateWorking, nil
	p := open(mono(), conv, 80, 60)
	settle(t, p)
	panetest.Sees(t, screen(p), "authenticate with Bearer")
	if strings.Contains(screen(p), "f5 takes") {
		t.Errorf("got a request for credentials though the task continues, want none:\n%s", screen(p))
	}
	p = open(mono(), authorizing(part, a2a.StateInputRequired), 80, 60)
	settle(t, p)
	if text := screen(p); strings.Contains(text, "authenticate with") {
		t.Errorf("got data of another question as a way to authenticate, want none:\n%s", text)
	}
}
