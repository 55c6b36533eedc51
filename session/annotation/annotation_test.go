package annotation_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/annotation"
)

// file returns the annotations of a session in a folder of its own, with a text as their file.
func file(t *testing.T, text string) *annotation.File {
	t.Helper()
	f := annotation.Open(filepath.Join(t.TempDir(), "20261120-140207-ab12.jsonl"))
	if text != "" {
		if err := os.WriteFile(f.Path(), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func update(t *testing.T, f *annotation.File, changes ...func(*annotation.Content) error) {
	t.Helper()
	for _, change := range changes {
		if _, err := f.Update(change); err != nil {
			t.Fatalf("got error %v, want none", err)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatIsWrittenIsReadByTheNextRun(t *testing.T) {
	f := file(t, "")
	if name := filepath.Base(f.Path()); name != "20261120-140207-ab12.annotations.json" {
		t.Errorf("got file %s, want the session's name with another end", name)
	}
	update(t, f, annotation.SetTitle("  Travel\nbug "), annotation.ChangeTags([]string{"travel", "Travel", "0.3"}, nil),
		annotation.SetNote("fails at <step> 3"), annotation.SetPinned(true),
		annotation.SetMark(12, true), annotation.SetComment(9, "why?"), annotation.SetComment(12, "here"), annotation.SetMark(9, true), annotation.SetMark(9, false))
	want := `{
  "parley": "annotations",
  "version": 1,
  "title": "Travel bug",
  "tags": [
    "travel",
    "0.3"
  ],
  "note": "fails at <step> 3",
  "pinned": true,
  "records": [
    {
      "id": 9,
      "comment": "why?"
    },
    {
      "id": 12,
      "mark": true,
      "comment": "here"
    }
  ]
}
`
	if got := read(t, f.Path()); got != want {
		t.Errorf("got file\n%swant\n%s", got, want)
	}
	again := annotation.Open(strings.TrimSuffix(f.Path(), annotation.Suffix) + ".jsonl")
	c, err := again.Load()
	if err != nil || c.Title != "Travel bug" || !c.Pinned || !slices.Equal(c.Marks(), []a2a.RecordID{12}) || !slices.Equal(c.Comments(), []a2a.RecordID{9, 12}) {
		t.Errorf("got %+v, %v, want what was written", c, err)
	}
}

func TestTheFileDisappearsWithTheLastAnnotation(t *testing.T) {
	f := file(t, "")
	update(t, f, annotation.SetMark(3, true), annotation.SetTags([]string{"x"}), annotation.SetMark(3, false), annotation.ChangeTags(nil, []string{"X"}))
	if _, err := os.Stat(f.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no file without annotations", err)
	}
}

func TestWithoutASessionFileAnnotationsLastAsLongAsTheProgram(t *testing.T) {
	f := annotation.Open("")
	update(t, f, annotation.SetMark(3, true), annotation.SetMark(5, true))
	if c, _ := f.Load(); !slices.Equal(c.Marks(), []a2a.RecordID{3, 5}) {
		t.Errorf("got marks %v, want 3 and 5", c.Marks())
	}
}

func TestUnknownMembersAreKept(t *testing.T) {
	f := file(t, `{"parley":"annotations","version":1,"colour":{"a":[1,2]},"records":[{"id":4,"mark":true,"by":"ann"},{"id":5,"by":"bob"}]}`)
	update(t, f, annotation.SetTitle("t"), annotation.SetMark(4, false))
	text := strings.Join(strings.Fields(read(t, f.Path())), "")
	for _, want := range []string{`"colour":{"a":[1,2]}`, `{"id":4,"by":"ann"}`, `{"id":5,"by":"bob"}`, `"title":"t"`} {
		if !strings.Contains(text, want) {
			t.Errorf("got file %s, want %s kept", text, want)
		}
	}
}

func TestANewerFileIsReadAsFarAsItGoesAndNeverChanged(t *testing.T) {
	const newer = `{"parley":"annotations","version":2,"title":"t"}`
	f := file(t, newer)
	_, err := f.Load()
	if !errors.Is(err, annotation.ErrNewer) || !strings.Contains(err.Error(), "update Parley") {
		t.Errorf("got error %v, want that a newer Parley wrote it and what to do", err)
	}
	if _, err := f.Update(annotation.SetPinned(true)); !errors.Is(err, annotation.ErrNewer) || read(t, f.Path()) != newer {
		t.Errorf("got error %v and file %s, want the reason and the file unchanged", err, read(t, f.Path()))
	}
}

func TestAnUnusableFileIsSaidAndPutAsideByTheFirstChange(t *testing.T) {
	for name, text := range map[string]string{
		"torn":       `{"parley":"annotations","version":1,"ti`,
		"foreign":    `{"name":"package","version":"1.0.0"}`,
		"a list":     `[1,2]`,
		"empty":      " ",
		"wrong type": `{"parley":"annotations","version":1,"pinned":"yes","title":"kept"}`,
		"no id":      `{"parley":"annotations","version":1,"records":[{"mark":true}]}`,
		"twice":      `{"parley":"annotations","version":1,"records":[{"id":1,"comment":"a"},{"id":1,"comment":"b"}]}`,
		"control":    "{\"parley\":\"annotations\",\"version\":1,\"title\":[\"\x1b\"]}",
	} {
		f := file(t, text)
		c, err := f.Load()
		if err == nil && len(c.Mistakes) != 1 || err != nil && !errors.Is(err, annotation.ErrUnreadable) {
			t.Errorf("%s: got error %v and mistakes %q, want one reason", name, err, c.Mistakes)
		}
		update(t, f, annotation.SetPinned(true))
		if got := read(t, f.Path()+".broken-1"); got != text {
			t.Errorf("%s: got %s put aside, want %s", name, got, text)
		}
		if again, err := f.Load(); err != nil || !again.Pinned || len(again.Mistakes) > 0 || again.Title != c.Title {
			t.Errorf("%s: got %+v, %v after a change, want it with what could be read", name, again, err)
		}
	}
}

func TestUnusableTextsAreRefusedInOneClause(t *testing.T) {
	f := file(t, "")
	for _, change := range []func(*annotation.Content) error{
		annotation.SetTitle(strings.Repeat("x", annotation.MaxTitle+1)),
		annotation.ChangeTags([]string{"two words"}, nil),
		annotation.SetComment(1, strings.Repeat("x", annotation.MaxComment+1)),
		annotation.SetMark(0, true),
	} {
		if _, err := f.Update(change); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("got error %v, want one clause", err)
		}
	}
	if !f.Content().Empty() {
		t.Errorf("got %+v, want nothing changed", f.Content())
	}
}

func TestAFolderThatCannotBeWrittenIsSaid(t *testing.T) {
	f := annotation.Open(filepath.Join(t.TempDir(), "gone", "s.jsonl"))
	if c, err := f.Update(annotation.SetPinned(true)); err == nil || c.Pinned {
		t.Errorf("got %+v, %v, want the reason and nothing changed", c, err)
	}
}

func TestSeveralProgramsLoseNoChange(t *testing.T) {
	session := filepath.Join(t.TempDir(), "s.jsonl")
	const writers, each = 8, 10
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			f := annotation.Open(session) // as another program has it
			for i := range each {
				if _, err := f.Update(annotation.SetComment(a2a.RecordID(1+w*each+i), fmt.Sprint("by ", w))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := len(annotation.Open(session).Content().Comments()); n != writers*each {
		t.Errorf("got %d comments, want %d", n, writers*each)
	}
}
