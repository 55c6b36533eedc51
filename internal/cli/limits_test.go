package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
)

func TestSizesAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"64MB": 64_000_000, "64 mb": 64_000_000, "1GiB": 1 << 30, "1.5GB": 1_500_000_000, "500kB": 500_000, "1000": 1000, "7 B": 7,
		"1k": 1000, "0": a2a.NoLimit, "0 MB": a2a.NoLimit,
	} {
		var n int64
		if err := (sizeValue{&n, a2a.LimitCard}).Set(text); err != nil || n != want {
			t.Errorf("Set(%q): got %d, %v, want %d", text, n, err, want)
		}
	}
	for _, text := range []string{"", "MB", "-1", "-1MB", "1 bit", "many", "1e99", "NaN", "Inf", "0.5", "64 M B", "9999999999GB"} {
		n := int64(5)
		if err := (sizeValue{&n, a2a.LimitCard}).Set(text); err == nil || n != 5 {
			t.Errorf("Set(%q): got %d and no error", text, n)
		}
	}
	for n, want := range map[int64]string{0: "16MB", a2a.NoLimit: "0", 1 << 30: "1GiB", 1500: "1500", 2_000_000_000: "2GB"} {
		if got := (sizeValue{&n, a2a.LimitCard}).String(); got != want {
			t.Errorf("String of %d: got %q, want %q", n, got, want)
		}
	}
}

// A limit is a flag, a variable and a setting; an invalid one is reported in one sentence.
func TestALimitIsAFlagAndASetting(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"name":"`+strings.Repeat("x", 100_000))
	}))
	t.Cleanup(server.Close)
	get := []string{"card", "get", "-a", server.URL}
	says := "an agent card of more than 1 kB; Parley stopped reading there. --max-card raises the limit."
	for name, line := range map[string]commandLine{
		"flag":     {args: append([]string{"card", "get", "--max-card", "1kB"}, get[2:]...)},
		"variable": {args: get, env: []string{"PARLEY_MAX_CARD=1000"}},
	} {
		if r := line.run(t); r.code == 0 || !strings.Contains(r.err, says) {
			t.Errorf("%s: got exit %d, want a failure with %q\n%s", name, r.code, says, r.err)
		}
	}
	r := parley(t, "card", "get", "-a", server.URL, "--max-card", "much")
	if r.code != 2 || !strings.Contains(r.err, "--max-card") || !strings.Contains(r.err, "a size such as 64MB") {
		t.Errorf("got exit %d, want 2 and an example of a size\n%s", r.code, r.err)
	}
}

// A command without a screen has no limit for streams unless the user sets one.
func TestACommandHasNoLimitForStreams(t *testing.T) {
	t.Parallel()
	var none, some a2a.Limits
	some[a2a.LimitStream] = 5
	none, some = withoutStreamLimit(none), withoutStreamLimit(some)
	if none.Of(a2a.LimitStream) < 1<<60 || some.Of(a2a.LimitStream) != 5 || none.Of(a2a.LimitEvent) != a2a.LimitEvent.Bytes() {
		t.Errorf("got limits %v and %v", none, some)
	}
}

// Every size is either refused, or written in a form that reads as the same size.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"64MB", "1 GiB", "0", "1.5k", "-1", "1e3", "NaN", "0x10", "\u0661MB", "1__0"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n, again int64
		if (sizeValue{&n, a2a.LimitCard}).Set(text) != nil {
			return
		}
		if n <= 0 && n != a2a.NoLimit {
			t.Fatalf("Set(%q): got %d", text, n)
		}
		if err := (sizeValue{&again, a2a.LimitCard}).Set(sizeValue{&n, a2a.LimitCard}.String()); err != nil || again != n {
			t.Errorf("Set(%q): got %d, and of its text %d, %v", text, n, again, err)
		}
	})
}
