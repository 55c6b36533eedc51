//go:build !unix

package ui

import "os"

// suspendable is whether there is such a thing on this platform.
const suspendable = false

func hearSuspend(_, _ chan os.Signal) (stop func()) { return func() {} }
func suspend() error                                { return nil }
