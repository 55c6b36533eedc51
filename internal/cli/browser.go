package cli

import (
	"context"
	"errors"
	"os/exec"

	"parley/internal/outlet"
)

// opener returns a function that opens http and https URLs in the user's browser, and files, by
// their absolute paths, with the system's programs for them. The target is one argument, and no
// shell reads it. Its error is a clause.
func opener(goos string, getenv func(string) string) func(target string) error {
	name, before := "xdg-open", []string(nil)
	switch goos {
	case "darwin":
		name = "open"
	case "windows":
		name, before = "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	return func(target string) error {
		if name == "xdg-open" && getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("this machine has no desktop to open it on")
		}
		words := append([]string{name}, before...)
		err := outlet.Apart(context.Background(), append(words, target)...).Run() // it stays when Parley ends
		var exit *exec.ExitError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &exit):
			return errors.New(name + " found no program for it")
		default:
			return errors.New("this system has no " + name)
		}
	}
}
