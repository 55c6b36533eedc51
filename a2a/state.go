package a2a

import (
	"strings"
	"unicode"
)

// Word returns how a dialect writes a state (specification 1.0 §4.1.3).
func Word(state State, d DialectName) string {
	version, binding := d.version()
	if version != V10 && binding != BindingREST && binding != BindingGRPC {
		return state.String()
	}
	switch {
	case state == StateUnknown, state == StateOther:
		return "TASK_STATE_UNSPECIFIED"
	case state == StateCanceled && version == V03:
		return "TASK_STATE_CANCELLED" // as the protocol buffer of 0.3 has it
	default:
		return "TASK_STATE_" + strings.ToUpper(strings.ReplaceAll(state.String(), "-", "_"))
	}
}

// ParseState reads a state in any spelling that agents use: the words of all
// dialects, other case, underscores, camel case, the double L, and the numbers
// of the protocol buffer. A word that no dialect defines is StateOther; an empty
// one is StateUnknown.
func ParseState(word string) State {
	if s, ok := parseKebab(word); ok {
		return s
	}
	if len(word) == 1 && word[0] >= '0' && word[0] <= '8' {
		return numberedStates[word[0]-'0']
	}
	if len(word) > maxStateWord {
		return StateOther
	}
	s, _ := parseKebab(kebab(word))
	return s
}

// numberedStates are the states by their number in the protocol buffers of
// 0.3 and 1.0.
var numberedStates = [...]State{
	StateUnknown, StateSubmitted, StateWorking, StateCompleted, StateFailed,
	StateCanceled, StateInputRequired, StateRejected, StateAuthRequired,
}

// maxStateWord is longer than any spelling of a known state.
const maxStateWord = 64

// parseKebab reads a word of 0.2 and 0.3, or exactly spelled of 1.0.
func parseKebab(word string) (s State, ok bool) {
	switch word {
	case "", "unknown", "unspecified", "TASK_STATE_UNSPECIFIED":
		return StateUnknown, true
	case "submitted", "TASK_STATE_SUBMITTED":
		return StateSubmitted, true
	case "working", "TASK_STATE_WORKING":
		return StateWorking, true
	case "completed", "TASK_STATE_COMPLETED":
		return StateCompleted, true
	case "failed", "TASK_STATE_FAILED":
		return StateFailed, true
	case "canceled", "cancelled", "TASK_STATE_CANCELED", "TASK_STATE_CANCELLED":
		return StateCanceled, true
	case "input-required", "TASK_STATE_INPUT_REQUIRED":
		return StateInputRequired, true
	case "rejected", "TASK_STATE_REJECTED":
		return StateRejected, true
	case "auth-required", "TASK_STATE_AUTH_REQUIRED":
		return StateAuthRequired, true
	default:
		return StateOther, false
	}
}

// kebab brings a state word to the form of 0.2: "inputRequired" and
// "Task_State_Input_Required" both become "input-required".
func kebab(word string) string {
	var b strings.Builder
	lower := false // the rune before was a lower-case letter
	for _, r := range strings.TrimSpace(word) {
		switch {
		case r == '_' || r == ' ':
			b.WriteByte('-')
		case unicode.IsUpper(r) && lower:
			b.WriteByte('-')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		lower = unicode.IsLower(r)
	}
	return strings.TrimPrefix(b.String(), "task-state-")
}

// parseRole reads a role in any spelling. Words that servers use for themselves ("assistant",
// "model") mean the agent, and known is false.
func parseRole(word string) (role Role, known bool) {
	switch word {
	case "user", "ROLE_USER", "1":
		return RoleUser, true
	case "agent", "ROLE_AGENT", "2":
		return RoleAgent, true
	case "", "ROLE_UNSPECIFIED", "0":
		return RoleUnspecified, false
	}
	if len(word) <= maxStateWord {
		switch strings.TrimPrefix(strings.ToLower(word), "role_") {
		case "user":
			return RoleUser, true
		case "agent":
			return RoleAgent, true
		}
	}
	return RoleAgent, false
}
