package a2a_test

import (
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"parley/a2a"
)

// redirector answers /from with a redirect and all other paths as an agent.
func redirector(t *testing.T, status int, where func(self string) string) (url string, bodies *atomic.Int32) {
	bodies = new(atomic.Int32)
	var self string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/from") {
			w.Header().Set("Location", where(self))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, "moved")
			return
		}
		if b, _ := io.ReadAll(r.Body); strings.Contains(string(b), "hello") && r.Method == "POST" {
			bodies.Add(1)
		}
		_, _ = io.WriteString(w, taskAnswer)
	})
	self = s.URL
	return s.URL, bodies
}

func TestRedirectsOfAPost(t *testing.T) {
	tests := []struct {
		status   int
		location string
		follow   bool
		says     string
	}{
		{307, "/to", true, ""},
		{308, "/to?token=hush", true, ""},
		{301, "/to", false, "/to"},
		{302, "http://elsewhere.example/to?api_key=hush", false, "http://elsewhere.example/to?api_key=•••"},
		{302, "http://elsewhere.example/to", false, "another origin; nothing was sent there"},
		{303, "/to", false, "probably wrong"},
		{307, "", false, "without a Location"},
		{307, "ftp://h/x", false, "ftp://h/x"},
		{307, "http://%zz/", false, "not an http or https URL"},
		{308, "/from", false, "redirects without end"},
	}
	for _, tt := range tests {
		t.Run(http.StatusText(tt.status)+" "+tt.location, func(t *testing.T) {
			url, bodies := redirector(t, tt.status, func(string) string { return tt.location })
			o, tp := call(t, url+"/from", nil)
			checkNoSecrets(t, tp, "hush")
			if tt.follow {
				if o.Err != nil || bodies.Load() != 1 || o.Exchange != 4 {
					t.Errorf("got outcome %+v with %d bodies, want exchange 4 with 1", o, bodies.Load())
				}
				if first := tp.records[2]; first.Kind != a2a.KindEnd || first.End.Reason != a2a.Ended || string(first.Raw) != "moved" {
					t.Errorf("got end %+v of the redirect, want %q", first.End, a2a.Ended)
				}
				if got := tp.records[3].Head.URL; !strings.HasPrefix(got, url+"/to") || tp.records[3].Call.Endpoint != got {
					t.Errorf("got redirected request to %s, want %s", got, url+"/to")
				}
				return
			}
			if bodies.Load() != 0 || o.End.Class != a2a.ClassRedirect || o.Err == nil {
				t.Errorf("got outcome %+v with %d bodies, want class %q with none", o, bodies.Load(), a2a.ClassRedirect)
			}
			sentence(t, o.End.Sentence, tt.says)
		})
	}
}

func TestRedirectTakesNoCredentialsAlong(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		other, asked := stranger(t)
		url, _ := redirector(t, 307, func(string) string { return other + "/rpc" })
		o, tp := call(t, url+"/from", func(o *a2a.Options) {
			o.Bearer = bearer
			if allowed {
				o.AllowOrigins = []string{other}
			}
		})
		if allowed {
			if o.Err != nil || asked.Load() != 1 {
				t.Errorf("origin is allowed: got %d requests and outcome %+v, want 1 and no error", asked.Load(), o)
			}
			continue
		}
		if asked.Load() != 0 || o.End.Class != a2a.ClassOrigin || o.End.Reason != a2a.Refused {
			t.Errorf("got %d requests and end %+v, want none and class %q", asked.Load(), o.End, a2a.ClassOrigin)
		}
		sentence(t, o.End.Sentence, "beyond the first host", "redirect", url, "--allow-origin "+other)
		checkNoSecrets(t, tp, bearer)
	}
	other, asked := stranger(t)
	url, _ := redirector(t, 307, func(string) string { return other })
	if o, _ := call(t, url+"/from", nil); o.Err != nil || asked.Load() != 1 {
		t.Errorf("no credentials: got %d requests and outcome %+v, want 1 and no error", asked.Load(), o)
	}
}
