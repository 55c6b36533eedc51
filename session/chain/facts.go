package chain

import (
	"hash/fnv"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// Limits of what is remembered of a request.
const (
	maxHeaders = 64
	maxValue   = 256     // bytes of an id or a value of a header
	maxItems   = 32      // members of metadata, parts, extensions, references, credentials
	maxBody    = 4 << 20 // of which more is not read
	shortText  = 12      // bytes up to which equal texts prove nothing
)

// facts is what of a request is compared with other requests. Its size is bounded.
type facts struct {
	headers     map[string]string // that say something to agents, by their names
	credentials []credential
	extensions  []string // of A2A that the head asks for
	trace       traceContext
	message     messageFacts
}

// A credential is what was masked in a request as one.
type credential struct {
	name, hash string
	audience   []string // of a token
}

// messageFacts is what is compared of the message in a request.
type messageFacts struct {
	id, context, task string
	references        []string
	text              uint64 // of its text, 0 if that is short
	metadata          map[string]uint64
	extensions        []string
	parts             []partFacts // without those of text
}

type partFacts struct {
	kind string
	sum  uint64
}

// factsOf reads the facts of a request, with doc as the memory for its body.
func factsOf(r *a2a.Record, doc *jsontok.Doc) facts {
	var f facts
	if r.Head != nil {
		f.trace = traceOf(r.Head.Header)
		f.extensions = bounded(a2a.ExtensionsIn(r.Head.Header))
		f.readHeaders(r.Head.Header)
	}
	f.readCredentials(r.Redactions)
	if body := r.Payload(); len(body) > 0 && len(body) <= maxBody {
		if doc.Parse(body) == nil {
			f.readBody(doc.Root())
		}
		doc.Hold() // must not keep the bytes of the record in memory
	}
	return f
}

func bounded(list []string) []string { return list[:min(len(list), maxItems)] }

// readHeaders keeps the headers that say something to an agent, in the order of their names as far
// as there are too many. Values of credentials are not among them.
func (f *facts) readHeaders(h http.Header) {
	names := make([]string, 0, len(h))
	for name := range h {
		if !isTransport(name) && !a2a.SecretName(name) && len(name) <= maxValue {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	f.headers = make(map[string]string, min(len(names), maxHeaders))
	for _, name := range names[:min(len(names), maxHeaders)] {
		value := strings.Join(h[name], ", ")
		f.headers[http.CanonicalHeaderKey(name)] = value[:min(len(value), maxValue)]
	}
}

// transport are headers of one connection, or of what every client says of itself.
var transport = map[string]bool{
	"Host": true, "Connection": true, "Keep-Alive": true, "Te": true, "Trailer": true, "Transfer-Encoding": true, "Upgrade": true,
	"User-Agent": true, "Date": true, "Via": true, "Forwarded": true, "Expect": true, "Cache-Control": true, "Pragma": true, "Range": true,
	"Origin": true, "Referer": true, "Priority": true, "Dnt": true, "Last-Event-Id": true, "X-Real-Ip": true, "Http2-Settings": true,
	"Grpc-Accept-Encoding": true, "Grpc-Encoding": true, "X-Requested-With": true,
}

// isTransport reports whether a header belongs to one connection or to the body that it announces.
func isTransport(name string) bool {
	name = http.CanonicalHeaderKey(name)
	for _, prefix := range [...]string{"Accept", "Content-", "If-", "Sec-", "Proxy-", "X-Forwarded-", ":"} {
		if strings.HasPrefix(name, prefix) && name != "Accept-Language" {
			return true
		}
	}
	return transport[name]
}

// readCredentials keeps the credentials for the agent; those of a webhook are for who calls it.
func (f *facts) readCredentials(masked []a2a.Redaction) {
	for i := range masked {
		gone := &masked[i]
		hash := gone.SameCredential()
		known := slices.ContainsFunc(f.credentials, func(c credential) bool { return c.hash == hash })
		if hash == "" || known || strings.HasPrefix(gone.Name, "push ") || len(f.credentials) == maxItems {
			continue
		}
		c := credential{name: gone.Name, hash: hash}
		if gone.Credential != nil && gone.Credential.Token != nil {
			c.audience = gone.Credential.Token.Audience
		}
		f.credentials = append(f.credentials, c)
	}
}

// readBody reads the message in the parameters of JSON-RPC, or in a body of HTTP+JSON or gRPC.
func (f *facts) readBody(root jsontok.Node) {
	params := root
	if p := root.Get("params"); p.Kind() == jsontok.Object && root.GetAny("method", "jsonrpc").Exists() {
		params = p
	}
	m := &f.message
	message := params.GetAny("message", "request")
	if message.Kind() != jsontok.Object {
		return
	}
	m.metadata = map[string]uint64{}
	m.readMetadata("", params.Get("metadata"))
	m.readMetadata("message.", message.Get("metadata"))
	m.id, m.task = id(message.GetAny("messageId", "message_id")), id(message.GetAny("taskId", "task_id"))
	if m.context = id(message.GetAny("contextId", "context_id")); m.context == "" {
		m.context = id(params.Get("sessionId")) // of 0.1
	}
	m.references = texts(message.GetAny("referenceTaskIds", "reference_task_ids"))
	m.extensions = texts(message.Get("extensions"))
	m.readParts(message.GetAny("parts", "content"))
	if f.trace.trace == "" {
		f.trace = parseTraceparent(message.Get("metadata").Get("traceparent").Text())
	}
}

func (m *messageFacts) readMetadata(prefix string, n jsontok.Node) {
	for name, value := range n.Members() {
		if len(m.metadata) == maxItems {
			return
		}
		if len(name) <= maxValue {
			m.metadata[prefix+name] = sum(value.Raw())
		}
	}
}

func (m *messageFacts) readParts(n jsontok.Node) {
	h, length := fnv.New64a(), 0
	for part := range n.Elems() {
		if text := part.Get("text"); text.IsText() {
			s := strings.TrimSpace(text.Text())
			length += len(s)
			_, _ = h.Write([]byte(s))
			continue
		}
		if len(m.parts) == maxItems {
			continue
		}
		for _, kind := range [...]string{"file", "data", "raw", "url"} {
			if value := part.Get(kind); value.Exists() {
				m.parts = append(m.parts, partFacts{strings.Replace(strings.Replace(kind, "raw", "file", 1), "url", "file", 1), sum(value.Raw())})
				break
			}
		}
	}
	if length >= shortText {
		m.text = h.Sum64()
	}
}

// id returns the text of an id, empty if it is too long to be remembered.
func id(n jsontok.Node) string {
	if text := n.Text(); len(text) <= maxValue {
		return text
	}
	return ""
}

// texts returns the texts in a list, as far as they are remembered.
func texts(n jsontok.Node) (all []string) {
	for e := range n.Elems() {
		if text := id(e); text != "" && len(all) < maxItems {
			all = append(all, text)
		}
	}
	return all
}

func sum(b []byte) uint64 {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return h.Sum64()
}
