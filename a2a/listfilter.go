package a2a

import (
	"cmp"
	"net/url"
	"strconv"

	"parley/a2a/jsontok"
)

// ListFilterOf reads the filter of a list from the record of its request, whoever wrote it.
// Unknown members are ignored.
func ListFilterOf(r *Record) ListFilter {
	var doc jsontok.Doc
	_ = doc.Parse(r.Raw) // a broken body is read up to the break
	if params := doc.Root().Get("params"); params.Exists() {
		return readFilter(params)
	}
	switch {
	case r.Head == nil:
		return ListFilter{}
	case IsGRPC(r.Head.URL):
		return readFilter(doc.Root())
	}
	u, err := url.Parse(r.Head.URL)
	if err != nil {
		return ListFilter{}
	}
	q := u.Query()
	f := ListFilter{
		ContextID: q.Get("contextId"), State: ParseState(q.Get("status")), PageToken: q.Get("pageToken"),
		StatusTimestampAfter: cmp.Or(q.Get("statusTimestampAfter"), q.Get("lastUpdatedAfter")), // the name before 1.0
	}
	f.PageSize, _ = strconv.Atoi(q.Get("pageSize")) // 0 leaves it to the agent
	if include, err := strconv.ParseBool(q.Get("includeArtifacts")); err == nil {
		f.IncludeArtifacts = TriOf(include)
	}
	return f
}

func readFilter(p jsontok.Node) ListFilter {
	f := ListFilter{
		ContextID: word(p.Get("contextId")), State: ParseState(word(p.Get("status"))), PageToken: word(p.Get("pageToken")),
		StatusTimestampAfter: word(p.GetAny("statusTimestampAfter", "lastUpdatedTime")), // the name before 1.0
	}
	if size, ok := p.Get("pageSize").Int(); ok {
		f.PageSize = int(size)
	}
	if include, ok := p.Get("includeArtifacts").Bool(); ok {
		f.IncludeArtifacts = TriOf(include)
	}
	return f
}
