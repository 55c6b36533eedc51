package table

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a/jsontok"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

// raw returns row i of a table, unchanged.
func raw(text string, t *Table, i int) string {
	from, to := t.Span(i)
	return text[from:to]
}

func fromJSON(t *testing.T, text string) (*Table, bool) {
	t.Helper()
	doc := new(jsontok.Doc)
	_ = doc.Parse([]byte(text))
	return JSON(doc)
}

func drawn(t *Table, w, from, rows int) string {
	l := t.Fit(mono(), w, from)
	lines := l.Head()
	for i := range min(rows, t.Len()) {
		lines = append(lines, l.Row(i))
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(line), " ")
	}
	return strings.Join(append(lines, l.Hidden()), "\n")
}

func TestRowsStandInColumns(t *testing.T) {
	const text = "flight,from,\"seats, free\",note\r\nOS 411,VIE,9,\"says \"\"hello\"\",\r\ntwice\"\r\n\r\nBA 763,LHR,12,\r\nSK 805\r\n"
	c, ok := CSV([]byte(text), 0)
	if !ok || c.Len() != 3 {
		t.Fatalf("got %d rows, %v, want 3 and true", c.Len(), ok)
	}
	want := `
   flight  from  seats, free  note
-------------------------------------------------
1  OS 411  VIE             9  says "hello", twice
2  BA 763  LHR            12
3  SK 805
`
	if got := "\n" + drawn(c, 60, 0, 9); got != want {
		t.Errorf("rows: got\n%s\nwant\n%s", got, want)
	}
	if got := c.Cells(0)[3].Text; got != "says \"hello\",\r\ntwice" {
		t.Errorf("got cell %q, want the unquoted text", got)
	}
	if got := raw(text, c, 0); got != "OS 411,VIE,9,\"says \"\"hello\"\",\r\ntwice\"" {
		t.Errorf("got row %q, want the bytes of the file", got)
	}
}

func TestJSONOfOneShapeIsATable(t *testing.T) {
	const text = `[{"flight":"OS 411","seats":9,"stops":["MUC"]},{"flight":"BA\n763","seats":12.50,"stops":null},{"seats":1e3,"flight":"","extra":true}]`
	j, ok := fromJSON(t, text)
	if !ok {
		t.Fatal("got no table, want one")
	}
	want := `
   flight  seats  stops    extra
--------------------------------
1  OS 411      9  ["MUC"]
2  BA 763  12.50  null
3            1e3           true
`
	if got := "\n" + drawn(j, 60, 0, 9); got != want {
		t.Errorf("rows: got\n%s\nwant\n%s", got, want)
	}
	if got := j.Cells(1)[0].Text; got != "BA\n763" {
		t.Errorf("got cell %q, want the unquoted text", got)
	}
	if got := raw(text, j, 1); got != `{"flight":"BA\n763","seats":12.50,"stops":null}` {
		t.Errorf("got row %s, want the bytes of the body", got)
	}
}

func TestAnArrayMayHaveAName(t *testing.T) {
	if j, ok := fromJSON(t, `{"flights":[{"seats":9},{"seats":12}]}`); !ok || j.Name() != "flights" || j.Len() != 2 {
		t.Errorf("got table %+v, want flights with 2 rows", j)
	}
}

