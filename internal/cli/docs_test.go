package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
)

// commands visits every visible command.
func commands(visit func(*cobra.Command)) {
	a := &app{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		visit(c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.rootCommand())
}

func TestTheManualNamesEveryFlagAndCommand(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	manual := string(raw)
	there := map[string]bool{}
	commands(func(c *cobra.Command) {
		if c.HasParent() && !c.HasSubCommands() && !strings.Contains(manual, c.CommandPath()) {
			t.Errorf("got no %q in docs/cli.md, want it", c.CommandPath())
		}
		note := func(f *pflag.Flag) {
			there[f.Name] = true
			if !regexp.MustCompile("--" + regexp.QuoteMeta(f.Name) + `\b`).MatchString(manual) {
				t.Errorf("got no --%s of %q in docs/cli.md, want it", f.Name, c.CommandPath())
			}
		}
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
	})
	for _, extra := range []string{"help", "version", "return-immediately", "no-wait", "watch"} {
		there[extra] = true
	}
	for _, m := range regexp.MustCompile("--([a-z][a-z0-9-]+)").FindAllStringSubmatch(manual, -1) {
		if !there[m[1]] {
			t.Errorf("got --%s in docs/cli.md, want only flags that exist", m[1])
		}
	}
}

// The table of limits in the manual matches the program.
func TestTheManualNamesEveryLimit(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range a2a.AllLimits() {
		v := sizeValue{new(int64), l}
		row := "| `--" + l.Flag() + " " + strings.ToUpper(v.Type()) + "` | " + v.String() + " |"
		if !strings.Contains(string(raw), row) {
			t.Errorf("got no row %q in docs/cli.md, want it", row)
		}
	}
}

func TestTheManualNamesEveryCode(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range []string{codeUsage, codeCardNotFound, codeCardInvalid, codeUnreachable, codeCredentialsMissing, codeAuthFailed, codeTimeout, codeInternal} {
		row := regexp.MustCompile(`(?m)^\| (\d) \|.*` + "`" + code + "`").FindSubmatch(raw)
		if row == nil || int(row[1][0]-'0') != (&fault{code: code}).exit() {
			t.Errorf("got row %q for %s in docs/cli.md, want exit status %d", row, code, (&fault{code: code}).exit())
		}
	}
}

func TestCredentialFlagsSayThatTheyAreExposed(t *testing.T) {
	t.Parallel()
	commands(func(c *cobra.Command) {
		for name, variable := range map[string]string{"bearer": "A2ACLI_BEARER", "api-key": "A2ACLI_API_KEY"} {
			if f := c.Flags().Lookup(name); f != nil && !strings.Contains(f.Usage, variable) {
				t.Errorf("%s --%s: got usage %q, want it to name %s", c.CommandPath(), name, f.Usage, variable)
			}
		}
		if f := c.Flags().Lookup("svc-param"); f != nil && regexp.MustCompile(`(?i)auth|credential|token`).MatchString(f.Usage) {
			t.Errorf("%s --svc-param: got usage %q, want it without credentials", c.CommandPath(), f.Usage)
		}
	})
}
