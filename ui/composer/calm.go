package composer

// SetCalm sets whether an audience reads along: the line above the text then says what kind of
// message enter sends, without ids and other targets.
func (c *Composer) SetCalm(on bool) {
	if c.calm != on {
		c.calm, c.dirty = on, true
	}
}

// calmWords returns the words for a kind of target.
func calmWords(kind TargetKind) string {
	switch kind {
	case TargetReply:
		return "reply"
	case TargetAnswer:
		return "answer"
	case TargetFork:
		return "new conversation from here"
	case TargetQueue:
		return "next message"
	default:
		return "new message"
	}
}
