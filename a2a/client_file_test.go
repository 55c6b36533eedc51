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

// a shelf hands out files and remembers the credentials that came along.
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

// last returns what came last, and forgets all.
func (s *shelf) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	saw := strings.Join(s.saw, ", ")
	s.saw = nil
	return saw
}

func TestAFileIsFetchedWithCredentialsForItsOriginAlone(t *testing.T) {
	var own, other shelf
	foreign := other.serve(t, "")
	home := own.serve(t, foreign)
	tp := newTape()
	o := options(tp, home)
	o.Bearer, o.Headers = bearer, []a2a.HeaderPair{{Name: "X-Team", Value: "red"}}
	c := a2a.NewClient(profile(a2a.V10, home), nil, o)
	defer c.Close()
	get := func(uri string) a2a.Outcome {
		t.Helper()
		return c.File(context.Background(), a2a.Call{Agent: 1}, uri)
	}
	if out := get(home + "/here"); out.End.Reason != a2a.Ended || out.End.Sentence != "" {
		t.Errorf("ended %+v", out.End)
	}
	if got := tp.body(); got != "data: no stream\n\na,b\n" {
		t.Errorf("the file is %q", got)
	}
	if got := own.last(); got != "/here Bearer "+bearer+"red, /file Bearer "+bearer+"red" {
		t.Errorf("its origin was sent %q", got)
	}
	if out := get(strings.Replace(foreign, "http://", "http://"+strings.TrimPrefix(home, "http://")+"@", 1) + "/file#x"); out.End.Sentence != "" {
		t.Errorf("ended %+v", out.End)
	}
	if got := other.last(); got != "/file " {
		t.Errorf("another origin was sent %q", got)
	}
	out := get(home + "/there")
	if out.End.Reason != a2a.Refused || out.End.Class != a2a.ClassOrigin {
		t.Errorf("ended %+v", out.End)
	}
	sentence(t, out.End.Sentence, home+" redirects to "+foreign, "which you have not approved")
	if got := other.last(); got != "" {
		t.Errorf("another origin was sent %q", got)
	}
	requests := tp.of(a2a.KindRequest)
	if last := requests[len(requests)-1]; last.Head.URL != foreign+"/file" {
		t.Errorf("the refused request is for %s", last.Head.URL)
	}
	own.last()
	if out = c.File(context.Background(), a2a.Call{}, home+"/there", foreign); out.End.Sentence != "" {
		t.Errorf("ended %+v", out.End)
	}
	if got := own.last() + "; " + other.last(); got != "/there Bearer "+bearer+"red; /file " {
		t.Errorf("sent %q", got)
	}
	if !c.Trusts(home+"/x") || c.Trusts(foreign) || c.Trusts("") {
		t.Error("credentials go to others")
	}
	tp.check(t)
}

func TestAFileThatCannotBeHadSaysWhy(t *testing.T) {
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
			t.Errorf("%s ends well", path)
			continue
		}
		sentence(t, out.End.Sentence, want)
	}
	for _, uri := range []string{"", "file:///etc/passwd", "ftp://x/y", "http://", "http://%zz", "javascript:alert(1)", "http://\x1b[2J/", "//x/y"} {
		if out := c.File(context.Background(), a2a.Call{}, uri); out.End.Reason != a2a.Refused {
			t.Errorf("%q ends %+v", uri, out.End)
		}
	}
}
