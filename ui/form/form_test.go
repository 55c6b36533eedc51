package form

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/keys"
	"parley/ui/styles"
)

const rental = `{
	"type": "object",
	"required": ["city", "days", "driver"],
	"properties": {
		"kind": {"const": "rental"},
		"city": {"title": "Pick-up", "enum": ["OSL", "LON", "LIS"], "enumNames": ["Oslo", "London", "Lisbon"]},
		"days": {"type": "integer", "minimum": 1, "maximum": 30, "description": "How long you need it"},
		"insured": {"type": "boolean", "default": true},
		"driver": {"$ref": "#/$defs/person"},
		"second": {"anyOf": [{"$ref": "#/$defs/person"}, {"type": "null"}]},
		"extras": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 3}}
	},
	"$defs": {"person": {
		"type": "object", "required": ["name", "licence"],
		"properties": {
			"name": {"type": "string", "maxLength": 10},
			"licence": {"type": "string", "format": "password", "pattern": "^[A-Z]{2}"}
		}
	}}
}`

func open(schema, values string) *Pane {
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.Open(model.Form{Schema: json.RawMessage(schema), Values: json.RawMessage(values), About: "Rent a car"}, Ask{Key: "t"})
	p.SetSize(60, 20)
	return p
}

func press(p *Pane, names ...string) Intent {
	var last Intent
	for _, name := range names {
		last = p.Key(panetest.Key(name))
	}
	return last
}

func write(p *Pane, text string) {
	for _, r := range text {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func screen(p *Pane) string { return ansi.Strip(strings.Join(p.Lines(), "\n")) }

func TestAFormIsFilledInByItsKeys(t *testing.T) {
	p := open(rental, "")
	panetest.Exact(t, p.Lines(), 60, 20)
	for _, want := range []string{"Pick-up *", "days *", "from 1, to 30", "[x] yes", "> space adds it", "< choose >", "empty, space adds an item"} {
		if !strings.Contains(screen(p), want) {
			t.Fatalf("got a screen without %q:\n%s", want, screen(p))
		}
	}
	write(p, "lo")
	press(p, "enter")
	write(p, "40")
	press(p, "enter")
	if !strings.Contains(screen(p), "x days") {
		t.Errorf("got a screen that does not mark 40 days as wrong:\n%s", screen(p))
	}
	press(p, "up", "backspace", "backspace")
	write(p, "3")
	press(p, "enter", "space", "enter", "enter") // not insured, then to the driver
	write(p, "Ali")
	press(p, "enter")
	write(p, "NO-17")
	if got := screen(p); strings.Contains(got, "NO-17") || !strings.Contains(got, "A secret") {
		t.Errorf("got a screen that shows the secret, or does not say that it is one:\n%s", got)
	}
	press(p, "enter", "space", "left", "enter") // opens and removes the second driver
	press(p, "space")
	write(p, "seat")
	press(p, "alt+a")
	write(p, "ski")
	press(p, "enter")
	got, ok := press(p, "enter").(Send)
	if !ok {
		t.Fatalf("got no Send for the complete form, want one:\n%s", screen(p))
	}
	want := `{"kind":"rental","city":"LON","days":3,"insured":false,"driver":{"name":"Ali","licence":"NO-17"},"extras":["seat","ski"]}`
	if string(got.Data) != want || len(got.Secrets) != 1 || got.Secrets[0] != "NO-17" {
		t.Errorf("got data %s and secrets %q, want %s and NO-17", got.Data, got.Secrets, want)
	}
}

// A click on the selected row changes its value whatever keys settings give to that.
func TestAClickChangesAValueUnderOtherKeys(t *testing.T) {
	p := open(`{"type": "object", "properties": {"car": {"enum": ["small", "large"]}}}`, "")
	sections := []keys.Section{{Name: "form", Scope: keys.InSheet, Map: p.KeyMap()}}
	if _, problems := keys.Remap(sections, []keys.Choice{
		{Action: "form.change-value", Press: []string{"f12"}}, {Action: "form.next-row", Press: []string{"f11"}},
	}); problems != nil {
		t.Fatal(problems)
	}
	parts, _ := p.parts()
	click := func(row int) Intent {
		return p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft, Y: parts.Head + row}, 0, parts.Head+row)
	}
	click(0)
	click(1)
	if got, ok := click(1).(Send); !ok || string(got.Data) != `{"car":"small"}` {
		t.Errorf("got %+v, want the form sent with the clicked choice", got)
	}
}

func TestWhatIsMissingOrWrongIsNotSentAsAForm(t *testing.T) {
	p := open(rental, `{"days": 3, "driver": {"name": "A name that is too long"}}`)
	why := press(p, "ctrl+s").(Refused).Why
	if !strings.Contains(why, "Pick-up is required") || p.List.At != 0 {
		t.Errorf("got refusal %q at row %d, want the missing pick-up at row 0", why, p.List.At)
	}
	press(p, "space", "ctrl+s")
	if got := screen(p); !strings.Contains(got, "must have at most 10 characters, but has 23") || !strings.Contains(got, "x     licence") && !strings.Contains(got, "x   licence") {
		t.Errorf("got a screen without the wrong name and the missing licence:\n%s", got)
	}
}

