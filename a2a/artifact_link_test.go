package a2a_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

func TestAnArtifactURINamesFourThings(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]a2a.ArtifactLink{
		"artifact://Orders/ann/web-1/report.pdf?version=2":   {Agent: "Orders", User: "ann", Session: "web-1", File: "report.pdf", Version: "2"},
		"ARTIFACT://Orders/ann/web-1/report.pdf":             {Agent: "Orders", User: "ann", Session: "web-1", File: "report.pdf"},
		"artifact://a/ann%40x.example/s/caf%C3%A9%20%231.md": {Agent: "a", User: "ann@x.example", Session: "s", File: "café #1.md"},
		"artifact://a/u/s/user:shared.txt":                   {Agent: "a", User: "u", Session: "s", File: "user:shared.txt"},
		"artifact://a/u/s/%252e%252e":                        {Agent: "a", User: "u", Session: "s", File: "%2e%2e"},
	} {
		if got, err := a2a.ParseArtifactURI(uri); err != nil || got != want {
			t.Errorf("ParseArtifactURI(%q) = %+v, %v, want %+v", uri, got, err, want)
		}
	}
}

// hostileURIs are artifact URIs with which an agent could try to send the user's credentials to
// another path of the gateway.
var hostileURIs = []string{
	"", "artifact://", "artifact:/a/u/s/f", "https://evil.example/a/u/s/f", "file:///etc/passwd",
	"artifact://session_123/x.pdf", "artifact://a/u/s", "artifact://a/u/s/f/g", "artifact://a/u//f", "artifact:///u/s/f", "artifact://a/u/s/",
	"artifact://a/u/../f", "artifact://a/u/s/..", "artifact://a/u/%2e%2e/f", "artifact://a/u/./f", "artifact://a/u/s/%2E",
	"artifact://a/u/s/..%2f..%2ftasks", `artifact://a/u/s/..\f`, "artifact://a/u/s/x%5cy", "artifact://a/u/s/f%00", "artifact://a/u/s/f%0d%0aX: y",
	"artifact://a/u/s/f%zz", "artifact://a/u/s/%ff", "artifact://a/u/s/f\x1b[2J", "artifact://a/u/s/f?version=", "artifact://a/u/s/f?version=-1",
	"artifact://a/u/s/f?version=2/../..", "artifact://a/u/s/f?version=9999999999", "artifact://a/u/s/f?project_id=7", "artifact://a/u/s/f?version=2&x=y",
	"artifact://a/u/s/f?version=2#x", "artifact://a/u/s/f#x", "artifact://a/u/s/" + strings.Repeat("f", 5000),
}

func TestHostileArtifactURIsAreRefusedUnsent(t *testing.T) {
	t.Parallel()
	visitors, s := book(t, nil)
	for _, uri := range hostileURIs {
		o, _, tp := operate(t, a2a.Profile{Dialect: a2a.SAMHTTP, Endpoint: s.URL}, a2a.Request{Call: &a2a.Call{Op: a2a.OpArtifact}, URI: uri})
		if o.Err == nil || o.Exchange != 0 || len(tp.records) != 0 {
			t.Errorf("%q: got answer %+v, want an error and no records", uri, o)
		}
		sentence(t, o.End.Sentence)
		if len(o.End.Sentence) > 700 {
			t.Errorf("%.20q: got a sentence of %d bytes, want at most 700", uri, len(o.End.Sentence))
		}
	}
	if got := visitors.places(); len(got) > 0 {
		t.Errorf("gateway got requests %q, want none", got)
	}
}

func FuzzParseArtifactURI(f *testing.F) {
	f.Add("artifact://a/ann%40x.example/s/caf%C3%A9%20%231.md?version=12")
	for _, uri := range hostileURIs {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		link, err := a2a.ParseArtifactURI(uri)
		for _, name := range []string{link.Agent, link.User, link.Session, link.File} {
			if err == nil && (name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\r\n\x1b")) {
				t.Errorf("ParseArtifactURI(%q) = %+v, want an error or four safe path segments", uri, link)
			}
		}
		if strings.Trim(link.Version, "0123456789") != "" {
			t.Errorf("%q: got version %q, want digits only", uri, link.Version)
		}
	})
}

// fetch fetches an artifact from a gateway.
func fetch(t *testing.T, endpoint, uri string) (a2a.Answer, []string, *tape) {
	t.Helper()
	return operate(t, a2a.Profile{Dialect: a2a.SAMHTTP, Endpoint: endpoint}, a2a.Request{Call: &a2a.Call{Op: a2a.OpArtifact}, URI: uri})
}

func TestAGatewayHandsOutFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]struct{ media, body string }{
		"pdf":           {"application/pdf", "%PDF-1.7\n\xff\xfe\x00"},
		"json":          {"application/json", `{"jsonrpc":"2.0","error":{"code":-32001,"message":"quoted"}}`},
		"yaml":          {"text/plain", "id: 7\ndata: x\n\n"},
		"page":          {"text/html", "<!DOCTYPE html><title>Report</title>"},
		"event stream":  {"text/event-stream", "data: {\"jsonrpc\":\"2.0\"}\n\n"},
		"empty":         {"text/plain", ""},
		"torn document": {"application/json", `{"a":`},
	} {
		t.Run(name, func(t *testing.T) {
			var accepted string
			visitors, s := book(t, map[string]http.HandlerFunc{
				"GET /api/v1/artifacts/web 1/über.bin/versions/3": func(w http.ResponseWriter, r *http.Request) {
					accepted = r.Header.Get("Accept")
					answer(200, file.media, file.body)(w, r)
				},
			})
			o, kinds, tp := fetch(t, s.URL+"/api/v1/message:send", "artifact://Orders/ann/web%201/%C3%BCber.bin?version=3")
			if o.Err != nil || o.End != (a2a.End{Reason: a2a.Ended}) || !slices.Equal(kinds, []string{"not A2A"}) || tp.body() != file.body {
				t.Errorf("got events %q, outcome %+v, body %q; want one not-A2A event and body %q", kinds, o, tp.body(), file.body)
			}
			if got := visitors.places(); !slices.Equal(got, []string{"GET /api/v1/artifacts/web%201/%C3%BCber.bin/versions/3"}) || accepted != "*/*" {
				t.Errorf("gateway got requests %q with Accept %q, want the artifact path with */*", got, accepted)
			}
			for _, u := range tp.updates {
				if len(u.Findings) > 0 || u.Err != nil || len(u.Saw) > 0 {
					t.Errorf("got update %+v, want no findings, error or evidence", u)
				}
			}
			if call := tp.records[0].Call; call.URI == "" || call.Op != a2a.OpArtifact {
				t.Errorf("got call %+v, want %s with a URI", call, a2a.OpArtifact)
			}
		})
	}
}

func TestAnArtifactThatIsNotHandedOutIsAnError(t *testing.T) {
	t.Parallel()
	_, s := book(t, map[string]http.HandlerFunc{
		"GET /api/v1/artifacts/s/gone.md":   answer(404, "application/json", `{"detail":"Artifact 'gone.md' not found or is empty."}`),
		"GET /api/v1/artifacts/s/mine.md":   answer(401, "application/json", `{"detail":"Not authenticated"}`),
		"GET /api/v1/artifacts/s/broken.md": answer(500, "application/json", `{"detail":"Failed to load artifact: disk"}`),
		"GET /api/v1/artifacts/s/cut.md": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		},
	})
	for file, want := range map[string]struct{ class, says string }{
		"gone.md":   {a2a.ClassStatus, "not found or is empty"},
		"mine.md":   {a2a.ClassNoCredentials, "credentials"},
		"broken.md": {a2a.ClassStatus, "disk"},
		"cut.md":    {a2a.ClassCut, "broke after 4 bytes"},
	} {
		o, _, tp := fetch(t, s.URL, "artifact://a/u/s/"+file)
		if o.Err == nil || o.End.Class != want.class {
			t.Errorf("%s: got answer %+v, want an error of class %q", file, o, want.class)
		}
		sentence(t, o.End.Sentence, want.says)
		if file == "cut.md" && tp.body() != "half" {
			t.Errorf("cut.md: got body %q, want %q", tp.body(), "half")
		}
	}
}

func TestOnlyAGatewayIsAskedForArtifactsAndCredentialsStayAtHome(t *testing.T) {
	t.Parallel()
	visitors, s := book(t, nil)
	req := a2a.Request{Call: &a2a.Call{Op: a2a.OpArtifact}, URI: "artifact://a/u/s/f"}
	for _, name := range a2a.Dialects() {
		if name == a2a.SAMHTTP || name == a2a.V10GRPC || name == a2a.V03GRPC || name == a2a.SAMBroker { // no carrier
			continue
		}
		o, _, _ := operate(t, profile(name, s.URL), req)
		sentence(t, o.End.Sentence, "no operation “artifact”")
	}
	tp := newTape()
	opts := options(tp, "http://elsewhere.example")
	opts.Bearer = "a-secret-token"
	c := a2a.NewClient(a2a.Profile{Dialect: a2a.SAMHTTP, Endpoint: s.URL}, nil, opts)
	defer c.Close()
	if o := c.Do(context.Background(), req, a2a.Hooks{}); o.End.Class != a2a.ClassOrigin {
		t.Errorf("got answer %+v, want class %q", o, a2a.ClassOrigin)
	}
	if got := visitors.places(); len(got) > 0 {
		t.Errorf("gateway got requests %q, want none", got)
	}
}
