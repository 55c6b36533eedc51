package ui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"parley/internal/config"
	"parley/ui/keys"
)

// keyInText finds the name of a key in a text: a chord, a function key, a key with a name, or a letter
// that is said to be pressed or to do something.
var keyInText = regexp.MustCompile(`\b(ctrl|alt|shift)\+\S|\bf([1-9]|1[0-2])\b|\b(enter|esc|tab|space|backspace|pgup|pgdown)\b|[Pp]ress [^ ]( |$)|(^|[ :;,(])[B-HJ-Zb-z?!'] [a-z]+s\b|(^|[ :;,(])[B-HJ-Zb-z?!'] again\b`)

// notKeys are words that look like keys.
var notKeys = regexp.MustCompile(`[Ee]nter (host|a number)|(a|white|disk|a %q) space\b|some space|to enter$|^\s+$|tab-separated|(previous|next|show)[ -]tab\b|enter the|space is`)

// Texts do not name keys in so many words, because the user's settings can change them: they take
// the names from the bindings.
func TestTextsTakeTheNamesOfKeysFromTheirBindings(t *testing.T) {
	t.Parallel()
	for _, root := range []string{".", "../session", "../a2a"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && slices.Contains([]string{"testdata", "a2atest", "controltest", "keys", "styles", "canvas", "terminal", "script"}, d.Name()):
				return filepath.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			for _, text := range textsIn(t, path) {
				t.Errorf("%s names a key: want keys.Name of its binding", text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// textsIn returns the texts in a file that name a key, with their places.
func textsIn(t *testing.T, path string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	skip := map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr: // keys are bound here
			if first, ok := first(n).(*ast.BasicLit); called(n) == "SetHelp" && ok && !digit.MatchString(first.Value) {
				found = append(found, set.Position(n.Pos()).String()+": SetHelp("+first.Value+")")
			}
			if name := called(n); name == "Bind" || name == "SetKeys" || name == "WithKeys" || name == "HasPrefix" {
				for _, arg := range n.Args {
					skip[arg] = true
				}
			}
		case *ast.KeyValueExpr: // the keys of a row
			name, ok := n.Key.(*ast.Ident)
			if ok && (name.Name == "Keys" || name.Name == "Shown") {
				skipKeys(skip, n.Value)
			}
			if note, is := n.Value.(*ast.BasicLit); is && ok && name.Name == "Note" && oneKey.MatchString(note.Value) {
				found = append(found, set.Position(n.Pos()).String()+": Note: "+note.Value)
			}
		case *ast.ValueSpec: // the keys of several rows
			if strings.HasSuffix(n.Names[0].Name, "Keys") && len(n.Values) == 1 {
				skipKeys(skip, n.Values[0])
			}
		case *ast.BinaryExpr: // a pressed key is compared
			if n.Op == token.EQL || n.Op == token.NEQ {
				skip[n.X], skip[n.Y] = true, true
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				skip[e] = true
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil || skip[n] {
				return true
			}
			if keyInText.MatchString(notKeys.ReplaceAllString(text, "")) {
				found = append(found, set.Position(n.Pos()).String()+": "+n.Value)
			}
		}
		return true
	})
	return found
}

// skipKeys skips the names of keys in a value: one, or a list of them.
func skipKeys(skip map[ast.Node]bool, value ast.Expr) {
	skip[value] = true
	if list, ok := value.(*ast.CompositeLit); ok {
		for _, k := range list.Elts {
			skip[k] = true
		}
	}
}

// oneKey is a note that is nothing but a key.
var oneKey = regexp.MustCompile(`^"[^ "]"$`)

// digit is the name of a fixed key.
var digit = regexp.MustCompile(`^"\d"$`)

// first returns the first argument of a call, nil if there is none.
func first(call *ast.CallExpr) ast.Expr {
	if len(call.Args) == 0 {
		return nil
	}
	return call.Args[0]
}

// called returns the name of a called function, without its package.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// shownKey finds the name of a key on the screen.
var shownKey = regexp.MustCompile(`\b(ctrl|alt|shift)\+[^\s.,;:]+|\bf([1-9]|1[0-2])\b|\b(enter|esc|tab|space|backspace|pgup|pgdn|pgdown)\b`)

// fixedKeys are keys that no setting changes: digits, those that edit text, and those of menus and of
// inputs within a sheet. "enter credentials" is no key.
var fixedKeys = regexp.MustCompile(`\balt\+\d\b|\b(alt\+(left|right|[<>]|backspace|delete|d)|ctrl\+[uk]) (word|text|next word|previous word|delete|to line) ?|\benter (credentials|keep filter|choose|run)\b|\besc (clear filter|close)\b|\b(previous|next|show) tab\b`)

// Where every action has another key, no screen names the usual one.
func TestScreensNameTheKeysThatTheUserChose(t *testing.T) {
	t.Parallel()
	var o Options
	synctest.Test(t, func(t *testing.T) {
		m := newDesk(t, Options{}).model
		for i, c := range keys.Actions(slices.Concat(keySections(m), sheetSections(m))) {
			// The usual keys come second, so that they still play the scenes.
			o.Keys = append(o.Keys, config.Keys{Action: c.Action, Press: append([]string{"ctrl+alt+" + string(rune(0x3400+i))}, c.Press...)})
		}
	})
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			bubble(t, 200, 60, o, func(d *desk) {
				if w := d.model.opts.Warnings; len(w) > 0 {
					t.Fatalf("got warnings %q, want none", w)
				}
				s.play(d)
				text := fixedKeys.ReplaceAllString(strings.Join(strings.Fields(d.text()), " "), "")
				text = regexp.MustCompile(`ctrl\+alt\+([\x{3400}-\x{4dbf}]| ?│)`).ReplaceAllString(text, "") // an edge may cut it
				for _, at := range shownKey.FindAllStringIndex(text, -1) {
					t.Errorf("the screen names %q: …%s…", text[at[0]:at[1]], text[max(0, at[0]-40):min(len(text), at[1]+40)])
				}
			})
		})
	}
}
