package cli

import (
	"encoding/json"
	"fmt"
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

// invalidCard is the failure of a card that is not as its version demands.
func invalidCard(problems []string) *fault {
	return &fault{code: codeCardInvalid, message: "The card is not as A2A has it: " + strings.Join(problems, "; ") + ".",
		hint: "Tell the agent's author; the agent may work all the same."}
}
