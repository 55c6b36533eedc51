package sendoptions

import (
	"strings"

	"parley/a2a"
	"parley/session/model"
)

// Unsupported names the options for the agent on the screen, and the extensions of the message,
// that the agent's dialect has no member for. It is empty if the dialect has all, or is
// unknown.
func (c *Controller) Unsupported() string {
	a := c.host.Agent()
	if a == nil {
		return ""
	}
	d, ok := a.Profile.Spoken()
	if !ok {
		return ""
	}
	o := c.options[a.ID]
	words := missingOptions(d, &o, c.o.Composer.Names())
	if words == nil {
		return ""
	}
	return "not in A2A " + d.Name().Number() + ": " + strings.Join(words, ", ")
}

// missingOptions names the options that a dialect has no member for.
func missingOptions(d *a2a.Dialect, o *model.SendOptions, extensions []string) (words []string) {
	if o.Config.Wait && d.SendMember(a2a.MemberWait) == "" {
		words = append(words, "blocking")
	}
	if len(o.Config.AcceptedOutputModes) > 0 && d.SendMember(a2a.MemberOutputModes) == "" {
		words = append(words, "accepted types")
	}
	if o.Config.HistoryLength != nil && d.SendMember(a2a.MemberHistoryLength) == "" {
		words = append(words, "history")
	}
	if len(extensions) > 0 && d.ExtensionsHeader() == "" {
		words = append(words, "extensions")
	}
	return words
}
