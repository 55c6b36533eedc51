package cli

import "os/exec"

// browser returns what opens http and https URLs in the person's browser. The URL is one
// argument, and no shell reads it.
func browser(goos string) func(link string) error {
	name, before := "xdg-open", []string(nil)
	switch goos {
	case "darwin":
		name = "open"
	case "windows":
		name, before = "rundll32", []string{"url.dll,FileProtocolHandler"}
	}
	return func(link string) error {
		c := exec.Command(name, append(before, link)...)
		if err := c.Start(); err != nil {
			return err
		}
		return c.Wait()
	}
}
