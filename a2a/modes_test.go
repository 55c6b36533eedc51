package a2a

import (
	"slices"
	"testing"
)

func TestWhatAnAgentTakesIsReadAsCardsWriteIt(t *testing.T) {
	t.Parallel()
	png := Part{Kind: PartBytes, MediaType: "image/PNG; q=1"}
	data := DataPart([]byte(`{}`))
	for _, c := range []struct {
		modes []string
		part  Part
		want  bool
	}{
		{nil, png, true},
		{[]string{"text/plain"}, png, false},
		{[]string{"text/plain", " image/png "}, png, true},
		{[]string{"Image/*"}, png, true},
		{[]string{"*/*"}, png, true},
		{[]string{"*"}, png, true},
		{[]string{"file"}, png, true},
		{[]string{"image"}, png, true},
		{[]string{"text"}, png, false},
		{[]string{"text"}, TextPart("a"), true},
		{[]string{"text/plain; charset=utf-8"}, TextPart("a"), true},
		{[]string{"application/json"}, data, true},
		{[]string{"data"}, data, true},
		{[]string{"text/plain"}, data, false},
		{[]string{"text/plain"}, Part{Kind: PartURL, URL: "https://a.example/x"}, true}, // the type is unknown
		{[]string{"", "/", "*/png", "image/"}, png, false},
	} {
		if got := Takes(c.modes, &c.part); got != c.want {
			t.Errorf("Takes(%q, %s of type %q) = %v, want %v", c.modes, c.part.Kind, c.part.MediaType, got, c.want)
		}
	}
}

func TestModesAreThoseOfTheCardAndOfItsSkills(t *testing.T) {
	t.Parallel()
	c := Card{
		DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"text/markdown", "text/markdown"},
		Skills: []Skill{{InputModes: []string{"image/png", "text/plain"}}, {}, {InputModes: []string{"text/csv"}, OutputModes: []string{"image/png"}}},
	}
	if got := c.InputModes(); !slices.Equal(got, []string{"text/plain", "image/png", "text/csv"}) {
		t.Errorf("got input modes %q", got)
	}
	if got := c.OutputModes(); !slices.Equal(got, []string{"text/markdown", "image/png"}) {
		t.Errorf("got output modes %q", got)
	}
	if new(Card).InputModes() != nil {
		t.Errorf("got input modes %q of an empty card, want none", new(Card).InputModes())
	}
}
