package lint

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/golden"
)

func TestTheManualNamesEveryRule(t *testing.T) {
	golden.File(t, "../../docs/rules.md", manual())
}

// groupNames are what the groups of rules are about, by how their ids begin.
var groupNames = []struct{ prefix, title string }{
	{"ENV", "JSON and the envelope"},
	{"METH", "Methods"},
	{"HTTP", "HTTP"},
	{"CARD", "Agent cards"},
	{"MSG", "Messages"},
	{"PART", "Parts"},
	{"TASK", "Tasks"},
	{"STAT", "Statuses"},
	{"ART", "Artifacts"},
	{"SSE", "Event streams"},
	{"STRM", "What a stream says"},
	{"CTX", "Contexts"},
	{"PUSH", "Push notifications"},
	{"V01", "Tasks of 0.1"},
	{"ERR", "Errors"},
	{"SEC", "Text and addresses"},
	{"CASE", "Names of members"},
	{"TYPE", "Types of members"},
	{"MIX", "Mixed dialects"},
	{"SAM", "Solace Agent Mesh"},
}

// manual is docs/rules.md.
func manual() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the table of the linter; `go test ./a2a/lint -run Manual -update` writes it anew. " +
		"Every record on the wire is checked against the rules of the dialect it was sent in; a card against those of the version it is written in. " +
		"“*” are all dialects. In one that nobody knows only rules about HTTP, JSON and text are applied, those of “any” dialect.\n\n" +
		"An error breaks a requirement of the specification, which is cited below each table with its id in the A2A compatibility kit (TCK) where it has one. " +
		"In a dialect whose text has no such sentence the same finding is a warning. A warning will make trouble for somebody; an info is worth knowing. " +
		"A rule can find something less grave than its severity says. A rule without a section is advice of Parley's.\n")
	rules := manualRules()
	for _, group := range groupNames {
		var rows strings.Builder
		for _, r := range rules {
			if strings.HasPrefix(r.ID, group.prefix+"-") {
				fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s |\n", r.ID, r.Severity, r.Dialects, r.Checks, r.Fix, r.Section)
			}
		}
		cited := citations(rules, group.prefix)
		if rows.Len() > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n| Rule | Severity | Dialects | What holds | What to do | Section |\n|---|---|---|---|---|---|\n%s", group.title, &rows)
		}
		b.WriteString(cited)
	}
	return b.String()
}

// citations returns the sentences that the errors of a group stand on.
func citations(rules []Rule, prefix string) string {
	var b strings.Builder
	for _, r := range rules {
		if !strings.HasPrefix(r.ID, prefix+"-") {
			continue
		}
		for _, o := range r.Obligations {
			quote, remark, _ := strings.Cut(o.Sentence, "— ")
			if quote = strings.TrimSpace(quote); quote != "" {
				quote = "“" + quote + "”"
			}
			said := strings.ReplaceAll(strings.TrimSpace(quote+" "+remark), "|", "\\|")
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.ID, o.Dialects, o.Section, said, o.TCK)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nThese sentences make the findings errors:\n\n| Rule | Dialects | Section | Sentence | TCK |\n|---|---|---|---|---|\n" + b.String()
}

// manualRules returns every rule in the order of the manual.
func manualRules() []Rule {
	var all []Rule
	for _, group := range table() {
		for i := range group {
			all = append(all, group[i].public())
		}
	}
	return all
}

func TestEveryRuleIsInAGroup(t *testing.T) {
	text := manual()
	for _, r := range manualRules() {
		if !strings.Contains(text, "| "+r.ID+" | "+r.Severity.String()+" |") || r.Severity > a2a.Error {
			t.Errorf("%s is not in the manual", r.ID)
		}
	}
}