func TestAnAnswerCanBeWrittenAsJSONAndBack(t *testing.T) {
	p := open(rental, `{"city": "LIS", "days": 2, "request_id": [7], "driver": {"name": "Ali", "licence": "NO-17"}}`)
	press(p, "alt+r")
	got := screen(p)
	if !strings.Contains(got, `"city": "LIS"`) || strings.Contains(got, "NO-17") {
		t.Fatalf("got a screen without the JSON, or with the secret in it:\n%s", got)
	}
	write(p, "x")
	for _, key := range []string{"alt+r", "ctrl+s"} {
		if why := press(p, key).(Refused).Why; !strings.Contains(why, "line 1, column 1") {
			t.Errorf("%s: got refusal %q, want the position of the mistake", key, why)
		}
	}
	press(p, "backspace", "alt+r")
	if p.asJSON {
		t.Fatal("got JSON after alt+r, want the form")
	}
	press(p, "alt+r")
	sent, _ := press(p, "ctrl+s").(Send)
	if string(sent.Data) != `{"kind":"rental","city":"LIS","days":2,"insured":true,"driver":{"name":"Ali","licence":"NO-17"},"request_id":[7]}` || fmt.Sprint(sent.Secrets) != "[NO-17]" {
		t.Errorf("got data %s and secrets %q, want the values and the member that the schema does not know", sent.Data, sent.Secrets)
	}
	p.raw.SetValue(`"the schema lies"`)
	if sent, _ := press(p, "ctrl+s").(Send); string(sent.Data) != `"the schema lies"` {
		t.Errorf("got data %s, want the text as written", sent.Data)
	}
}

func TestNumbersAreHeldExactly(t *testing.T) {
	for _, tt := range []struct{ schema, text, problem string }{
		{`{"type":"number"}`, "12345678901234567890.10", ""},
		{`{"type":"number"}`, "1,5", "is not a number"},
		{`{"type":"number"}`, "NaN", "is not a number"},
		{`{"type":"number","maximum":5}`, "1e999999999", ""},
		{`{"type":"number","maximum":1e999999999}`, "7", ""},
		{`{"type":"number","exclusiveMaximum":0.3}`, "0.3", "must be less than 0.3"},
		{`{"type":"number","multipleOf":0.1}`, "0.3", ""},
		{`{"type":"number","multipleOf":0}`, "0.3", ""},
		{`{"type":"integer"}`, "1.5", "must be a whole number"},
		{`{"type":"integer"}`, "2.0", ""},
		{`{"type":"string","pattern":"(["}`, "anything", ""},
		{`{"type":"string","pattern":"^a+$"}`, "b", "does not match ^a+$"},
		{`{"type":"string","format":"date"}`, "20.11.2026", "is not a date"},
		{`{"type":"string","format":"email"}`, "@", "is not an e-mail"},
		{`{"type":"string","format":"uri"}`, "nowhere", "is not a URL"},
		{`{"type":"string","format":"date-time"}`, "now", "is not a time"},
		{`{"type":["object","string"]}`, "{a}", "is not JSON"},
	} {
		p := open(tt.schema, "")
		f := p.root
		f.text = tt.text
		if got := f.check(); !strings.HasPrefix(got, tt.problem) || got != "" && tt.problem == "" {
			t.Errorf("%s in %s: got problem %q, want %q", tt.text, tt.schema, got, tt.problem)
		}
	}
}

