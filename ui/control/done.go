package control

import tea "charm.land/bubbletea/v2"

// A DoneMsg is sent when work that a controller began outside of Update is done. The workbench
// calls it inside Update, where it takes over the result.
type DoneMsg func() tea.Cmd
