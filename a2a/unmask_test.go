package a2a

import (
	"bytes"
	"maps"
	"net/http"
	"strings"
	"testing"
)

// FuzzUnmask checks that Unmask restores what was masked.
func FuzzUnmask(f *testing.F) {
	f.Add("http://me:pass-word@agent.example/secret-one?token=x&a%5Bkey%5D=y&z=1#secret-two", "X-Key", "secret-one and secret-two", []byte(
		`{"method":"CreateTaskPushNotificationConfig","params":{"token":"tok","authentication":{"credentials":"cred"},"text":"secret-one"}}`))
	f.Add("a=b?=&&", "Authorization", "", []byte("secret-onesecret-two"))
	f.Fuzz(func(t *testing.T, url, name, value string, body []byte) {
		m := newMasker(nil)
		m.know("secret-one", "secret-two")
		if strings.Contains(url+name+value+string(body), Mask) || strings.Count(url, "://") > 1 || strings.Contains(name, "eferer") || strings.Contains(name, "ocation") {
			return // text that looks like a mask is ambiguous; URLs in headers stay masked
		}
		shown, gone := m.url(url)
		header, more := m.header(http.Header{http.CanonicalHeaderKey(name): {value, "plain", value}})
		gone = append(gone, more...)
		raw, more := m.body(OpPushSet, body)
		rec := Record{Kind: KindRequest, Raw: raw, Head: &Head{Method: "POST", URL: shown, Header: header}, Redactions: append(gone, more...)}
		r, missing := Unmask(&rec)
		for _, where := range missing {
			if !emptySecret(&rec, where) {
				t.Fatalf("got no secret %q, want one", where)
			}
		}
		if !bytes.Equal(r.Body, body) {
			t.Fatalf("got body %q, want %q", r.Body, body)
		}
		if r.URL != url && len(missing) == 0 && withoutDoubles(rec.Redactions) {
			t.Fatalf("got URL %q, want %q (shown %q)", r.URL, url, shown)
		}
		want := http.Header{http.CanonicalHeaderKey(name): {value, "plain", value}}
		want.Del("Content-Length")
		want.Del("Host")
		got := r.Header.Clone()
		got.Del("Host")
		if len(missing) == 0 && !maps.EqualFunc(got, want, func(a, b []string) bool { return strings.Join(a, "\n") == strings.Join(b, "\n") }) {
			t.Fatalf("got header %q, want %q", got, want)
		}
	})
}

// emptySecret reports whether a missing secret is empty: it cannot be told from one that is not
// in memory.
func emptySecret(rec *Record, where string) bool {
	for _, gone := range rec.Redactions {
		if gone.Name == where && gone.Size == 0 {
			return true
		}
	}
	return false
}

// withoutDoubles reports whether all masked parts of a URL have different names.
func withoutDoubles(gone []Redaction) bool {
	seen := map[string]bool{}
	for _, g := range gone {
		if seen[g.Name] && g.Name != "in the URL" {
			return false
		}
		seen[g.Name] = true
	}
	return true
}

// FuzzRawRequest checks that any request can be read.
func FuzzRawRequest(f *testing.F) {
	for _, v := range loadVectors(f) {
		if v.Kind == "request" {
			f.Add("POST", "http://agent.example"+v.HTTP.Path, v.body)
		}
	}
	f.Add("GET", "http://h/%zz/../tasks/%2e%2e:cancel?", []byte("{"))
	f.Fuzz(func(t *testing.T, method, url string, body []byte) {
		r := RawRequest{Method: method, URL: url, Body: body}
		for _, d := range append(Dialects(), Unknown) {
			call := r.Call(Call{Dialect: d})
			if again := r.Call(call); again.Op != call.Op || again.TaskID != call.TaskID {
				t.Fatalf("got call %+v from %+v, want the same operation and task", again, call)
			}
			if rec := r.Record(Call{Dialect: d}); *rec.Call != call || string(rec.Raw) != string(body) {
				t.Fatalf("got record %+v, want the call and the body", rec)
			}
		}
	})
}
