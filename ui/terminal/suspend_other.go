//go:build !unix

package terminal

import "os"

// suspendable reports that processes cannot be suspended on this platform.
const suspendable = false

func notifySuspend(_, _ chan os.Signal) (stop func()) { return func() {} }
func suspend() error                                  { return nil }
