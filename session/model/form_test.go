package model

import (
	"strings"
	"testing"

	"parley/a2a"
)

func TestSchemasAreFoundWhereAgentsPutThem(t *testing.T) {
	const s = `{"type":"object","properties":{"a":{"type":"string"}}}`
	data := func(d string) *a2a.Message {
		return &a2a.Message{Parts: []a2a.Part{a2a.TextPart("Please"), a2a.DataPart([]byte(d))}}
	}
	for name, m := range map[string]*a2a.Message{
		"a data part":                 data(`{"schema":` + s + `}`),
		"a form with its data":        data(`{"type":"form","form":` + s + `,"form_data":{"a":"b"},"instructions":"Do"}`),
		"the schema itself":           data(s),
		"metadata of a part":          {Parts: []a2a.Part{{Kind: a2a.PartText, Text: "x", Metadata: []byte(`{"mimeType":"application/json","schema":` + s + `}`)}}},
		"metadata of the message":     {Metadata: []byte(`{"input_schema":` + s + `}`)},
		"metadata under an extension": {Metadata: []byte(`{"https://forms.example/v1":{"requestedSchema":` + s + `}}`)},
		"JSON in a text":              {Parts: []a2a.Part{a2a.TextPart(" " + s)}},
	} {
		got, ok := FormIn(m)
		if !ok || string(got.Schema) != s {
			t.Errorf("%s: got schema %s, want %s", name, got.Schema, s)
		}
		if name == "a form with its data" && (string(got.Values) != `{"a":"b"}` || got.About != "Do") {
			t.Errorf("got form %+v, want its values and instruction", got)
		}
	}
	for _, none := range []*a2a.Message{nil, {}, data(`{"schema":"v1","a":[{"type":"object"}]}`), data(`{"type":"object","colour":"red"}`), data(`[]`), data(`{`), data(`{"schema":` + s + `,"x":"` + strings.Repeat("x", maxSchema) + `"}`)} {
		if got, ok := FormIn(none); ok {
			t.Errorf("got schema %s of a message without one", got.Schema)
		}
	}
	card := &a2a.Card{Capabilities: a2a.Capabilities{Extensions: []a2a.Extension{{URI: "u", Params: []byte(`{"input_schema":` + s + `}`)}}}}
	if got, ok := FormInCard(card); !ok || string(got.Schema) != s {
		t.Errorf("got schema %s of the card, want %s", got.Schema, s)
	}
}
