package cli

import (
	"embed"
	"fmt"
	"os"
	"path"
	"strings"

	"parley/session/script"
)

//go:embed scripts/*.parley
var ownScripts embed.FS

// ownScript returns the text of a script that comes with the program. A file of the same name
// comes first.
func ownScript(name string) (text []byte, ok bool) {
	if strings.ContainsAny(name, `/\.`) {
		return nil, false
	}
	if _, err := os.Stat(name); err == nil {
		return nil, false
	}
	text, err := ownScripts.ReadFile("scripts/" + strings.ToLower(name) + script.Ending)
	return text, err == nil
}

// listScripts prints the scripts that come with the program.
func (a *app) listScripts() error {
	entries, err := ownScripts.ReadDir("scripts")
	if err != nil {
		return err // they are inside the program
	}
	var b strings.Builder
	for _, e := range entries {
		text, err := ownScripts.ReadFile(path.Join("scripts", e.Name()))
		if err != nil {
			return err
		}
		first, _, _ := strings.Cut(string(text), "\n")
		fmt.Fprintf(&b, "%-12s  %s\n", strings.TrimSuffix(e.Name(), script.Ending), strings.TrimPrefix(first, "# "))
	}
	b.WriteString("\nparley demo NAME plays one. docs/demo.md says how to write your own.\n")
	return a.print([]byte(b.String()))
}
