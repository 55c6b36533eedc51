package a2a_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
)

// A shelf serves files and remembers the credentials of each request.
type shelf struct {
	mu  sync.Mutex
	saw []string
}

func (s *shelf) serve(t *testing.T, elsewhere string) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.saw = append(s.saw, r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get("X-Team"))
		s.mu.Unlock()
		switch r.URL.Path {
		case "/file":
			w.Header().Set("Content-Type", "text/csv")
			_, _ = io.WriteString(w, "data: no stream\n\na,b\n")
		case "/here":
			http.Redirect(w, r, "/file", http.StatusFound)
		case "/there":
			http.Redirect(w, r, elsewhere+"/file", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/huge":
			w.Header().Set("Content-Length", fmt.Sprint(a2a.LimitFile.Bytes()+1))
			_, _ = io.WriteString(w, "begins")
		case "/endless":
			piece := make([]byte, 1<<20)
			for range a2a.LimitFile.Bytes()>>20 + 4 {
				if _, err := w.Write(piece); err != nil {
					return
				}
			}
		case "/secret":
			http.Error(w, "who are you", http.StatusForbidden)
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, "not all of it")
		default:
			http.Error(w, "<html>nothing</html>", http.StatusNotFound)
		}
	}).URL
}

// last returns the requests since the last call of last.
func (s *shelf) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	saw := strings.Join(s.saw, ", ")
	s.saw = nil
	return saw
}

func TestAFileIsFetchedWithCredentialsForItsOriginAlone(t *testing.T) {
	t.Parallel()
	var own, other shelf
	foreign := other.serve(t, "")
	home := own.serve(t, foreign)
	tp := newTape()
	o := options(tp, home)
	o.Bearer, o.Headers = bearer, []a2a.HeaderPair{{Name: "X-Team", Value: "red"}}
	c := a2a.NewClient(profile(a2a.V10, home), nil, o)
	defer c.Close()
	get := func(uri string) a2a.Answer {
		t.Helper()
		return c.File(context.Background(), a2a.Call{Agent: 1}, uri)
	}
	if out := get(home + "/here"); out.End.Reason != a2a.Ended || out.End.Sentence != "" {
		t.Errorf("got end %+v, want %q", out.End, a2a.Ended)
	}
	if got := tp.body(); got != "data: no stream\n\na,b\n" {
		t.Errorf("got file %q, want its bytes", got)
	}
	if got := own.last(); got != "/here Bearer "+bearer+"red, /file Bearer "+bearer+"red" {
		t.Errorf("named origin got %q, want both requests with credentials", got)
	}
	if out := get(strings.Replace(foreign, "http://", "http://"+strings.TrimPrefix(home, "http://")+"@", 1) + "/file#x"); out.End.Sentence != "" {
		t.Errorf("got end %+v, want no sentence", out.End)
	}
	if got := other.last(); got != "/file " {
		t.Errorf("other origin got %q, want one request without credentials", got)
	}
	out := get(home + "/there")
	if out.End.Reason != a2a.Refused || out.End.Class != a2a.ClassOrigin {
		t.Errorf("redirect to another origin: got end %+v, want class %q", out.End, a2a.ClassOrigin)
	}
	sentence(t, out.End.Sentence, home+" redirects to "+foreign, "which you have not approved")
	if got := other.last(); got != "" {
		t.Errorf("other origin got %q, want no request", got)
	}
	requests := tp.of(a2a.KindRequest)
	if last := requests[len(requests)-1]; last.Head.URL != foreign+"/file" {
		t.Errorf("got refused request for %s, want %s", last.Head.URL, foreign+"/file")
	}
	own.last()
	if out = c.File(context.Background(), a2a.Call{}, home+"/there", foreign); out.End.Sentence != "" {
		t.Errorf("redirect to an approved origin: got end %+v, want no sentence", out.End)
	}
	if got := own.last() + "; " + other.last(); got != "/there Bearer "+bearer+"red; /file " {
		t.Errorf("origins got %q, want credentials at the named origin only", got)
	}
	if !c.Trusts(home+"/x") || c.Trusts(foreign) || c.Trusts("") {
		t.Error("got Trusts true for another origin or false for the named one")
	}
	tp.check(t)
}

func TestAFileThatCannotBeHadSaysWhy(t *testing.T) {
	t.Parallel()
	var s shelf
	home := s.serve(t, "http://127.0.0.1:1")
	tp := newTape()
	c := a2a.NewClient(profile(a2a.V10, home), nil, options(tp, home))
	defer c.Close()
	for path, want := range map[string]string{
		"/none": "has no such file (404", "/secret": "refused the download (403", "/huge": "larger than 64 MB",
		"/endless": "sends a file of more than 64 MB", "/round": "redirects without end", "/cut": "after 13 bytes",
	} {
		out := c.File(context.Background(), a2a.Call{}, home+path)
		if out.End.Sentence == "" {
			t.Errorf("%s: got no sentence, want one", path)
			continue
		}
		sentence(t, out.End.Sentence, want)
	}
	for _, uri := range []string{"", "file:///etc/passwd", "ftp://x/y", "http://", "http://%zz", "javascript:alert(1)", "http://\x1b[2J/", "//x/y"} {
		if out := c.File(context.Background(), a2a.Call{}, uri); out.End.Reason != a2a.Refused {
			t.Errorf("URI %q: got end %+v, want reason %q", uri, out.End, a2a.Refused)
		}
	}
}

func TestTheRestOfAFileIsRequestedForOneVersionOfIt(t *testing.T) {
	t.Parallel()
	var saw http.Header
	home := serve(t, func(w http.ResponseWriter, r *http.Request) {
		saw = r.Header.Clone()
		w.Header().Set("Content-Range", "bytes 4-6/7")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = io.WriteString(w, "end")
	}).URL
	tp := newTape()
	c := a2a.NewClient(profile(a2a.V10, home), nil, options(tp, home))
	defer c.Close()
	out := c.FileRest(context.Background(), a2a.Call{Agent: 1}, home+"/x", a2a.Rest{From: 4, Tag: `"v1"`})
	if out.End.Reason != a2a.Ended || out.End.Sentence != "" || tp.body() != "end" {
		t.Errorf("got end %+v and %q, want the rest", out.End, tp.body())
	}
	if saw.Get("Range") != "bytes=4-" || saw.Get("If-Range") != `"v1"` {
		t.Errorf("got headers %v, want the range and the version", saw)
	}
	tp.check(t)
}
