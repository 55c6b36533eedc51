package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A rule lists what a package may import directly: packages of this module, and of other
// modules. Everything else is forbidden.
type rule struct {
	ours   []string
	theirs []string
}

const (
	tea     = "charm.land/bubbletea/v2"
	bubbles = "charm.land/bubbles/v2"
	gloss   = "charm.land/lipgloss/v2"
	ansi    = "github.com/charmbracelet/x/ansi"
	txtar   = "golang.org/x/tools"
)

// direction contains the rules of docs/architecture.md.
var direction = map[string]rule{
	".": {ours: []string{"internal/cli"}},
	"internal/cli": {
		ours:   []string{"a2a", "a2a/a2atest", "a2a/a2atest/demo", "a2a/curl", "a2a/lint", "internal/attach", "internal/config", "internal/history", "internal/roster", "internal/units", "session/card", "session/engine", "session/journal", "session/log", "session/model", "session/problem", "ui"},
		theirs: []string{"github.com/andybalholm/brotli", "github.com/charmbracelet/x/term", "github.com/klauspost/compress", "github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	"ui": {
		ours: []string{"a2a", "a2a/lint", "internal/attach", "internal/config", "internal/heap", "internal/history", "internal/roster", "internal/units", "session/engine", "session/journal", "session/log", "session/model", "themes", "ui/canvas", "ui/jsonview", "ui/keys", "ui/looks", "ui/markdown", "ui/styles",
			"ui/agents", "ui/chat", "ui/composer", "ui/control", "ui/control/agents", "ui/control/cards", "ui/control/credentials", "ui/control/extensions", "ui/control/pins", "ui/control/prompts", "ui/control/inbox", "ui/control/attachments", "ui/control/files", "ui/control/findings", "ui/control/forms", "ui/control/history", "ui/control/jsonsheet", "ui/control/lanes", "ui/control/links", "ui/control/outbox", "ui/control/records", "ui/control/tasks", "ui/control/webhooks", "ui/control/sendoptions", "ui/guide", "ui/header", "ui/layout", "ui/menu", "ui/palette", "ui/terminal", "ui/wire"},
		theirs: []string{tea, bubbles, gloss, ansi},
	},

	"ui/agents": pane, "ui/composer": pane, "ui/credentials": pane, "ui/extensions": pane, "ui/findings": pane, "ui/form": pane, "ui/guide": pane, "ui/inbox": pane, "ui/menu": pane, "ui/push": pane, "ui/jsonedit": editing, "ui/request": editing, "ui/tasks": pane, "ui/sending": pane,
	"ui/card":    {ours: editing.ours, theirs: append([]string{"github.com/aymanbagabas/go-udiff"}, pane.theirs...)},
	"ui/chat":    {ours: append([]string{"internal/filename", "ui/media", "ui/picture", "ui/table"}, pane.ours...), theirs: pane.theirs},
	"ui/preview": {ours: append([]string{"ui/media", "ui/picture", "ui/table"}, pane.ours...), theirs: pane.theirs},
	"ui/record":  {ours: append([]string{"a2a/lint", "internal/filename", "session/card"}, pane.ours...), theirs: pane.theirs},
	"ui/lanes":   {ours: append([]string{"ui/axis"}, pane.ours...), theirs: pane.theirs},
	"ui/wire":    {ours: append([]string{"ui/record", "ui/timeline"}, pane.ours...), theirs: pane.theirs},
	"ui/picker":  {ours: append([]string{"internal/attach"}, pane.ours...), theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},
	"ui/palette": {ours: pane.ours, theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},

	"ui/control/agents":      controls("internal/config", "internal/roster", "session/card", "ui/agents", "ui/chat"),
	"ui/control/cards":       controls("ui/card"),
	"ui/control/credentials": controls("ui/credentials"),
	"ui/control/extensions":  controls("ui/extensions"),
	"ui/control/pins":        controls("ui/chat"),
	"ui/control/prompts":     controls(),
	"ui/control/attachments": controls("internal/attach", "ui/jsonedit", "ui/picker"),
	"ui/control/files":       controls("internal/filename", "ui/chat", "ui/media", "ui/preview", "ui/transcript"),
	"ui/control/findings":    controls("a2a/lint", "ui/findings", "ui/wire"),
	"ui/control/forms":       controls("ui/control/target", "ui/form"),
	"ui/control/history":     controls("internal/history"),
	"ui/control/jsonsheet":   controls("ui/jsonedit"),
	"ui/control/lanes":       controls("ui/lanes", "ui/wire"),
	"ui/control/links":       controls(),
	"ui/control/records":     controls("a2a/curl", "a2a/lint", "session/engine", "ui/request", "ui/wire"),
	"ui/control/sendoptions": controls("ui/jsonedit", "ui/sending"),
	"ui/control":             {ours: []string{"a2a", "session/engine", "session/model", "ui/composer", "ui/menu", "ui/palette", "ui/styles"}, theirs: []string{bubbles, tea}},
	"ui/control/inbox":       controls("ui/inbox"),
	"ui/control/tasks":       controls("ui/tasks"),
	"ui/control/webhooks":    controls("ui/push"),
	"ui/control/target":      {ours: []string{"a2a", "internal/units", "session/model", "ui/canvas", "ui/composer", "ui/control"}},
	"ui/control/outbox":      {ours: []string{"a2a", "internal/units", "session/log", "session/model", "ui/canvas", "ui/composer", "ui/control", "ui/control/target", "ui/menu"}, theirs: []string{bubbles, tea}},
	"ui/control/controltest": {ours: []string{"a2a", "session/engine", "session/log", "session/model", "ui/control", "ui/looks", "ui/menu", "ui/palette"}, theirs: []string{tea}},
	"ui/media":               {ours: []string{"ui/markdown"}},
	"ui/table":               {ours: []string{"a2a/jsontok", "internal/units", "ui/canvas", "ui/styles"}},
	"ui/transcript":          {ours: []string{"a2a", "internal/units", "session/model", "ui/canvas"}},
	"ui/axis":                {ours: []string{"a2a", "session/log", "ui/styles"}},
	"ui/timeline":            {ours: []string{"a2a", "internal/units", "session/log", "ui/axis", "ui/canvas", "ui/looks", "ui/styles"}, theirs: []string{ansi}},
	"ui/header":              {ours: []string{"a2a", "internal/units", "session/log", "session/model", "session/task", "ui/canvas", "ui/looks", "ui/styles"}},
	"ui/layout":              {ours: []string{"ui/canvas", "ui/control"}},
	"ui/looks":               {ours: []string{"a2a", "internal/units", "session/log", "session/model", "session/task", "ui/canvas", "ui/styles"}},
	"ui/jsonview":            {ours: []string{"a2a/jsontok", "internal/units", "ui/canvas", "ui/styles"}},
	"ui/picture":             {ours: []string{"internal/units"}, theirs: []string{"golang.org/x/image"}},
	"ui/markdown": {
		ours:   []string{"ui/canvas", "ui/styles"},
		theirs: []string{"charm.land/glamour/v2", "github.com/alecthomas/chroma/v2", "github.com/yuin/goldmark"},
	},
	"ui/field":    {ours: []string{"ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles, gloss, ansi}},
	"ui/editor":   {ours: []string{"ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles, ansi}},
	"ui/canvas":   {ours: []string{"ui/styles"}, theirs: []string{ansi, "golang.org/x/net/idna"}},
	"ui/sheet":    {ours: []string{"internal/units", "ui/canvas", "ui/field", "ui/list", "ui/styles"}},
	"ui/list":     {ours: []string{"ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles}},
	"ui/keys":     {theirs: []string{bubbles, tea}},
	"ui/terminal": {theirs: []string{tea, ansi}},
	"ui/styles":   {ours: []string{"themes"}, theirs: []string{bubbles, gloss}},
	"themes":      {},

	"session":             {},
	"session/card":        {ours: []string{"a2a"}},
	"session/engine":      {ours: []string{"a2a", "a2a/webhook", "internal/units", "session/card", "session/journal", "session/log", "session/model", "session/problem", "session/task"}},
	"session/journal":     {ours: []string{"a2a", "a2a/sse", "internal/units", "session/log", "session/model"}},
	"session/log":         {ours: []string{"a2a", "a2a/jsonrpc", "a2a/jsontok", "internal/units", "session/card", "session/problem", "session/task"}},
	"session/model":       {ours: []string{"a2a", "a2a/jsontok", "internal/units", "session/card", "session/log", "session/problem", "session/task"}},
	"session/problem":     {ours: []string{"a2a"}},
	"session/sessiontest": {ours: []string{"a2a", "a2a/sse", "session/log", "session/model", "session/problem"}},
	"session/task":        {ours: []string{"a2a", "session/problem"}},
	"session/filter":      {ours: []string{"a2a", "internal/units", "session/log", "session/task"}},
	"a2a":                 {ours: []string{"a2a/httphead", "a2a/jsonrpc", "a2a/jsontok", "a2a/sse"}},
	"a2a/httphead":        {},
	"a2a/jsonrpc":         {ours: []string{"a2a/jsontok"}},
	"a2a/curl":            {ours: []string{"a2a"}},
	"a2a/lint":            {ours: []string{"a2a", "a2a/jsonrpc", "a2a/jsontok", "internal/units"}},
	"a2a/jsontok":         {},
	"a2a/sse":             {},
	"a2a/webhook":         {ours: []string{"a2a/httphead"}},
	"a2a/a2atest":         {theirs: []string{txtar}},
	"a2a/a2atest/demo":    {ours: []string{"a2a/a2atest"}, theirs: []string{txtar}},

	"internal/attach":   {ours: []string{"a2a"}},
	"internal/config":   {theirs: []string{"github.com/joho/godotenv", "github.com/pelletier/go-toml/v2"}},
	"internal/roster":   {ours: []string{"internal/config"}, theirs: []string{"github.com/pelletier/go-toml/v2"}},
	"internal/heap":     {},
	"internal/history":  {},
	"internal/filename": {},
	"internal/golden":   {theirs: []string{ansi}},
	"internal/panetest": {ours: []string{"ui/canvas"}, theirs: []string{tea, ansi, "github.com/dlclark/regexp2"}},
	"internal/tape":     {ours: []string{"a2a", "session/log", "session/model"}},
	"internal/tmux":     {},
	"internal/units":    {},
}

// pane is the rule of all panes: shared packages and the model, never another pane.
var pane = rule{
	ours:   []string{"a2a", "a2a/jsontok", "internal/units", "session/log", "session/model", "session/problem", "session/task", "session/filter", "ui/canvas", "ui/field", "ui/jsonview", "ui/keys", "ui/list", "ui/looks", "ui/markdown", "ui/sheet", "ui/styles"},
	theirs: []string{tea, bubbles, gloss, ansi},
}

// controls is the rule of a controller: the packages that controllers share, and the panes and
// packages of its topic, never another controller or the root model.
func controls(ours ...string) rule {
	return rule{ours: slices.Concat([]string{"ui/composer", "ui/control", "ui/menu", "ui/palette"}, pane.ours, ours), theirs: pane.theirs}
}

// editing is the rule of panes with an exact text editor.
var editing = rule{ours: append([]string{"ui/editor"}, pane.ours...), theirs: pane.theirs}

func TestDependenciesPointOneWay(t *testing.T) {
	seen := map[string]bool{}
	for pkg, imports := range moduleImports(t) {
		if strings.HasPrefix(pkg, "test/") { // whole-program tests may import everything
			continue
		}
		seen[pkg] = true
		r, known := direction[pkg]
		if !known {
			t.Errorf("got no rule for %s, want one here and in docs/architecture.md", pkg)
			continue
		}
		for _, imp := range imports {
			if ours, ok := strings.CutPrefix(imp, "parley/"); ok {
				if !slices.Contains(r.ours, ours) {
					t.Errorf("%s: got import %s, want only what its rule allows", pkg, ours)
				}
			} else if foreign(imp) && !slices.ContainsFunc(r.theirs, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }) {
				t.Errorf("%s: got import %s, want only what its rule allows", pkg, imp)
			}
		}
	}
	for pkg := range direction {
		if !seen[pkg] {
			t.Errorf("got a rule for %s, which does not exist", pkg)
		}
	}
}

// Newer versions build a table at start-up that costs every run 18 ms.
func TestRunewidthStaysFastToStart(t *testing.T) {
	out := run(t, "go", "list", "-m", "-f", "{{.Version}}", "github.com/mattn/go-runewidth")
	if v := strings.TrimSpace(out); v != "v0.0.24" {
		t.Errorf("got go-runewidth %s, want v0.0.24, the last one that starts fast", v)
	}
}

// foreign reports whether an import path is outside the standard library.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// moduleImports returns the imports of every package without its tests, by its path in the
// module.
func moduleImports(t *testing.T) map[string][]string {
	t.Helper()
	out := run(t, "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	all := map[string][]string{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(strings.TrimPrefix(fields[0], "parley"), "/")
		if name == "" {
			name = "."
		}
		all[name] = fields[1:]
	}
	return all
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}
