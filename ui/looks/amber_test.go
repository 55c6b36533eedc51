package looks

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// amber lists the functions that paint with [styles.Styles.Waiting], and why: the colour says that
// something needs the user, or warns. Nothing else has it.
var amber = map[string]string{
	"agents/facts.go findings":          "warnings",
	"agents/facts.go tasks":             "tasks that wait",
	"agents/spark.go streamed":          "a stream that stalls",
	"looks/ending.go Ending":            "a stream that stalls",
	"card/build.go extensions":          "a required extension that no request asks for",
	"card/build.go leadsTo":             "a URL that hides its host",
	"card/build.go profile":             "the card says another version than the agent speaks",
	"approval/view.go changeRow":        "an address that has to be approved",
	"approval/view.go detailHead":       "a card that has to be approved",
	"approval/view.go head":             "cards that have to be approved",
	"approval/view.go row":              "a card that has to be approved",
	"card/build.go trust":               "a card that has to be approved",
	"card/extended.go extended":         "a change that concerns security",
	"chain/chain.go row":                "an exchange with an error or a warning",
	"chat/aside.go draw":                "an event that concerns another task",
	"chat/auth.go authRequestLines":     "a task that waits for credentials",
	"chat/greeting.go cautions":         "what to know before the first message",
	"chat/offers.go greetWithoutAgent":  "a session that was interrupted",
	"chat/question.go actionLines":      "what a task that waits asks for",
	"chat/tracesteps.go traceStep":      "a step whose parents lead back to it",
	"composer/chips.go chip":            "a part that the agent does not accept",
	"composer/options.go waysRow":       "an option that the agent does not have",
	"composer/queue.go heldLine":        "a queue that waits for the user",
	"composer/queue.go queuedRow":       "a queue that waits for the user",
	"composer/view.go mark":             "a reply to a task that waits",
	"composer/view.go targetLine":       "a warning that what is typed is a secret",
	"composer/view.go warnRows":         "a warning before a message is sent",
	"control/play/lines.go captionRows": "an audience sees a recording in place of the agent",
	"doctor/view.go head":               "warnings",
	"doctor/view.go look":               "a check with a warning",
	"doctor/view.go row":                "a check with a warning",
	"extensions/view.go answerRow":      "a required extension that no request asks for, or that no answer uses",
	"extensions/view.go head":           "no extension can be selected",
	"extensions/view.go row":            "a required extension that no request asks for",
	"header/activity.go activity":       "tasks that wait, and that nothing is recorded",
	"header/activity.go calm":           "tasks that wait, and that nothing is recorded",
	"header/activity.go findings":       "warnings",
	"header/activity.go stream":         "a paused stream",
	"header/identity.go shortSpeech":    "the card says another version than the agent speaks",
	"header/identity.go speech":         "the card says another version than the agent speaks",
	"inbox/view.go foot":                "a link that a task which waits asks to open",
	"jsonview/draw.go remarks":          "a finding at a value",
	"lanes/beat.go silencePaint":        "a stream that stalls",
	"lanes/words.go checkWords":         "an answer that differs from the task",
	"lanes/draw.go drawSegment":         "a stream that stalls",
	"lanes/words.go endWords":           "a stream that stalls",
	"looks/chip.go look":                "a task that waits",
	"looks/severity.go Severity":        "a warning",
	"looks/stall.go NoBytes":            "a stream that brings no bytes",
	"looks/stall.go Stall":              "a stream that stalls",
	"looks/state.go Signs":              "what the signs of a waiting task, a stall and a finding mean",
	"looks/state.go State":              "a task that waits",
	"origins/origins.go row":            "an address that is contacted without TLS",
	"picker/view.go foot":               "a file that the agent does not accept",
	"picker/view.go kind":               "a file that the agent does not accept",
	"push/view.go foot":                 "deliveries that did not come",
	"push/view.go head":                 "a receiver that the agent cannot reach",
	"request/view.go remarks":           "a warning about the request",
	"sending/view.go Lines":             "an option that has no effect",
	"sending/view.go row":               "an option that the agent does not have",
	"signin/view.go body":               "why a way to sign in is not possible",
	"signin/view.go details":            "a doubt about a token",
	"signin/view.go head":               "why nobody can be signed in",
	"signin/view.go identityRow":        "an identity with a doubt",
	"start/view.go sign":                "a session that was interrupted",
	"sessions/view.go findings":         "warnings",
	"sessions/view.go foot":             "what is wrong with a session file",
	"sessions/view.go head":             "what ends when another session goes on",
	"sessions/view.go sign":             "a session that was interrupted",
	"taps/view.go row":                  "a fault that is injected into what others send",
	"themelist/themelist.go foot":       "a mistake in the file of a theme",
	"themelist/themelist.go row":        "a mistake in the file of a theme",
	"wire/brought.go gapBar":            "a stream that was silent for much longer than usual",
}

// TestAmberMeansThatSomethingNeedsTheUserOrWarns reads the source of all panes.
func TestAmberMeansThatSomethingNeedsTheUserOrWarns(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../styles/") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && usesAmber(f) {
				found[filepath.ToSlash(path[len("../"):])+" "+f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range slices.Sorted(maps.Keys(found)) {
		if amber[at] == "" {
			t.Errorf("%s paints in the colour of what waits for the user: add the reason to the list, or use another paint", at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(amber)) {
		if !found[at] {
			t.Errorf("%s is in the list and does not use the colour: remove it", at)
		}
	}
}

// usesAmber reports whether a function uses the paint: the field Waiting or WaitingArea of something named st.
func usesAmber(f *ast.FuncDecl) (uses bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Waiting" || sel.Sel.Name == "WaitingArea") {
			switch x := sel.X.(type) {
			case *ast.Ident:
				uses = uses || strings.EqualFold(x.Name, "st")
			case *ast.SelectorExpr:
				uses = uses || strings.EqualFold(x.Sel.Name, "st")
			}
		}
		return true
	})
	return uses
}
