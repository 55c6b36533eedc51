package a2a_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
)

func TestACardThatHasNotChangedIsNotSentAgain(t *testing.T) {
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
	if len(tp.of(a2a.KindBody)) != 0 && len(tp.of(a2a.KindBody)[0].Raw) != 0 {
		t.Errorf("got card %q again, want an empty body", tp.of(a2a.KindBody)[0].Raw)
	}
	version = `"2"`
	changed, _ := discover(t, srv.URL, func(o *a2a.Options) { o.Previous = &again })
	if changed.Card == nil || changed.Card.Name != "Desk 2" {
		t.Errorf("got discovery %+v, want the changed card", changed)
	}
	// "Not modified" is no card if none is known.
	lost, _ := discover(t, serve(t, answer(http.StatusNotModified, "", "")).URL, nil)
	if lost.Card != nil {
		t.Errorf("got discovery %+v, want no card", lost)
	}
}

func TestOtherPlacesAreAskedOnTheWordOfTheUserOnly(t *testing.T) {
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
