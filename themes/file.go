package themes

import (
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// keys are those of a file, in the order in which sentences list them.
const keys = "base, about, contrast, ground, hairline, selection, well, band, text, dim, faint, accent, user, agent, ok, waiting, failed, number and tags"

// Read returns the theme of a user's file: the built-in theme that the file names as its base,
// or that has the name of the file, or else "dark", with the colours of the file. Each mistake
// is a sentence with its line, and costs only itself; a file that is not TOML changes nothing.
// The path is for these sentences.
func Read(name, path string, content []byte) (t Theme, mistakes []string) {
	f := &file{path: path}
	base := "dark"
	if _, ok := ByName(name); ok {
		base = name
	}
	if why := f.check(content); why != "" {
		t, _ = ByName(base)
		t.Name = name
		return t, []string{why}
	}
	f.walk(content, func(key string, v *unstable.Node, line int) {
		if key == "base" {
			base = f.base(base, v, line)
		}
	})
	t, _ = ByName(base)
	t.Name, t.About = name, "based on "+base
	mistakes = t.change(path, content)
	return t, append(f.mistakes, mistakes...)
}

// change sets what a file says, and returns its mistakes. A band that the file does not name follows
// its ground and its well.
func (t *Theme) change(path string, content []byte) []string {
	f, before := &file{path: path}, *t
	f.walk(content, func(key string, v *unstable.Node, line int) { f.set(t, key, v, line) })
	t.Dark = t.Ground == nil || luminance(t.Ground) < middle
	if t.Band == before.Band && (t.Ground != before.Ground || t.Well != before.Well) {
		t.Band = t.betweenGrounds()
	}
	return f.mistakes
}

// betweenGrounds returns a colour between the ground and the well, nil if the theme has not both.
func (t *Theme) betweenGrounds() color.Color {
	const part = 0.4
	if t.Ground == nil || t.Well == nil {
		return nil
	}
	return Between(t.Ground, t.Well, part)
}

// A file is the file of a theme.
type file struct {
	path     string
	mistakes []string
}

func (f *file) refuse(line int, format string, args ...any) {
	f.mistakes = append(f.mistakes, f.path+":"+strconv.Itoa(line)+": "+fmt.Sprintf(format, args...))
}

// check returns a sentence with the place where content is not TOML, empty if it is.
func (f *file) check(content []byte) string {
	const most = 64 << 10 // bytes
	if len(content) > most {
		return fmt.Sprintf("%s is longer than %d bytes, the limit for a theme, and is not used", f.path, most)
	}
	var whole map[string]any
	err := toml.Unmarshal(content, &whole)
	if err == nil {
		return ""
	}
	place := f.path
	if at, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, column := at.Position()
		place = fmt.Sprintf("%s:%d:%d", f.path, row, column)
	}
	return place + ": this is not valid TOML, and the file is not used: a line is KEY = \"#rrggbb\""
}

// walk calls set for each key of a file.
func (f *file) walk(content []byte, set func(key string, v *unstable.Node, line int)) {
	var p unstable.Parser
	p.Reset(content)
	table := false
	for p.NextExpression() {
		n := p.Expression()
		var parts []string
		line := 0
		for it := n.Key(); it.Next(); {
			if line == 0 {
				line = p.Shape(it.Node().Raw).Start.Line
			}
			parts = append(parts, string(it.Node().Data))
		}
		key := strings.Join(parts, ".")
		switch {
		case n.Kind != unstable.KeyValue: // a table is refused as a whole
			table = true
			set("["+key+"]", &unstable.Node{}, line)
		case !table:
			set(key, n.Value(), line)
		}
	}
}

// base returns the built-in theme that the file names, or else the default.
func (f *file) base(otherwise string, v *unstable.Node, line int) string {
	name := string(v.Data)
	switch {
	case v.Kind != unstable.String || !slices.Contains(builtin[:], name):
		f.refuse(line, "the base is not the name of a built-in theme; it is one of %s", strings.Join(builtin[:len(builtin)-1], ", "))
	case name == "mono":
		f.refuse(line, "the base cannot be mono, which has no colours to change")
	default:
		return name
	}
	return otherwise
}

// set sets what one key says.
func (f *file) set(t *Theme, key string, v *unstable.Node, line int) {
	switch key {
	case "base":
	case "about":
		if v.Kind != unstable.String || len(v.Data) > maxAbout {
			f.refuse(line, "about is a text of at most %d bytes", maxAbout)
			return
		}
		t.About = string(v.Data)
	case "contrast":
		c, err := strconv.ParseFloat(string(v.Data), 64)
		if v.Kind != unstable.Float && v.Kind != unstable.Integer || err != nil || !(c >= readable && c <= mostContrast) {
			f.refuse(line, "contrast is a number from %v to %v", readable, mostContrast)
			return
		}
		t.Contrast = c
	case "tags":
		f.setTags(t, v, line)
	default:
		i := slices.IndexFunc(tokens[:], func(k token) bool { return k.key == key })
		if i < 0 {
			f.refuse(line, "a theme has no %s: it has %s", quoted(key), keys)
		} else if c, ok := f.colour(key, v, line); ok {
			*tokens[i].of(t) = c
		}
	}
}

const (
	maxAbout     = 60
	mostContrast = 21.0
)

// setTags sets the tags of agents; fewer than six are repeated.
func (f *file) setTags(t *Theme, v *unstable.Node, line int) {
	var tags []color.Color
	if v.Kind == unstable.Array {
		for it := v.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			c, ok := f.colour("a tag", it.Node(), line)
			if !ok {
				return
			}
			tags = append(tags, c)
		}
	}
	if len(tags) == 0 || len(tags) > len(t.Tags) {
		f.refuse(line, "tags is a list of 1 to %d colours, as in [\"#5fd7c4\", \"#e8a2c8\"]", len(t.Tags))
		return
	}
	for i := range t.Tags {
		t.Tags[i] = tags[i%len(tags)]
	}
}

// colour returns the colour that a value says.
func (f *file) colour(key string, v *unstable.Node, line int) (color.Color, bool) {
	text := string(v.Data)
	digits, ok := strings.CutPrefix(text, "#")
	if len(digits) == 3 {
		digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if v.Kind != unstable.String || !ok || len(digits) != 6 || err != nil {
		if v.Kind != unstable.String {
			text = "this"
		} else {
			text = quoted(text)
		}
		f.refuse(line, "%s is %s, which is no colour: write \"#rrggbb\", as in \"#7da4f7\"", key, text)
		return nil, false
	}
	return color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 0xff}, true
}

// quoted returns a text of a file for a sentence: short, and without control characters.
func quoted(s string) string {
	const most = 40 // bytes
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
