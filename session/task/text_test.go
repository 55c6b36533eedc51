package task

import (
	"reflect"
	"strings"
	"testing"

	"parley/a2a"
)

func saying(state a2a.State, text string) *a2a.Event {
	return &a2a.Event{Kind: a2a.EventStatus, Status: &a2a.Status{State: state, Message: &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}}}
}

// texts returns what a user reads when each event of a working task says one of these.
func texts(says ...string) (all []string) {
	var t Text
	for _, s := range says {
		if t.Continues(saying(a2a.StateWorking, s)) {
			all[len(all)-1] += s
		} else {
			all = append(all, s)
		}
	}
	return all
}

func TestPiecesAreOneText(t *testing.T) {
	for name, c := range map[string]struct{ says, want []string }{
		"words with their spaces": {[]string{"Hello", "!", " I", " can", " help", ".\n", "\nWhere", " to", "?"}, []string{"Hello! I can help.\n\nWhere to?"}},
		"several words each":      {[]string{"Hello! I", " can help", " you, and", " so on."}, []string{"Hello! I can help you, and so on."}},
		"parts of words":          {[]string{"The", " under", "stand", "ing", " is", " Java", "Script"}, []string{"The understanding is Java", "Script"}},
		"spaces at the end":       {[]string{"The ", "answer ", "is ", "Yes"}, []string{"The answer is Yes"}},
		"lines":                   {[]string{"one\n", "two\n", "Three"}, []string{"one\ntwo\nThree"}},
		"Markdown":                {[]string{"It", " is", " **", "bold", "**", " now"}, []string{"It is **bold** now"}},
		"another script":          {[]string{"你好", "，", "世界", "！", "再见"}, []string{"你好，世界！再见"}},
		"messages":                {[]string{"Looking at your request", "Asking the model", "Done"}, []string{"Looking at your request", "Asking the model", "Done"}},
		"one word each":           {[]string{"searching", "reading", "writing"}, []string{"searching", "reading", "writing"}},
		"a message after a text":  {[]string{"I", " am", " done", "Calling the tool weather"}, []string{"I am done", "Calling the tool weather"}},
		"a name after a text":     {[]string{"I", " am", " done", "Finished"}, []string{"I am done", "Finished"}},
		"code":                    {[]string{"f", "(", "x", ")", " =", " 1"}, []string{"f", "(", "x) = 1"}},
	} {
		if got := texts(c.says...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestWhatComesBetweenEndsAText(t *testing.T) {
	thought := saying(a2a.StateWorking, " a thought")
	thought.Status.Message.Parts[0].Metadata = []byte(`{"adk_thought":true}`)
	two := saying(a2a.StateWorking, " x")
	two.Status.Message.Parts = append(two.Status.Message.Parts, a2a.TextPart("y"))
	user := saying(a2a.StateWorking, " mine")
	user.Status.Message.Role = a2a.RoleUser
	for name, c := range map[string]struct {
		between *a2a.Event
		goesOn  bool
	}{
		"a status without a message": {&a2a.Event{Kind: a2a.EventStatus, Status: &a2a.Status{State: a2a.StateWorking}}, true},
		"a chunk":                    {&a2a.Event{Kind: a2a.EventArtifact, Artifact: &a2a.Artifact{}}, false},
		"another state":              {&a2a.Event{Kind: a2a.EventStatus, Status: &a2a.Status{State: a2a.StateInputRequired}}, false},
		"an end":                     {saying(a2a.StateCompleted, " and more"), false},
		"two parts":                  {two, false},
		"a thought":                  {thought, false},
		"the user":                   {user, false},
		"an empty status":            {&a2a.Event{Kind: a2a.EventStatus}, false},
	} {
		var text Text
		text.Continues(saying(a2a.StateWorking, "some"))
		if text.Continues(c.between) {
			t.Errorf("%s: got a piece, want none", name)
		}
		if got := text.Continues(saying(a2a.StateWorking, " text")); got != c.goesOn {
			t.Errorf("%s: the text goes on: got %v, want %v", name, got, c.goesOn)
		}
	}
}

// Some agents send everything so far in each message, with one id: a replacement, not a piece.
func TestAMessageWithTheSameIDContinuesNothing(t *testing.T) {
	for id, want := range map[string]bool{"m1": false, "m2": true, "": true} {
		var text Text
		first, second := saying(a2a.StateWorking, "\nThe"), saying(a2a.StateWorking, "\nThe answer")
		first.Status.Message.ID, second.Status.Message.ID = "m1", id
		text.Continues(first)
		if got := text.Continues(second); got != want {
			t.Errorf("id %q after m1: got %v, want %v", id, got, want)
		}
	}
	var text Text
	again := saying(a2a.StateWorking, " the")
	again.Status.Message.ID, again.Status.Message.IDMade = "made from its content", true
	text.Continues(again)
	if !text.Continues(again) {
		t.Error("got a message of its own for a word that comes twice, want a piece")
	}
}

// FuzzText says anything: nothing is lost, and a text that an agent sends at once is never divided by a piece that
// begins with a space.
func FuzzText(f *testing.F) {
	f.Add("Hello|! I| can| help")
	f.Add("\xff| \xfe|\u0301|\x1b[2J")
	f.Fuzz(func(t *testing.T, script string) {
		var says []string
		for s := range strings.SplitSeq(script, "|") {
			if s != "" {
				says = append(says, s)
			}
		}
		got := texts(says...)
		if strings.Join(got, "") != strings.Join(says, "") {
			t.Errorf("got %q, want all of %q", got, says)
		}
		for _, s := range got[min(1, len(got)):] {
			if s[0] == ' ' {
				t.Errorf("got text %q of its own in %q", s, says)
			}
		}
	})
}
