package a2atest

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func file(name, data string) txtar.File { return txtar.File{Name: name, Data: []byte(data)} }

func TestParseNamesTheMistake(t *testing.T) {
	const agent = "-- agent --\ndialect 1.0\n"
	for _, tc := range []struct{ script, want string }{
		{"", "agent: no dialect"},
		{"-- agent --\ndialect 7\n", `agent:1: dialect: unknown dialect "7"`},
		{"-- agent --\ncolour red\n", "agent:1: colour: unknown setting"},
		{agent + "serve /x\n", "want PATH FILE TYPE"},
		{agent + "serve /x y z\n", `no file "y"`},
		{agent + "-- scene a --\ndance\n", "scene a:1: dance: unknown step"},
		{agent + "-- scene a --\nsend f\n", `no file "f"`},
		{agent + "-- scene a --\ntext (\n", "missing closing )"},
		{agent + "-- scene a --\npause x\n", "invalid duration"},
		{agent + "-- scene a --\npause 2s..1s\n", "is not a pause"},
		{agent + "-- scene a --\nplay b\n", `no scene "b" above`},
		{agent + "-- scene a --\nlet x=\"y\n", "a closing quote is missing"},
		{agent + "-- scene a --\nlet id=y\n", "id is a name of the engine"},
		{agent + "-- scene a --\nlet x={{y}}\n", "{{y}} has no value"},
		{agent + "-- scene a --\nlet x\n", "want NAME=VALUE"},
		{agent + "-- scene a --\nhead 7\n", "is not a status code"},
		{agent + "-- scene a --\nheader x\n", "want NAME: VALUE"},
		{agent + "-- scene a --\ngoto\n", "want one state"},
		{agent + "-- scene a --\nstream f\n", "want FILE… with FILE"},
		{agent + "-- f --\n-- scene a --\nstream f with f words 0\n", "is not a number of words"},
		{agent + "-- f --\n-- scene a --\nstream f with f words\n", "words: an argument is missing"},
		{agent + "-- f --\n-- scene a --\nrepeat f\n", "want N FILE"},
		{agent + "-- f --\n-- scene a --\nrepeat x f\n", "is not a number"},
		{agent + "-- f --\n-- scene a --\nrepeat 1 f fast 1\n", "unknown option"},
		{agent + "-- f --\n{{g}}\n-- g --\n{{f}}\n", "includes itself"},
		{agent + "-- f --\n{{nobody}}\n", "{{nobody}} has no value"},
		{agent + "-- f --\n{{base64 nobody}}\n", "{{nobody}} has no value"},
		{agent + "-- f --\n{{id\n", "has no end"},
		{agent + "-- f --\n{{hex 1}}\n", "{{hex 1}}"},
		{agent + "-- f --\n{{fill x}}\n", "want a size"},
		{agent + "-- f --\n{{sing song}}\n", "unknown placeholder"},
	} {
		_, err := Parse("x", []byte(tc.script))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q: got error %v, want %s", tc.script, err, tc.want)
		}
	}
}

func TestParseReadsAWindowsCheckout(t *testing.T) {
	s, err := Parse("x", []byte(strings.ReplaceAll("-- agent --\ndialect 0.1\n-- f --\na\n\n", "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(s.files["f"][0].lit); got != "a\n\n" {
		t.Errorf("got %q, want \"a\\n\\n\"", got)
	}
}

func TestValuesKeepTheirBytes(t *testing.T) {
	p := &parser{values: map[string]bool{}}
	got, err := p.assignments(`a=1 b="x \"y\" {z}" c='["q"]' d=`)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "1", "b": `x \"y\" {z}`, "c": `["q"]`} {
		if string(got[name][0].lit) != want {
			t.Errorf("%s: got %q, want %q", name, got[name][0].lit, want)
		}
	}
	if len(got["d"]) != 0 {
		t.Errorf("d: got %v, want nothing", got["d"])
	}
}

func TestDialectsDiffer(t *testing.T) {
	for name, method := range map[string]string{
		"0.1": "tasks/sendSubscribe", "0.2": "message/stream", "0.3": "message/stream", "1.0": "SendStreamingMessage",
	} {
		d, ok := dialects(name)
		if !ok || d.stream != method || d.clientIDs != (name == "0.1") {
			t.Errorf("%s: got dialect %+v", name, d)
		}
	}
	old, _ := dialects("0.3")
	if got := string(old.notFound.body([]byte("17"))); got != `{"jsonrpc":"2.0","id":17,"error":{"code":-32001,"message":"Task not found"}}`+"\n" {
		t.Errorf("got error %s, want task not found with id 17", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(script))
	f.Add([]byte("-- agent --\ndialect 1.0\n-- scene a --\nlet x='"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		if s, err := Parse("fuzz", archive); (s == nil) == (err == nil) {
			t.Errorf("got script %v with error %v, want exactly one", s, err)
		}
	})
}

func TestTheNewestOfAList(t *testing.T) {
	for _, tc := range []struct {
		list string
		most int
		want string
	}{
		{`{"a":1},{"a":2}`, 5, `{"a":1},{"a":2}`},
		{`{"a":1},{"a":"},{"}`, 1, `{"a":"},{"}`},
		{`{"a":1},{"a":2}`, 0, ``},
		{`{"a":1}`, -1, `{"a":1}`},
		{``, 3, ``},
		{`no list`, 0, `no list`},
	} {
		if got := string(newest([]byte(tc.list), &tc.most)); got != tc.want {
			t.Errorf("newest %d of %s: got %s, want %s", tc.most, tc.list, got, tc.want)
		}
	}
	if got := string(newest([]byte(`1,2`), nil)); got != "1,2" {
		t.Errorf("newest without a limit: got %s, want 1,2", got)
	}
}
