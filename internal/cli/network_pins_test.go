package cli

import (
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"parley/a2a"
)

func TestPinsComeFromFlags(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want a2a.Pins
		bad  bool
	}{
		{nil, a2a.Pins{}, false},
		{[]string{"--dialect", "v0.3"}, a2a.Pins{Dialect: a2a.V03}, false},
		{[]string{"--dialect", "v1.0-rest"}, a2a.Pins{Dialect: a2a.V10, Binding: a2a.BindingREST}, false},
		{[]string{"--dialect", "sam-doc"}, a2a.Pins{Dialect: a2a.SAMDoc}, false},
		{[]string{"--dialect", "0.2.6"}, a2a.Pins{Dialect: a2a.V02}, false},
		{[]string{"--endpoint", "http://h:1/rpc", "--tenant", "acme"}, a2a.Pins{Endpoint: "http://h:1/rpc", Tenant: "acme"}, false},
		{[]string{"--dialect", "v2.0"}, a2a.Pins{}, true},
		{[]string{"--dialect", "v1.0-draft"}, a2a.Pins{}, true},
		{[]string{"--endpoint", "h/rpc"}, a2a.Pins{}, true},
	} {
		var n network
		f := pflag.NewFlagSet("", pflag.ContinueOnError)
		n.flags(f)
		if err := f.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		if err := n.check(); (err != nil) != c.bad {
			t.Errorf("%q: got error %v", c.args, err)
		}
		got := n.client("http://h").Pins
		if c.bad {
			continue
		}
		if got.Dialect != c.want.Dialect || got.Binding != c.want.Binding || got.Endpoint != c.want.Endpoint || got.Tenant != c.want.Tenant {
			t.Errorf("%q: got pins %+v, want %+v", c.args, got, c.want)
		}
	}
}

func TestTransportsArePreferences(t *testing.T) {
	t.Parallel()
	got := bindings([]string{"rest", "JSONRPC", "grpc"})
	if !slices.Equal(got, []a2a.Binding{a2a.BindingREST, a2a.BindingJSONRPC, a2a.BindingGRPC}) {
		t.Errorf("got bindings %q", got)
	}
}
