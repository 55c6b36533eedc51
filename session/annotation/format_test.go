package annotation

import (
	"bytes"
	"testing"
)

// What was read and is written again has the same content, whatever the file was.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"parley":"annotations","version":1,"title":"t","tags":["a"],"note":"n","pinned":true,"records":[{"id":3,"mark":true,"comment":"c","x":[1]}],"y":null}`))
	f.Add([]byte(`{"parley":"annotations","version":2}`))
	f.Add([]byte(`{"parley":"annotations","version":1,"records":[{"id":-1},{"id":1},{"id":1}]}`))
	f.Add([]byte("{\"parley\":\"annotations\",\"version\":1,\"\xff\":\"\xff\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parse(data)
		if err != nil {
			return
		}
		first := c.format()
		again, err := parse(first)
		if err != nil || len(again.Mistakes) > 0 {
			t.Fatalf("got error %v and mistakes %q of its own file %s, want none", err, again.Mistakes, first)
		}
		if second := again.format(); !bytes.Equal(first, second) {
			t.Fatalf("got %s after %s, want the same", second, first)
		}
	})
}
