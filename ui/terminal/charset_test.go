package terminal

import "testing"

func TestALocaleWithoutUTF8HasASCIIAlone(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{nil, false},
		{map[string]string{"LANG": "de_DE.UTF-8"}, false},
		{map[string]string{"LANG": "de_DE.utf8"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, true},
		{map[string]string{"LANG": "de_DE@euro"}, true},
		{map[string]string{"LANG": "C"}, true},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "POSIX"}, true},
		{map[string]string{"LANG": "C", "LC_CTYPE": "en_GB.UTF-8"}, false},
		{map[string]string{"LC_ALL": "", "LC_CTYPE": "C", "LANG": "en_GB.UTF-8"}, true},
		{map[string]string{"TERM": "linux", "LANG": "en_GB.UTF-8"}, true},
	} {
		if got := ASCIIOnly(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: got %t, want %t", c.env, got, c.want)
		}
	}
}
