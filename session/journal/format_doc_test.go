package journal

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The document of the format names everything in a session: each member of a line, each type of
// note and each of its attributes.
func TestTheFormatsDocumentNamesEveryMember(t *testing.T) {
	text, err := os.ReadFile("../../docs/session-format.md")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	membersOf(reflect.TypeFor[line](), "line", names, map[reflect.Type]bool{})
	file, err := parser.ParseFile(token.NewFileSet(), "../log/note.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		name, lit := spec.Names[0].Name, spec.Values[0]
		if b, ok := lit.(*ast.BasicLit); ok && b.Kind == token.STRING && (strings.HasPrefix(name, "Note") || strings.HasPrefix(name, "Attr")) {
			word, _ := strconv.Unquote(b.Value)
			names[word] = name
		}
		return true
	})
	if len(names) < 60 {
		t.Fatalf("got %d names, want at least 60: %v", len(names), names)
	}
	for name, of := range names {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/session-format.md does not name `%s` (%s)", name, of)
		}
	}
}

// membersOf collects the JSON names of a type's members, recursively.
func membersOf(typ reflect.Type, in string, names map[string]string, seen map[reflect.Type]bool) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ] || typ == reflect.TypeFor[time.Time]() {
		return
	}
	seen[typ] = true
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		names[name] = in + "." + f.Name
		membersOf(f.Type, in+"."+f.Name, names, seen)
	}
}
