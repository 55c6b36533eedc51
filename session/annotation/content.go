package annotation

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"parley/a2a"
)

// The limits of what a user may write, in bytes.
const (
	MaxTitle   = 200
	MaxTag     = 50
	MaxTags    = 50
	MaxComment = 4 << 10 // of a comment, and of the note about a session
)

// Content is what the user added to one session. It is never changed in place: [File.Update]
// changes a copy.
type Content struct {
	Title  string
	Tags   []string // without duplicates, in the order in which they were added
	Note   string   // about the session
	Pinned bool     // prune keeps the session
	// Remarks are about records, by their numbers.
	Remarks map[a2a.RecordID]Remark
	// Mistakes are the unusable parts, each as a sentence. The first change renames the file that
	// has them and writes a new one.
	Mistakes []string

	other map[string]json.RawMessage // members that this Parley does not know
}

// A Remark is what the user added to one record.
type Remark struct {
	Marked  bool
	Comment string

	other map[string]json.RawMessage
}

func (r Remark) empty() bool { return !r.Marked && r.Comment == "" && len(r.other) == 0 }

// Empty reports whether the user added nothing.
func (c *Content) Empty() bool {
	return c.Title == "" && len(c.Tags) == 0 && c.Note == "" && !c.Pinned && len(c.Remarks) == 0 && len(c.other) == 0
}

// Marks returns the numbers of the marked records, in order.
func (c *Content) Marks() []a2a.RecordID { return c.having(func(r Remark) bool { return r.Marked }) }

// Comments returns the numbers of the records with a comment, in order.
func (c *Content) Comments() []a2a.RecordID {
	return c.having(func(r Remark) bool { return r.Comment != "" })
}

func (c *Content) having(is func(Remark) bool) (ids []a2a.RecordID) {
	for id, r := range c.Remarks {
		if is(r) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// clone returns a copy to change.
func (c *Content) clone() Content {
	copied := *c
	copied.Tags, copied.Remarks, copied.other = slices.Clone(c.Tags), maps.Clone(c.Remarks), maps.Clone(c.other)
	return copied
}

// SetTitle names the session; without a name, its first prompt names it.
func SetTitle(title string) func(*Content) error {
	return func(c *Content) error {
		title, err := oneLine(title, "title", MaxTitle)
		c.Title = title
		return err
	}
}

// SetNote describes the session.
func SetNote(note string) func(*Content) error {
	return func(c *Content) error {
		note, err := text(note, "note", MaxComment)
		c.Note = note
		return err
	}
}

// SetPinned pins the session, or no longer.
func SetPinned(pinned bool) func(*Content) error {
	return func(c *Content) error { c.Pinned = pinned; return nil }
}

// SetTags replaces all tags.
func SetTags(tags []string) func(*Content) error {
	return func(c *Content) error {
		c.Tags = nil
		return ChangeTags(tags, nil)(c)
	}
}

// ChangeTags adds tags and removes others. Their case counts for nothing.
func ChangeTags(add, remove []string) func(*Content) error {
	return func(c *Content) error {
		for _, tag := range remove {
			c.Tags = slices.DeleteFunc(c.Tags, func(t string) bool { return strings.EqualFold(t, strings.TrimSpace(tag)) })
		}
		for _, tag := range add {
			tag, err := oneLine(tag, "tag", MaxTag)
			switch {
			case err != nil:
				return err
			case tag == "" || slices.ContainsFunc(c.Tags, func(t string) bool { return strings.EqualFold(t, tag) }):
			case strings.ContainsAny(tag, ", "):
				return fmt.Errorf("the tag %q contains a space or a comma; write it without", tag)
			case len(c.Tags) == MaxTags:
				return fmt.Errorf("a session has at most %d tags; remove one first", MaxTags)
			default:
				c.Tags = append(c.Tags, tag)
			}
		}
		return nil
	}
}

// SetMark marks a record, or no longer.
func SetMark(id a2a.RecordID, marked bool) func(*Content) error {
	return change(id, func(r *Remark) error { r.Marked = marked; return nil })
}

// SetComment comments on a record; an empty text removes the comment.
func SetComment(id a2a.RecordID, comment string) func(*Content) error {
	return change(id, func(r *Remark) error {
		comment, err := text(comment, "comment", MaxComment)
		r.Comment = comment
		return err
	})
}

func change(id a2a.RecordID, change func(*Remark) error) func(*Content) error {
	return func(c *Content) error {
		if id == 0 {
			return errors.New("records are numbered from 1")
		}
		r := c.Remarks[id]
		if err := change(&r); err != nil {
			return err
		}
		if r.empty() {
			delete(c.Remarks, id)
			return nil
		}
		if c.Remarks == nil {
			c.Remarks = map[a2a.RecordID]Remark{}
		}
		c.Remarks[id] = r
		return nil
	}
}

// text checks what the user wrote, and removes the space around it.
func text(s, what string, most int) (string, error) {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\ufffd"))
	if len(s) > most {
		return "", fmt.Errorf("the %s is longer than %d characters; write a shorter one", what, most)
	}
	return s, nil
}

// oneLine is text without line breaks and other control characters.
func oneLine(s, what string, most int) (string, error) {
	if strings.ContainsFunc(s, unicode.IsControl) {
		s = strings.Join(strings.FieldsFunc(s, unicode.IsControl), " ")
	}
	return text(s, what, most)
}
