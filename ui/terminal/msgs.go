package terminal

// The messages of the terminal, in addition to Bubble Tea's.
type (
	// FirstFrameMsg is sent when the first frame should be on the terminal.
	FirstFrameMsg struct{}
	// ProbeOverMsg is sent when the program no longer expects an answer to the probe.
	ProbeOverMsg struct{}
	// EndMsg is sent when a signal asks the program to end.
	EndMsg struct{}
	// SuspendMsg is sent when another process suspends the program.
	SuspendMsg struct{}
	// ContinueMsg is sent when the program continues after another process stopped it.
	ContinueMsg struct{}
	// NoShellMsg is sent when the program cannot be suspended.
	NoShellMsg struct{}
	// ResizedMsg is sent when the size of a terminal that is behind changed: the program asks
	// for the size when it has caught up.
	ResizedMsg struct{}
)