func TestOtherJSONIsNone(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{}`, `[{}]`, `[1,2]`, `[{"a":1},2]`, `[{"a":1,"a":2}]`, `{"a":[{"b":1}],"c":0}`, `{"a":{"b":[{"c":1}]}}`, `[{"a":1},{"b":1},{"c":1}]`, `null`, `[[1,2]]`,
	} {
		if _, ok := fromJSON(t, text); ok {
			t.Errorf("got a table from %s, want none", text)
		}
	}
}

func TestWideTablesAreSeenPieceByPiece(t *testing.T) {
	var names, values []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("column%02d", i))
		values = append(values, fmt.Sprint("a value of some length ", i))
	}
	c, _ := CSV([]byte(strings.Join(names, ",")+"\n"+strings.Join(values, ",")+"\n"), ',')
	for seen, from := 0, 0; ; {
		l := c.Fit(mono(), 80, from)
		if l.Before() != from || l.After() != len(names)-from-len(l.widths) || len(l.widths) == 0 {
			t.Fatalf("from %d: got %d columns before and %d after, want %d and %d", from, l.Before(), l.After(), from, len(names)-from-len(l.widths))
		}
		seen += len(l.widths)
		if from += len(l.widths); l.After() == 0 {
			if seen != len(names) {
				t.Errorf("got %d columns in all windows, want %d", seen, len(names))
			}
			break
		}
	}
	if got := c.Fit(mono(), 80, 3).Hidden(); got != "3 columns before, 24 more columns" {
		t.Errorf("got %q for the hidden columns, want 3 before and 24 more", got)
	}
	if l := c.Fit(mono(), 500, 0); l.After() != 0 {
		t.Errorf("got %d columns that do not fit into 500 cells, want none", l.After())
	}
}

func TestWhatARowHasTooMuchIsThere(t *testing.T) {
	rows := "a,b\n" + strings.Repeat("1,2\n", sampleRows) + "1,2,3,\"4\"\n"
	c, _ := CSV([]byte(rows), ',')
	if got := c.Cells(sampleRows); got[1].Text != "2,3,\"4\"" {
		t.Errorf("got cells %+v, want the surplus ones in the last", got)
	}
	c, _ = CSV([]byte("a\n1,2\n"), ',')
	if got := strings.Join(c.Names(), "|"); got != "a|column 2" {
		t.Errorf("got columns %q, want a name for the surplus one", got)
	}
}

func TestADelimiterIsFound(t *testing.T) {
	for text, columns := range map[string]int{"a;b;c\n1,5;2;3\n": 3, "a\tb\n1\t2\n": 2, "a|b\n1|2\n": 2, "a\n1\n": 1, "\ufeffa,b\n1,2\n": 2} {
		c, ok := CSV([]byte(text), 0)
		if !ok || len(c.Names()) != columns || c.Names()[0] != "a" {
			t.Errorf("%q: got columns %q, want %d from a on", text, c.Names(), columns)
		}
	}
	for _, text := range []string{"", "\n\n", "a,b", "a,b\n", "\r\n\r\n"} {
		if _, ok := CSV([]byte(text), 0); ok {
			t.Errorf("got a table from %q, want none", text)
		}
	}
}

func TestAQuoteThatIsNotClosedEatsNoRows(t *testing.T) {
	text := "a,b\n1,\"2\n" + strings.Repeat("3,4\n", maxQuoted/4+10)
	c, _ := CSV([]byte(text), ',')
	if c.Len() != maxQuoted/4+11 || c.Cells(0)[1].Text != "2" && c.Cells(0)[1].Text != "\"2" {
		t.Errorf("got %d rows, the first %+v, want %d and 2 in its second cell", c.Len(), c.Cells(0), maxQuoted/4+11)
	}
}

// counter counts the rows that are read.
type counter struct {
	rows
	read int
}

func (c *counter) cells(i int, cells []Cell, most int) {
	c.read++
	c.rows.cells(i, cells, most)
}

func TestOnlyRowsThatAreSeenAreRead(t *testing.T) {
	c, _ := CSV([]byte("n,square\n"+strings.Repeat("12,144\n", 100_000)), ',')
	counted := &counter{rows: c.rows}
	big := newTable(c.names, counted)
	if big.Len() != 100_000 || counted.read > 2*sampleRows {
		t.Fatalf("got %d rows, of which %d were read, want 100000 and at most %d", big.Len(), counted.read, 2*sampleRows)
	}
	counted.read = 0
	l := big.Fit(mono(), 80, 0)
	l.Head()
	for i := range 40 {
		l.Row(99_950 + i)
	}
	if counted.read != 40 {
		t.Errorf("got %d rows read, want 40", counted.read)
	}
}

func FuzzTables(f *testing.F) {
	f.Add([]byte("a,b\n1,\"2\n\"\"\",3\n\n\x1b[31m,\u202e\n"), 0, 20)
	f.Add([]byte(`[{"a":"\u001b[31m"},{"a":{"b":[1]}}]`), 1, 3)
	f.Fuzz(func(t *testing.T, text []byte, from, w int) {
		w = max(w%200, 1)
		doc := new(jsontok.Doc)
		_ = doc.Parse(bytes.Clone(text))
		c, _ := CSV(text, 0)
		j, _ := JSON(doc)
		for _, table := range []*Table{c, j} {
			if table == nil {
				continue
			}
			l := table.Fit(mono(), w, from)
			lines := l.Head()
			for i := range min(table.Len(), 50) {
				lines = append(lines, l.Row(i))
				if from, to := table.Span(i); from >= to || to > len(text) {
					t.Fatalf("row %d of %q: got span %d to %d, want a range of the text", i, text, from, to)
				}
				table.Cells(i)
			}
			for _, line := range lines {
				if canvas.Width(line) != w || canvas.SanitizeRendered(line) != line {
					t.Fatalf("%q in %d cells: got line %q, want that width and clean text", text, w, line)
				}
			}
		}
	})
}
