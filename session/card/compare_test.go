package card

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

func TestLongCardsAreCompared(t *testing.T) {
	card := func(word string) *a2a.Card {
		c := new(a2a.Card)
		for i := range 100_000 {
			c.DefaultInputModes = append(c.DefaultInputModes, fmt.Sprintf("%s/%d", word, i))
			c.Skills = append(c.Skills, a2a.Skill{Name: fmt.Sprint(i), Description: word})
		}
		return c
	}
	if got := len(Changes(card("a"), card("b"))); got != 300_000 {
		t.Errorf("got %d changes, want 300000", got)
	}
}

func TestCardChangesAreSentences(t *testing.T) {
	base := func() *a2a.Card {
		return &a2a.Card{
			Name: "Desk", Version: "1", Raw: []byte(`{"v":1}`),
			Interfaces:   []a2a.Interface{{URL: "http://h/a", Binding: a2a.BindingJSONRPC}},
			Capabilities: a2a.Capabilities{Streaming: a2a.True},
			Skills:       []a2a.Skill{{ID: "a", Name: "Book"}, {ID: "b", Name: "Weather"}},
		}
	}
	tests := []struct {
		change func(*a2a.Card)
		want   []string
	}{
		{func(*a2a.Card) {}, nil},
		{func(c *a2a.Card) { c.Version, c.Name = "2", "" }, []string{`The name is gone; it was "Desk".`, `The version is now "2"; it was "1".`}},
		{func(c *a2a.Card) { c.Capabilities.Streaming = a2a.Absent }, []string{"It no longer declares streaming."}},
		{func(c *a2a.Card) { c.Interfaces[0].URL = "http://h/b" }, []string{
			"There is a new interface: JSON-RPC at http://h/b.", "The interface JSON-RPC at http://h/a is gone."}},
		{func(c *a2a.Card) { c.Skills = c.Skills[:1]; c.Skills[0].Tags = []string{"t"} }, []string{
			"The skill Weather is gone.", "The description of the skill Book has changed."}},
		{func(*a2a.Card) {}, nil},
	}
	for _, tt := range tests {
		changed := base()
		tt.change(changed)
		if tt.want != nil {
			changed.Raw = []byte(`{"v":2}`)
		}
		got := Changes(base(), changed)
		sentences := mapped(got, func(c Change) string { return c.Sentence })
		if strings.Join(sentences, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("got changes %q, want %q", sentences, tt.want)
		}
	}
	other := base()
	other.Raw = []byte(`{"v":3}`)
	if got := Changes(base(), other); len(got) != 1 {
		t.Errorf("got changes %+v for a part without a name, want one", got)
	}
}
