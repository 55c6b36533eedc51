package a2a

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// random is the random part of the tokens.
const random = "q7Zk3Xv9Lm2Tn8Rb5Wc1Yd6Hf4Jg0PsQ7ZK3XV9LM2TN8RB5WC1YD6HF4JG0PS"

// webTokenText is a JSON Web Token.
var webTokenText = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." +
	base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"1234567890"}`)) + "." + random

// tokens has one token of each kind.
var tokens = []string{
	"ghp_" + random[:36], "gho_" + random[:36], "ghs_" + random[:36], "github_pat_" + random[:22] + "_" + random[:59],
	"sk-ant-api03-" + random + "_" + random[:20] + "-AA", "sk-proj-" + random[:40] + "_" + random[:30], "sk-" + random[:48],
	"sk_live_" + random[:24], "AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + "IOSFODNN7EXAMPLE", "AIza" + random[:35],
	"xoxb-1234567890-1234567890-" + random[:24], "xoxp-1234567890-" + random[:24], "xapp-1-A0123-" + random[:30],
	"glpat-" + random[:20], "glpat-" + random[:20] + ".01.0abcdefgh", "hf_" + random[:34], "npm_" + random[:36],
	"ya29." + random[:50], "GOCSPX-" + random[:28], "pypi-AgEI" + random, "SG." + random[:22] + "." + random[:43],
	webTokenText, "gsk_" + random[:52], "dop_v1_" + strings.Repeat("0a1b2c3d", 8),
	"-----BEGIN RSA PRIVATE KEY-----\n" + random + "\n" + random + "\n-----END RSA PRIVATE KEY-----",
	"-----BEGIN PRIVATE KEY-----\n" + random + "\n-----END PRIVATE KEY-----",
}

// places are formats of a text with a token.
var places = []string{"%s", "the token is %s.", "(%s)", "a=%s&b=1", "Bearer %s", "https://h/%s/x", "x: %s, y", "“%s”", "\n%s\n", "token:%s;", "a_%s"}

func TestTokensOfKnownShapesAreMaskedAnywhere(t *testing.T) {
	t.Parallel()
	m := newMasker(nil)
	for _, token := range tokens {
		for _, place := range places {
			text := fmt.Sprintf(place, token)
			bodies := []string{text, url.QueryEscape(text)}
			for _, escape := range []bool{true, false} {
				bodies = append(bodies, `{"text":"`+inJSON(text, escape)+`","n":1}`, `{"text":"{\"inner\":\"`+inJSON(inJSON(text, escape), escape)+`\"}"}`)
			}
			for _, body := range bodies {
				if strings.HasPrefix(token, "-----") && !strings.Contains(body, "PRIVATE KEY-----") {
					continue // the escapes of a URL break PEM
				}
				got, gone := m.body(OpSend, []byte(body))
				if bytes.Contains(got, []byte(random[:18])) || bytes.Contains(got, []byte("IOSFODNN7")) || len(gone) == 0 {
					t.Errorf("token %s in %q: got %q with %d redactions, want it masked", token[:10], place, got, len(gone))
				}
				if string(restoreSecrets(got, gone)) != body {
					t.Errorf("cannot restore %q from %q", body, got)
				}
				if json.Valid([]byte(body)) && !json.Valid(got) {
					t.Errorf("masked body is not valid JSON: %q", got)
				}
			}
		}
	}
}

func TestIdentifiersAndProseAreNoTokens(t *testing.T) {
	t.Parallel()
	m := newMasker(nil)
	for _, text := range []string{
		"0b9bd2c6-4a0f-4c69-9a6a-6a9d7b5f7a01", "task-0b9bd2c64a0f4c699a6a6a9d7b5f7a01", "task_01HZX3K6YJ8Q9M2N4P5R7S8T9V", "msg-1234567890abcdef1234567890",
		"context_abcdefghijklmnopqrstuvwxyz0123456789", "d41d8cd98f00b204e9800998ecf8427e", "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "risk-assessment-of-the-second-quarter-2024", "sk-learn-pipelines-with-examples-2024",
		"desk-mounted-keyboard-tray-with-a-wrist-rest", "AKIATHEWAYAROUNDTHEWORLD", "AKIABCDEFGHIJKLMNOPQRSTUVWXYZ", "eyJust-a-word.with.some-dots.in-it-and-more",
		"xoxb-too-short", "ghp_short", "hf_transformers_documentation_pages", "npm_config_registry_and_other_settings_x", "SG.1.2.3",
		"com.example.package.ClassName.methodName", "https://agent.example/.well-known/agent-card.json", "TASK_STATE_INPUT_REQUIRED",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
		"the PRIVATE KEY of the user", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a2a.v1.SendMessageConfiguration",
		"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
		"sha256-47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU", base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"ES256","kid":"k"}`)),
	} {
		for _, place := range places {
			body := fmt.Appendf(nil, `{"text":%q}`, fmt.Sprintf(place, text))
			if got, gone := m.body(OpSend, body); len(gone) > 0 || &got[0] != &body[0] {
				t.Errorf("%q: got redactions %+v, want none", fmt.Sprintf(place, text), gone)
			}
		}
	}
}

func FuzzShapes(f *testing.F) {
	for _, token := range tokens {
		f.Add("x "+token, token)
	}
	f.Add(`{"password":"`, `","n":`)
	f.Add(`{"a":"{\"password\":\"x\\\"`, `\"}","b":1}`)
	f.Fuzz(func(t *testing.T, before, after string) {
		m := newMasker(nil)
		m.know("known-secret/1")
		planted := before + ` "known-secret/1" ` + after
		for _, body := range []string{before + after, planted, `{"text":` + quoted(planted) + `}`, `{"password":` + quoted(before) + `,"n":` + quoted(after) + `}`} {
			got, gone := m.body(OpSend, []byte(body))
			if string(restoreSecrets(got, gone)) != body {
				t.Fatalf("cannot restore %q from %q", body, got)
			}
			if json.Valid([]byte(body)) && !json.Valid(got) {
				t.Fatalf("got invalid JSON %q of valid %q", got, body)
			}
			if bytes.Contains(got, []byte("known-secret/1")) {
				t.Fatalf("got %q, which shows the secret", got)
			}
			again, more := m.body(OpSend, got)
			if len(more) > 0 && bytes.Equal(again, got) {
				t.Fatalf("got %d redactions of the masked %q, want none", len(more), got)
			}
		}
	})
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
