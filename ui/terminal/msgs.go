package terminal

// The messages of the terminal, beside Bubble Tea's own.
type (
	// FirstFrameMsg is sent when the first frame should be on the terminal.
	FirstFrameMsg struct{}
	// ProbeOverMsg is sent when the answer to a probe has been waited for long enough.
	ProbeOverMsg struct{}
	// SuspendMsg is sent when another process wants the program to be suspended.
	SuspendMsg struct{}
	// ContinueMsg is sent when the program goes on that another process has stopped.
	ContinueMsg struct{}
	// NoShellMsg is sent when the program cannot be suspended.
	NoShellMsg struct{}
	// ResizedMsg is sent when the terminal has another size but is behind: the size is
	// asked for when it has caught up.
	ResizedMsg struct{}
)
