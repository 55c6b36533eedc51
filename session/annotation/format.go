package annotation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"parley/a2a"
)

// Version is the format version that this Parley writes.
const Version = 1

// kind identifies the file in its member "parley".
const kind = "annotations"

// The errors of a file whose content is not used.
var (
	// ErrUnreadable is wrapped by errors about a file that has no annotations. The first change
	// renames it and writes a new one.
	ErrUnreadable = errors.New("it does not contain annotations of a session")
	// ErrNewer is wrapped by errors about a file of a newer Parley. It is never changed.
	ErrNewer = errors.New("a newer Parley wrote it")
)

// parse reads the content of a file.
func parse(data []byte) (c Content, err error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return Content{}, fmt.Errorf("%w: %s", ErrUnreadable, jsonFault(err))
	}
	r := reader{members: members}
	var name string
	var version int
	take(&r, "parley", &name, "a text")
	take(&r, "version", &version, "a number")
	switch {
	case name != kind || version < 1:
		return Content{}, fmt.Errorf("%w: its first members are not \"parley\":%q and a version", ErrUnreadable, kind)
	case version > Version:
		return Content{}, fmt.Errorf("%w: its format is version %d, and this Parley reads version %d; update Parley", ErrNewer, version, Version)
	}
	take(&r, "title", &c.Title, "a text")
	take(&r, "tags", &c.Tags, "a list of texts")
	take(&r, "note", &c.Note, "a text")
	take(&r, "pinned", &c.Pinned, "true or false")
	var remarks []map[string]json.RawMessage
	take(&r, "records", &remarks, "a list of objects")
	for i, m := range remarks {
		c.remark(&r, i, m)
	}
	c.Mistakes, c.other = r.mistakes, r.members
	return c, nil
}

// remark reads entry i of "records".
func (c *Content) remark(all *reader, i int, members map[string]json.RawMessage) {
	r := reader{members: members, within: fmt.Sprintf("entry %d of \"records\"", i+1)}
	var id a2a.RecordID
	var remark Remark
	take(&r, "id", &id, "the number of a record")
	take(&r, "mark", &remark.Marked, "true or false")
	take(&r, "comment", &remark.Comment, "a text")
	_, twice := c.Remarks[id]
	switch {
	case len(r.mistakes) > 0:
		all.mistakes = append(all.mistakes, r.mistakes[0])
	case id == 0:
		all.mistakes = append(all.mistakes, "In "+r.within+", the id of the record is missing.")
	case twice:
		all.mistakes = append(all.mistakes, fmt.Sprintf("In %s, record %d is there a second time.", r.within, id))
		return
	}
	remark.other = r.members
	if id == 0 || remark.empty() {
		return
	}
	if c.Remarks == nil {
		c.Remarks = map[a2a.RecordID]Remark{}
	}
	c.Remarks[id] = remark
}

// A reader takes the known members out of an object.
type reader struct {
	members  map[string]json.RawMessage
	within   string // where the object is, empty for the whole file
	mistakes []string
}

// take removes a member and reads it into a value, which keeps its zero value if the member is
// missing or has another type.
func take[T any](r *reader, name string, into *T, want string) {
	raw, there := r.members[name]
	delete(r.members, name)
	var value T
	switch {
	case !there || string(raw) == "null":
	case json.Unmarshal(raw, &value) != nil:
		where := ""
		if r.within != "" {
			where = "In " + r.within + ", "
		}
		r.mistakes = append(r.mistakes, fmt.Sprintf("%s%q is not %s.", where, name, want))
	default:
		*into = value
	}
}

// format writes the content of a file. Its known members come first, in a fixed order.
func (c *Content) format() []byte {
	w := writer{}
	w.put("parley", kind)
	w.put("version", Version)
	put(&w, "title", c.Title)
	if len(c.Tags) > 0 {
		w.put("tags", c.Tags)
	}
	put(&w, "note", c.Note)
	put(&w, "pinned", c.Pinned)
	if len(c.Remarks) > 0 {
		var remarks []json.RawMessage
		for _, id := range slices.Sorted(maps.Keys(c.Remarks)) {
			remarks = append(remarks, c.Remarks[id].format(id))
		}
		w.put("records", remarks)
	}
	var out bytes.Buffer
	_ = json.Indent(&out, w.close(c.other), "", "  ") // it is valid
	out.WriteByte('\n')
	return out.Bytes()
}

func (r Remark) format(id a2a.RecordID) json.RawMessage {
	w := writer{}
	w.put("id", id)
	put(&w, "mark", r.Marked)
	put(&w, "comment", r.Comment)
	return w.close(r.other)
}

// A writer writes an object member by member.
type writer struct{ b []byte }

// put writes a member unless it has its zero value.
func put[T comparable](w *writer, name string, value T) {
	var zero T
	if value != zero {
		w.put(name, value)
	}
}

func (w *writer) put(name string, value any) {
	sep := byte(',')
	if w.b == nil {
		sep = '{'
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // texts, numbers and JSON that was read cannot fail
	key, _ := json.Marshal(name)
	w.b = append(append(append(append(w.b, sep), key...), ':'), bytes.TrimSpace(text.Bytes())...)
}

// close writes the other members, and returns the object.
func (w *writer) close(other map[string]json.RawMessage) json.RawMessage {
	for _, name := range slices.Sorted(maps.Keys(other)) {
		w.put(name, other[name])
	}
	return append(w.b, '}')
}

// jsonFault says in a few words why a text is not a JSON object.
func jsonFault(err error) string {
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf("its JSON breaks at byte %d", s.Offset)
	}
	return "it is not a JSON object"
}
