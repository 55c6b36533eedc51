package a2a

import (
	"net/http"
	"strings"
	"testing"
)

func TestMaskURL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"http://h/a?token=abc&x=1#f": "http://h/a?token=" + Mask + "&x=1#f",
		"http://u:pw@h/":             "http://u:" + Mask + "@h/",
		"localhost:9999":             "localhost:9999",
		"./card.json":                "./card.json",
	} {
		if got := MaskURL(in); got != want {
			t.Errorf("MaskURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMaskerHidesSecretsInBodies(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in, want string
		op             Op
		gone           []string
	}{
		{"1.0 send", `{"params":{"configuration":{"taskPushNotificationConfig":{"url":"u","token":"s3","authentication":{"scheme":"Bearer","credentials":"c4"}}}}}`,
			`{"params":{"configuration":{"taskPushNotificationConfig":{"url":"u","token":"•••","authentication":{"scheme":"Bearer","credentials":"•••"}}}}}`, OpSend, []string{"s3", "c4"}},
		{"0.3 send, spaces kept", `{"params": {"configuration": {"pushNotificationConfig": {"token" : "s3" }}}}`,
			`{"params": {"configuration": {"pushNotificationConfig": {"token" : "•••" }}}}`, OpStream, []string{"s3"}},
		{"0.1 send", `{"params":{"pushNotification":{"token":"s3"}}}`, `{"params":{"pushNotification":{"token":"•••"}}}`, OpSend, []string{"s3"}},
		{"flat config of 1.0", `{"params":{"taskId":"t","token":"s3"}}`, `{"params":{"taskId":"t","token":"•••"}}`, OpPushSet, []string{"s3"}},
		{"list", `{"result":{"configs":[{"token":"a1"},{"pushNotificationConfig":{"token":"b2"}}]}}`,
			`{"result":{"configs":[{"token":"•••"},{"pushNotificationConfig":{"token":"•••"}}]}}`, OpPushList, []string{"a1", "b2"}},
		{"list of 0.3", `{"result":[{"pushNotificationConfig":{"token":"a1"}}]}`, `{"result":[{"pushNotificationConfig":{"token":"•••"}}]}`, OpPushList, []string{"a1"}},
		{"snake case", `{"params":{"configuration":{"push_notification_config":{"token":"s3"}}}}`,
			`{"params":{"configuration":{"push_notification_config":{"token":"•••"}}}}`, OpSend, []string{"s3"}},
		{"repeated member", `{"params":{"pushNotification":{"token":"a1","token":"b2"}}}`,
			`{"params":{"pushNotification":{"token":"•••","token":"•••"}}}`, OpSend, []string{"a1", "b2"}},
		{"torn body", `{"params":{"pushNotification":{"token":"a1bc`, `{"params":{"pushNotification":{"token":"•••`, OpSend, []string{"a1bc"}},
		{"echo of a known secret", `{"error":{"message":"bad token hunter2-hunter2!"}}`, `{"error":{"message":"bad token •••!"}}`, OpSend, []string{"hunter2-hunter2"}},
		{"a known secret inside of another one", `{"error":{"message":"bad token before-hunter2-hunter2-behind!"}}`, `{"error":{"message":"bad token •••!"}}`, OpSend, []string{"before-hunter2-hunter2-behind"}},
		{"a token in a message", `{"result":{"parts":[{"data":{"token":"mine","pushNotification":1}}]}}`,
			`{"result":{"parts":[{"data":{"token":"mine","pushNotification":1}}]}}`, OpSend, nil},
		{"not a string", `{"params":{"pushNotification":{"token":17}}}`, `{"params":{"pushNotification":{"token":17}}}`, OpSend, nil},
		{"no JSON", `token" ushNotification {{{`, `token" ushNotification {{{`, OpSend, nil},
	}
	m := newMasker(nil)
	m.know("hunter2-hunter2", "short", "before-hunter2-hunter2-behind")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []byte(tt.in)
			got, gone := m.body(tt.op, in)
			if string(got) != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if string(in) != tt.in {
				t.Errorf("got original %q after masking, want %q", in, tt.in)
			}
			checkRedactions(t, got, gone, tt.gone)
			if tt.gone == nil && &got[0] != &in[0] {
				t.Error("got a copy of a body without secrets, want the same bytes")
			}
		})
	}
}

func checkRedactions(t *testing.T, raw []byte, gone []Redaction, want []string) {
	t.Helper()
	if len(gone) != len(want) {
		t.Fatalf("got %d redactions, want %d: %+v", len(gone), len(want), gone)
	}
	for i, r := range gone {
		if r.Original != want[i] || r.Size != len(want[i]) {
			t.Errorf("got redaction %d %+v, want the original %q", i, r, want[i])
		}
		if at := string(raw[r.Offset : r.Offset+r.Length]); at != Mask {
			t.Errorf("redaction %d is at %q, want %q", i, at, Mask)
		}
	}
}