func TestHostileSchemasHaveAShapeAndAnEnd(t *testing.T) {
	var wide strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&wide, `"f%d":{"$ref":"#/$defs/x"},`, i)
	}
	deep := strings.Repeat(`{"type":"object","required":["a"],"properties":{"a":`, 3_000) + `{"type":"string"}` + strings.Repeat("}}", 3_000)
	for name, tt := range map[string]struct{ schema, want string }{
		"itself":         {`{"$ref":"#"}`, "names no fields"},
		"two in a ring":  {`{"$ref":"#/a","a":{"$ref":"#/b"},"b":{"$ref":"#/a"}}`, "answered as JSON"},
		"elsewhere":      {`{"type":"object","properties":{"x":{"$ref":"https://evil.example/s.json"}}}`, "its schema is elsewhere"},
		"without end":    {`{"type":"object","required":["next"],"properties":{"next":{"$ref":"#"}}}`, "space adds it"},
		"lists of lists": {`{"type":"array","minItems":99999999999,"items":{"$ref":"#"}}`, "items, alt+a adds one"},
		"all of itself":  {`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, "answered as JSON"},
		"10,000 members": {`{"type":"object","properties":{` + wide.String() + `"z":{}},"$defs":{"x":{"type":"string"}}}`, "f0"},
		"deep":           {deep, "a *"},
		"not JSON":       {`{`, "answered as JSON"},
		"nothing":        {`true`, "names no fields"},
		"escape codes":   {`{"type":"object","properties":{"\u001b[2J":{"title":"\u001b]0;x\u0007t\u202e","description":"\u009b31m","enum":["\u001b[5m"]}}}`, "choose"},
		"any members":    {`{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"object","additionalProperties":{"type":"string"}}}}`, "its schema names no members"},
		"empty choices":  {`{"enum":[],"type":"boolean"}`, "not answered"},
		"lies":           {`{"type":"object","required":["gone"],"properties":{"a":{"type":"string","minLength":9,"maxLength":1}}}`, "at least 9 characters"},
		"wrong kinds":    {`{"type":7,"properties":[1],"required":"x","enum":{"a":1},"items":3,"default":[]}`, "answered as JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(tt.schema, `{"a":{"b":[1,2,{"c":null}]},"next":{"next":{}}}`)
			got := p.Title() + "\n" + screen(p)
			press(p, "down")
			got += screen(p)
			press(p, "up")
			if !strings.Contains(got, tt.want) {
				t.Errorf("got a screen without %q:\n%s", tt.want, got)
			}
			if strings.ContainsAny(strings.Join(p.Lines(), ""), "\u202e\u009b\a") {
				t.Error("got rows with terminal commands, want none")
			}
			for range 30 {
				press(p, "enter", "space", "alt+a", "alt+x", "pgdown", "left", "alt+r", "alt+r", "ctrl+s", "shift+tab", "backspace")
				write(p, "1")
				panetest.Exact(t, p.Lines(), 60, p.H)
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 3}, {200, 60}} {
				p.SetSize(size[0], size[1])
				panetest.Exact(t, p.Lines(), size[0], size[1])
				p.Cursor()
			}
		})
	}
}

func TestAFormStaysUntilItIsForgotten(t *testing.T) {
	p := open(rental, "")
	write(p, "lis")
	if got := press(p, "esc"); got != (Close{}) {
		t.Errorf("got intent %+v for esc, want Close", got)
	}
	p.Open(model.Form{Schema: json.RawMessage(rental)}, Ask{Key: "t"})
	if p.rows[0].pick != 2 {
		t.Errorf("got choice %d after the form was opened again, want 2 as before", p.rows[0].pick)
	}
	p.Open(model.Form{Schema: json.RawMessage(rental)}, Ask{Key: "another task"})
	if p.rows[0].pick >= 0 {
		t.Errorf("got choice %d in another task's form, want none", p.rows[0].pick)
	}
}

func TestManyLinesStandInOne(t *testing.T) {
	p := open(`{"type":"object","properties":{"a":{"type":"string"}}}`, "")
	p.Paste(tea.PasteMsg{Content: "one\r\ntwo\tthree\x1b[2J"})
	if sent, _ := press(p, "ctrl+s").(Send); !strings.HasPrefix(string(sent.Data), `{"a":"one\ntwo\tthree`) || strings.Contains(string(sent.Data), "u001b") {
		t.Errorf("got data %s, want line ends and tabs kept and no escape sequence", sent.Data)
	}
}

func FuzzForm(f *testing.F) {
	f.Add(rental, `{"city":"LIS"}`)
	f.Add(`{"$ref":"#"}`, `[]`)
	f.Add(`{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}`, `[[],[[]]]`)
	f.Fuzz(func(t *testing.T, schema, values string) {
		p := open(schema, values)
		for range 3 {
			press(p, "enter", "space", "alt+a", "down", "alt+r", "alt+r", "down", "backspace", "alt+x")
			panetest.Exact(t, p.Lines(), 60, p.H)
			if s, ok := press(p, "ctrl+s").(Send); ok && !json.Valid(s.Data) {
				t.Errorf("got invalid JSON %s, want valid JSON", s.Data)
			}
		}
		model.FormIn(&a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte(schema))}})
	})
}

func TestWhatWasCutOfTheJSONIsInsertedAgain(t *testing.T) {
	p := open(rental, `{"city": "LIS"}`)
	press(p, "alt+r")
	before := p.raw.Value()
	press(p, "ctrl+y") // nothing was cut
	press(p, "ctrl+k")
	if p.raw.Value() == before {
		t.Fatal("got the same JSON after ctrl+k, want its first line cut")
	}
	if press(p, "ctrl+y"); p.raw.Value() != before {
		t.Errorf("got JSON %q after ctrl+y, want %q", p.raw.Value(), before)
	}
	press(p, "ctrl+k")
	write(p, "👩‍👩‍👧")
	press(p, "backspace", "ctrl+y")
	if p.raw.Value() != before {
		t.Errorf("got JSON %q after ctrl+y, want %q", p.raw.Value(), before)
	}
}
