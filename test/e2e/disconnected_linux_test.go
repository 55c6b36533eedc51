package e2e

import (
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// disconnected waits until nobody has a connection to a server that has left: a program learns only when it is
// scheduled that a connection was closed at the other side, and may send a request before.
func disconnected(t *testing.T, server string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		t.Fatal(err)
	}
	remote := fmt.Sprintf(":%04X", port)
	for late := time.Now().Add(time.Minute); time.Now().Before(late); time.Sleep(10 * time.Millisecond) {
		table, err := os.ReadFile("/proc/net/tcp")
		if err != nil {
			t.Fatal(err)
		}
		open := false
		for line := range strings.Lines(string(table)) {
			const established, closeWait = "01", "08"
			f := strings.Fields(line)
			open = open || len(f) > 3 && strings.HasSuffix(f[2], remote) && (f[3] == established || f[3] == closeWait)
		}
		if !open {
			return
		}
	}
	t.Fatalf("after a minute somebody has a connection to %s", server)
}
