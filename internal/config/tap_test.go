package config

import (
	"slices"
	"strings"
	"testing"
)

// A set of taps stands in config.toml. A mistake names its line, and costs only itself.
func TestTapsAreRead(t *testing.T) {
	s, warnings, path := loadTOML(t, `theme = "dark"
[[tap]]
name = "planner"
to = "http://127.0.0.1:4100"

[[tap]]
name = 3
to = "https://desk.example"
listen = "127.0.0.1:9000"
fault = "cut:5"
port = 7

[tap.more]
x = "y"
`, nil)
	want := []Tap{
		{Name: "planner", To: "http://127.0.0.1:4100", Place: path + ":2"},
		{To: "https://desk.example", Listen: "127.0.0.1:9000", Fault: "cut:5", Place: path + ":6"},
	}
	if !slices.Equal(s.Taps, want) {
		t.Errorf("got taps %+v, want %+v", s.Taps, want)
	}
	all := strings.Join(warnings, "\n")
	for _, say := range []string{path + ":11: a tap has no port: it has name, to, listen and fault", path + ":7: the name of a tap must be text", "a tap begins with [[tap]]"} {
		if !strings.Contains(all, say) {
			t.Errorf("got warnings %q, want %q", all, say)
		}
	}
}

func TestAnUnusableMemberOfATapIsNamed(t *testing.T) {
	path := write(t, t.TempDir(), "taps.toml", "[[tap]]\nto = \"nowhere\"\nname = \"x\"\n")
	s, warnings, err := Load(Options{Getenv: environ(nil), File: path, Misfit: func(name, value string) string {
		if name == "tap.to" && value == "nowhere" {
			return "no URL"
		}
		return ""
	}})
	if err != nil || len(s.Taps) != 1 || s.Taps[0].To != "" || s.Taps[0].Name != "x" {
		t.Errorf("got %+v, %v, want a tap without an agent", s.Taps, err)
	}
	if len(warnings) != 1 || warnings[0] != path+":2: the to of a tap is no URL; it is not used" {
		t.Errorf("got warnings %q", warnings)
	}
}