func TestMaskerHidesSecretsInFrames(t *testing.T) {
	t.Parallel()
	data := "{\"result\":\n{\"token\":\"s3\"}}"
	raw := "id: s3\r\ndata: {\"result\":\r\ndata: {\"token\":\"s3\"}}\r\n\r\n"
	gotRaw, gotData, gone := newMasker(nil).frame(OpPushGet, []byte(raw), []byte(data), nil)
	if want := "{\"result\":\n{\"token\":\"•••\"}}"; string(gotData) != want {
		t.Errorf("got data %q, want %q", gotData, want)
	}
	if strings.Contains(string(gotRaw), `"s3"`) {
		t.Errorf("got raw frame %q, want the secret masked", gotRaw)
	}
	checkRedactions(t, gotRaw, gone, []string{"s3"})
}

func TestMaskerHidesHeadersAndLeavesTheRest(t *testing.T) {
	t.Parallel()
	m := newMasker(PublicNames{"x-public-token"})
	m.headers["X-Tenant-Pass"] = true
	m.know("abcdefgh-secret")
	h := http.Header{
		"Authorization":       {"Bearer abcdefgh-secret"},
		"X-Api-Key-Id":        {"k"},
		"X-Tenant-Pass":       {"p"},
		"Set-Cookie":          {"a=1", "b=2"},
		"X-Auth-Token":        {"t"},
		"Content-Type":        {"application/json"},
		"Location":            {"/next?access_token=q&x=1"},
		"Content-Location":    {"/there?access_token=q"},
		"Referer":             {"https://h/before?access_token=q"},
		"Www-Authenticate":    {`Bearer error="abcdefgh-secret is stale"`},
		"X-Client-Secret-Old": {"z"},
		"X-Public-Token":      {"shown"},
	}
	got, gone := m.header(h)
	want := map[string]string{
		"Authorization": Mask, "X-Api-Key-Id": Mask, "X-Tenant-Pass": Mask, "Set-Cookie": Mask, "X-Auth-Token": Mask,
		"Content-Type": "application/json", "Location": "/next?access_token=•••₁&x=1",
		"Content-Location": "/there?access_token=•••₁", "Referer": "https://h/before?access_token=•••₁",
		"Www-Authenticate": `Bearer error="••• is stale"`, "X-Client-Secret-Old": Mask, "X-Public-Token": "shown",
	}
	for name, value := range want {
		if got.Get(name) != value {
			t.Errorf("%s: got %q, want %q", name, got.Get(name), value)
		}
	}
	if len(gone) != 11 {
		t.Errorf("got %d redactions, want 11: %+v", len(gone), gone)
	}
	for _, r := range gone {
		if r.Offset != 0 || r.Length != 0 {
			t.Errorf("redaction of %s: got bytes %d to %d of the body, want no place", r.Name, r.Offset, r.Offset+r.Length)
		}
	}
	if h.Get("Authorization") != "Bearer abcdefgh-secret" {
		t.Errorf("got original header %q after masking, want it unchanged", h.Get("Authorization"))
	}
}

func TestMaskerHidesSecretsInURLs(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"https://h/p?a=1&b=2", "https://h/p?a=1&b=2"},
		{"https://h/p?api_key=k&b=2#f", "https://h/p?api_key=•••₁&b=2#f"},
		{"https://h/p?api%5Fkey=k", "https://h/p?api%5Fkey=•••₁"},
		{"https://h/p?sig=%2Fq&&pageToken=n&key=", "https://h/p?sig=•••₂&&pageToken=n&key="},
		{"https://me:pw@h/p@q:r", "https://me:•••₃@h/p@q:r"},
		{"https://me:pw@h", "https://me:•••₃@h"},
		{"https://me@h/", "https://•••₄@h/"},
		{"https://h/%zz?%zz=1&token=t", "https://h/%zz?%zz=1&token=•••₅"},
		{"/relative?client_secret=s", "/relative?client_secret=•••₆"},
		{"https://h/known-secret-1/x", "https://h/•••₇/x"},
		{"", ""},
	}
	m := newMasker(nil)
	m.know("known-secret-1")
	for _, tt := range tests {
		if got, gone := m.url(tt.in); got != tt.want || (got == tt.in) != (len(gone) == 0) {
			t.Errorf("url(%q) = %q, %d redactions; want %q", tt.in, got, len(gone), tt.want)
		}
	}
}

func FuzzMasker(f *testing.F) {
	f.Add(`{"params":{"pushNotification":{"token":"a1"}}}`, "https://me:pw@h/p?token=t")
	f.Add(`{"result":[{"pushNotificationConfig":{"token":"a`, "?&=&#token=")
	m := newMasker(nil)
	m.know("longer-secret")
	f.Fuzz(func(t *testing.T, body, link string) {
		for _, op := range []Op{OpSend, OpPushList} {
			got, gone := m.body(op, []byte(body))
			if got := string(restoreSecrets(got, gone)); got != body {
				t.Fatalf("got unmasked body %q, want %q", got, body)
			}
			m.frame(op, []byte("data: "+body+"\n\n"), []byte(body), nil)
		}
		m.url(link)
		m.header(http.Header{"X": {body}, "Location": {link}})
	})
}

// restoreSecrets returns raw with the originals in place of the masks.
func restoreSecrets(raw []byte, gone []Redaction) []byte {
	for i := len(gone) - 1; i >= 0; i-- {
		r := gone[i]
		raw = append(raw[:r.Offset:r.Offset], append([]byte(r.Original), raw[r.Offset+r.Length:]...)...)
	}
	return raw
}
