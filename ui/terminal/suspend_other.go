//go:build !unix

package terminal

import "os"

// suspendable is whether there is such a thing on this platform.
const suspendable = false

func notifySuspend(_, _ chan os.Signal) (stop func()) { return func() {} }
func suspend() error                                  { return nil }
