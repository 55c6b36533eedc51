package ui

import (
	"strings"
	"testing"

	"parley/a2a"
)

func TestJSONIsAttachedOrWritten(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.write(`/data {"from": "Oslo", "n": 1.10}`)
		d.press("enter")
		d.sees("▤ data JSON · 27 B · {\"from\": \"Os", "JSON, 27 B, is attached")
		d.write(`/data {"from": "Oslo",}`)
		d.press("enter")
		d.sees("─ data ─", "✕ line 1, column 16: a trailing comma")
		d.press("delete", "alt+enter", "enter")
		if parts := e.Sent[0].Parts; len(parts) != 2 || string(parts[0].Data) != `{"from": "Oslo", "n": 1.10}` || string(parts[1].Data) != `{"from": "Oslo"}` {
			t.Errorf("sent parts %+v, want both JSON values unchanged", parts)
		}
	})
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.write("/data")
		d.press("enter")
		d.sees("✓ an object with 0 members")
		d.paste(`"to": "Lisbon"`)
		d.press("esc")
		d.write("/data")
		d.press("enter")
		d.sees(`"to": "Lisbon"`)
		d.press("alt+enter", "alt+p", "e")
		d.sees("data of part 1", `"to": "Lisbon"`)
		d.press("right")
		d.paste(`"n": 2,`)
		d.press("alt+enter", "enter")
		if p := e.Sent[0].Parts[0]; p.Kind != a2a.PartData || !strings.Contains(string(p.Data), `"n": 2`) || !strings.Contains(string(p.Data), "Lisbon") {
			t.Errorf("sent data %s, want the edited JSON", p.Data)
		}
	})
}

func TestMetadataIsWrittenAtLarge(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		e := d.sends()
		d.press("alt+h", "j", "j", "j", "w")
		d.sees("metadata of the request", "empty: no value")
		d.paste("{\n\"trace\": 1\n}")
		d.press("alt+enter")
		d.sees("send options", `request metadata    { "trace": 1 }`)
		d.press("j", "w")
		d.paste(`{"b":2}`)
		d.press("alt+enter", "esc", "x", "enter")
		if string(e.Sent[0].Options.Config.Metadata) != "{\n\"trace\": 1\n}" || string(e.Sent[0].Metadata) != `{"b":2}` {
			t.Errorf("got request metadata %s and message metadata %s, want the trace and b of 2", e.Sent[0].Options.Config.Metadata, e.Sent[0].Metadata)
		}
	})
}
