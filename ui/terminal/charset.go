package terminal

import "strings"

// ASCIIOnly reports whether the environment says that the terminal draws nothing but ASCII: its
// locale names another character set than UTF-8, or none, or it is the console of Linux, whose
// fonts lack the signs of the interface. Without a locale, nothing is known and UTF-8 is likely.
func ASCIIOnly(env func(string) string) bool {
	if env("TERM") == "linux" {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} { // as setlocale(3) looks for them
		if locale := strings.ToUpper(env(name)); locale != "" {
			return !strings.Contains(locale, "UTF-8") && !strings.Contains(locale, "UTF8")
		}
	}
	return false
}
