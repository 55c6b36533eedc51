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

// groupNames are the titles of the groups of rules, by the prefix of their ids.
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
	{"CLNT", "Clients behind a tap"},
	{"HOP", "Hops from agent to agent, behind several taps"},
}

// manual returns the content of docs/rules.md.
func manual() string {
	var b strings.Builder
	b.WriteString("# Rules\n\nGenerated from the table of the linter; `go test ./a2a/lint -run Manual -update` writes it. " +
		"Parley checks every record against the rules of its dialect, and a card against those of its version. " +
		"“*” means all dialects. If the dialect is unknown, only rules of “any” dialect apply: those about HTTP, JSON and text. " +
		"CLNT and HOP apply only to requests of other clients that pass a tap, the other rules to these requests as well.\n\n" +
		"| Severity | Meaning |\n|---|---|\n" +
		"| error | breaks a requirement of the specification (MUST), and clients or agents are hurt by that |\n" +
		"| warning | breaks a requirement with which the clients in the field live, or a recommendation (SHOULD) |\n" +
		"| info, a remark on the screens | anything else that is worth knowing |\n\n" +
		"Each table is followed by the requirements, with their ids in the A2A compatibility kit (TCK). In a dialect without such a requirement the same finding is a warning. " +
		"A rule can report a finding with a lower severity than its own. A rule without a section is advice from Parley.\n\n" +
		"Rules that compare a record with what came before say nothing about a task whose beginning the session does not have: one that another process began and that " +
		"is continued, subscribed to or got here, or one in a recording that begins later.\n\n" +
		"Nobody is blamed for what Parley did by itself. A request that repeats or replaces one of the user, or only looks how a task is, has no findings but HTTP-007. " +
		"A probe has none. A call in a way that neither the card nor the user names has none until an answer shows that the agent understood it. " +
		"An HTTP error without an envelope is an answer of a server or a proxy, and breaks no rule about envelopes.\n\n" +
		"Nor for what something on the way may have done. A stream that broke while its task works, or was closed behind a proxy that names itself (Via), is an info. An answer " +
		"whose request the session lacks has no findings, nor has a record in which an export masked what matches a pattern. Behind a tap, deliveries need no token, because nobody " +
		"knows whether the webhook has one, and the URL of a webhook is the tap's. An unknown method is a client's guess in a dialect that neither the card nor an answer showed.\n")
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

// citations returns a table of the obligations of a group.
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
			t.Errorf("got no row for rule %s in the manual, want one with severity %s", r.ID, r.Severity)
		}
	}
}
