package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
)

// The members that a card must have, by the shape that it is written in.
var (
	requiredV10 = []string{"name", "description", "version", "supportedInterfaces", "capabilities",
		"defaultInputModes", "defaultOutputModes", "skills"} // specification 1.0 §4.4.1
	requiredV03 = []string{"name", "description", "version", "url", "protocolVersion", "capabilities",
		"defaultInputModes", "defaultOutputModes", "skills"} // specification 0.3.0 §5.5
	requiredV02 = []string{"name", "description", "version", "url", "capabilities",
		"defaultInputModes", "defaultOutputModes", "skills"} // specification 0.2.6 §5.5
	requiredV01 = []string{"name", "version", "url", "capabilities", "skills"} // specification 0.1.0 §5.5

	requiredInterface = []string{"url", "protocolBinding", "protocolVersion"}
	requiredSkill     = []string{"id", "name", "description", "tags"}
	requiredSkillV01  = []string{"id", "name"}
)

// validate lists what is wrong with a card: members that its version demands, and
// what reading it found to be an error.
func validate(c *a2a.Card) []string {
	var card map[string]json.RawMessage
	if json.Unmarshal(c.Raw, &card) != nil {
		return []string{"the card is no JSON object"}
	}
	required, skill := requiredV02, requiredSkill
	switch a2a.Detect(c).Dialect {
	case a2a.V10, a2a.Unknown:
		required = requiredV10
	case a2a.V03:
		required = requiredV03
	case a2a.V01:
		required, skill = requiredV01, requiredSkillV01
	}
	if _, v1 := card["supportedInterfaces"]; v1 {
		required = requiredV10
	}
	problems := missing("", card, required)
	problems = append(problems, missingInEach("supportedInterfaces", card["supportedInterfaces"], requiredInterface)...)
	problems = append(problems, missingInEach("skills", card["skills"], skill)...)
	_, findings, _ := a2a.ParseCard(c.Raw, c.SourceURL)
	for _, f := range findings {
		if f.Severity == a2a.Error {
			problems = append(problems, strings.TrimSpace(f.Pointer+" "+f.Message))
		}
	}
	return problems
}

// missing lists the members that an object does not have.
func missing(pointer string, object map[string]json.RawMessage, required []string) (problems []string) {
	for _, name := range required {
		if v, ok := object[name]; !ok || string(v) == "null" {
			problems = append(problems, fmt.Sprintf("%s/%s is missing", pointer, name))
		}
	}
	return problems
}

// missingInEach does so for every object of an array.
func missingInEach(name string, raw json.RawMessage, required []string) (problems []string) {
	if raw == nil {
		return nil
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return []string{"/" + name + " is not an array of objects"}
	}
	for i, object := range list {
		problems = append(problems, missing(fmt.Sprintf("/%s/%d", name, i), object, required)...)
	}
	return problems
}

// A verdict is what there is to say of a card.
type verdict struct {
	errors, others []string // in words, each with its rule if one says it
	score          int      // of 100
}

// What each kind of finding takes from a card's score of 100.
const (
	errorCosts   = 20
	warningCosts = 5
	infoCosts    = 1
)

// newVerdict judges a card by what its version demands and by what the rules found in it.
func newVerdict(c *a2a.Card, findings []a2a.Finding) *verdict {
	v := &verdict{score: 100}
	for i := range findings {
		f := &findings[i]
		words := strings.TrimSpace(f.Severity.String()+" "+f.Rule+" "+f.Pointer) + ": " + strings.TrimSuffix(f.Message, ".")
		switch f.Severity {
		case a2a.Error:
			v.errors, v.score = append(v.errors, words), v.score-errorCosts
		case a2a.Warning:
			v.others, v.score = append(v.others, words), v.score-warningCosts
		default:
			v.others, v.score = append(v.others, words), v.score-infoCosts
		}
	}
	for _, problem := range validate(c) {
		if !saidBy(findings, problem) {
			v.errors, v.score = append(v.errors, "error "+problem), v.score-errorCosts
		}
	}
	v.score = max(v.score, 0)
	return v
}

// saidBy reports whether a rule says of the same member what a problem says.
func saidBy(findings []a2a.Finding, problem string) bool {
	pointer, _, _ := strings.Cut(problem, " ")
	member := pointer[strings.LastIndexByte(pointer, '/')+1:]
	return slices.ContainsFunc(findings, func(f a2a.Finding) bool {
		return f.Severity == a2a.Error && (f.Pointer == pointer || strings.HasPrefix(pointer, f.Pointer+"/") && strings.Contains(f.Message, member))
	})
}

// print writes the verdict above the card.
func (v *verdict) print(p *page) {
	word := "yes"
	if len(v.errors) > 0 {
		word = "no"
	}
	p.field("Valid", word)
	p.field("Score", fmt.Sprintf("%d of 100", v.score))
	for _, words := range slices.Concat(v.errors, v.others) {
		p.field("Finding", line(words))
	}
}

// tell says on standard error what the document on standard output has no place for.
func (v *verdict) tell(a *app) {
	a.note("Score", "%d of 100", v.score)
	for _, words := range v.others {
		a.note("Finding", "%s", line(words))
	}
}

// fault is the failure of a card that is not as its version demands.
func (v *verdict) fault() *fault {
	return &fault{code: codeCardInvalid, message: fmt.Sprintf("The card is not as A2A has it (score %d of 100): %s.", v.score, line(strings.Join(v.errors, "; "))),
		hint: "Tell the agent's author; the agent may work all the same."}
}
