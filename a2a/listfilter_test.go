package a2a

import (
	"net/http"
	"testing"
)

// A filter is read back from its request, in every dialect that has a list.
func TestAListFilterIsReadBackFromItsRequest(t *testing.T) {
	t.Parallel()
	want := ListFilter{
		ContextID: "c/1 ü", State: StateInputRequired, PageSize: 7, PageToken: "p&2", StatusTimestampAfter: "2026-11-20T12:00:00Z", IncludeArtifacts: True,
	}
	for _, name := range Dialects() {
		d, _ := LookupDialect(name)
		if !d.Supports(OpList) {
			continue
		}
		req := Request{Call: &Call{Op: OpList}, List: want}
		body, method, err := d.Encode(req, "1")
		if err != nil {
			t.Fatal(err)
		}
		r := Record{Raw: body, Head: &Head{Method: http.MethodPost, URL: "https://agent.example/"}}
		if _, binding := name.version(); binding == BindingGRPC {
			r.Head.URL = "grpcs://agent.example/" + RPC(method)
		} else if verb, path, routed := route(method); routed {
			out, err := restBinding{dialect: d, base: "https://agent.example"}.request(&req, verb, path, body)
			if err != nil {
				t.Fatal(err)
			}
			r.Head = &Head{Method: out.method, URL: out.url}
		}
		if got := ListFilterOf(&r); got != want {
			t.Errorf("%s: got filter %+v, want %+v", name, got, want)
		}
	}
}

func TestAnyRequestHasAFilter(t *testing.T) {
	t.Parallel()
	for _, r := range []Record{
		{}, {Raw: []byte(`{"params":{"pageSize":"x","contextId":["a"],"status":9e9,"pageTok`)}, {Raw: []byte("\x00\xff")},
		{Head: &Head{URL: "::"}}, {Head: &Head{URL: "http://a/?pageSize=x&includeArtifacts=perhaps"}},
	} {
		if f := ListFilterOf(&r); f.PageSize != 0 || f.IncludeArtifacts != Absent || f.ContextID != "" {
			t.Errorf("%q: got filter %+v, want an empty one", r.Raw, f)
		}
	}
}
