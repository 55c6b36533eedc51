package a2a_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

func TestACardThatHasNotChangedIsNotSentAgain(t *testing.T) {
	t.Parallel()
	version := `"1"`
	var asked []string
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Header.Get("If-None-Match"))
		if r.URL.Path != newCard {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", version)
		if r.Header.Get("If-None-Match") == version {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, strings.Replace(cardOfOne, "Desk", "Desk "+strings.Trim(version, `"`), 1))
	})
	first, _ := discover(t, srv.URL, nil)
	again, tp := discover(t, srv.URL, func(o *a2a.Options) { o.Previous = &first })
	if again.Card != first.Card || again.Record != first.Record || again.Profile.Endpoint != first.Profile.Endpoint || asked[1] != `"1"` {
		t.Errorf("got request headers %q and discovery %+v, want the known card", asked, again)
	}
	if end := tp.records[len(tp.records)-1].End; len(tp.of(a2a.KindBody)) != 0 || end.Reason != a2a.Ended || end.Class != "" || again.Attempts[0].Sentence != "" {
		t.Errorf("got records %+v and end %+v, want a success without a body", tp.records, end)
	}
	version = `"2"`
	changed, _ := discover(t, srv.URL, func(o *a2a.Options) { o.Previous = &again })
	if changed.Card == nil || changed.Card.Name != "Desk 2" {
		t.Errorf("got discovery %+v, want the changed card", changed)
	}
	// "Not modified" is no card if none is known, and a fault.
	lost, tp := discover(t, serve(t, answer(http.StatusNotModified, "", "")).URL, nil)
	if end := tp.records[len(tp.records)-1].End; lost.Card != nil || end.Class != a2a.ClassStatus {
		t.Errorf("got discovery %+v and end %+v, want no card and class %q", lost, end, a2a.ClassStatus)
	}
}

// A request that asks for an answer only if it has changed succeeds if it has not; any other answer of
// that kind is a fault.
func TestAnAnswerThatHasNotChangedIsASuccess(t *testing.T) {
	t.Parallel()
	url := serve(t, answer(http.StatusNotModified, "", "")).URL
	for name, want := range map[string]string{"If-None-Match": "", "if-modified-since": "", "X-Other": a2a.ClassStatus} {
		tp := newTape()
		c := a2a.NewClient(profile(a2a.V10, url), nil, options(tp, url))
		o := c.Raw(t.Context(), a2a.Call{}, a2a.RawRequest{Method: "GET", URL: url + "/tasks/t", Header: http.Header{name: {"x"}}}, a2a.Hooks{})
		c.Close()
		if o.Status != http.StatusNotModified || o.End.Reason != a2a.Ended || o.End.Class != want || (o.Err == nil) != (want == "") {
			t.Errorf("%s: got answer %+v, want class %q", name, o, want)
		}
	}
}

func TestOtherPlacesAreAskedOnTheWordOfTheUserOnly(t *testing.T) {
	t.Parallel()
	srv := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == oldCard {
			_, _ = io.WriteString(w, cardOfOne)
			return
		}
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	})
	if d, _ := discover(t, srv.URL, nil); d.Card != nil || d.Class != a2a.ClassNoCredentials || len(d.Attempts) != 1 {
		t.Errorf("got discovery %+v, want one attempt of class %q", d, a2a.ClassNoCredentials)
	}
	if d, _ := discover(t, srv.URL, func(o *a2a.Options) { o.Everywhere = true }); d.Card == nil || len(d.Attempts) != 2 {
		t.Errorf("Everywhere: got discovery %+v, want a card after two attempts", d)
	}
}
