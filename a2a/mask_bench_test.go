package a2a

import "testing"

// BenchmarkMaskFrame measures the search for secrets in an event without any, without and with
// credentials.
func BenchmarkMaskFrame(b *testing.B) {
	data := []byte(`{"jsonrpc":"2.0","id":"3f0c1c52-9d0e-4d7e-8f59-2b7f4f4f1d11","result":{"artifactUpdate":{"taskId":"0b9bd2c6-4a0f-4c69-9a6a-6a9d7b5f7a01",` +
		`"contextId":"5e2f7a3c-1f3e-4f0f-9a55-0c1f0e6b2a77","append":true,"artifact":{"artifactId":"a","parts":[{"text":" and the next words\n"}]}}}}`)
	raw := append(append([]byte("data: "), data...), "\n\n"...)
	for name, secrets := range map[string][]string{"none": nil, "two": {"dGhpcyBpcyBhIHRva2Vu-of-some-length", "Bearer another/secret+value"}} {
		b.Run(name, func(b *testing.B) {
			m := newMasker(nil)
			m.know(secrets...)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			var e echo
			for b.Loop() {
				m.frame(OpStream, raw, data, &e)
			}
		})
	}
}

// The search for secrets allocates nothing for an event without any, however many secrets are
// known.
func TestLookingForSecretsAllocatesNothing(t *testing.T) {
	data := []byte(`{"jsonrpc":"2.0","id":"3f0c1c52-9d0e-4d7e-8f59-2b7f4f4f1d11","result":{"text":" and the next words\n"}}`)
	raw := append(append([]byte("data: "), data...), "\n\n"...)
	m := newMasker(nil)
	for i := range 50 {
		m.know("credential-number-" + string(rune('a'+i)))
	}
	var e echo
	m.frame(OpStream, raw, data, &e)
	if n := testing.AllocsPerRun(100, func() { m.frame(OpStream, raw, data, &e) }); n > 0 {
		t.Errorf("got %v allocations an event, want 0", n)
	}
}
