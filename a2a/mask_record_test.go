package a2a

import (
	"net/http"
	"strings"
	"testing"
)

func TestRecordsOfOthersAreMasked(t *testing.T) {
	t.Parallel()
	m := NewRecordMasker(nil)
	call := &Call{Op: OpSend, Endpoint: "https://u:hunter22@h/a?api_key=abcdefgh1"}
	all := []Record{
		{ID: 1, Exchange: 1, Kind: KindRequest, Call: call, Head: &Head{URL: "https://u:hunter22@h/a?api_key=abcdefgh1", Header: http.Header{"Authorization": {"Bearer zyxwvuts99"}, "Cookie": {"sid=mnopqrst11"}}}, Raw: []byte(`{"password":"swordfish1"}`)},
		{ID: 2, Exchange: 1, Kind: KindEvent, Call: call, Raw: []byte("data: {\"a\":\"you said zyxwvuts99\"}\n\n"), Data: []byte(`{"a":"you said zyxwvuts99"}`)},
		{ID: 3, Exchange: 1, Kind: KindEnd, Call: call},
	}
	for i := range all {
		m.Mask(&all[i])
		text := string(all[i].Raw) + string(all[i].Data) + call.Endpoint
		if h := all[i].Head; h != nil {
			text += h.URL + h.Header.Get("Authorization") + h.Header.Get("Cookie")
		}
		for _, secret := range []string{"hunter22", "abcdefgh1", "zyxwvuts99", "mnopqrst11", "swordfish1"} {
			if strings.Contains(text, secret) {
				t.Errorf("record %d: got %s in %s, want it masked", all[i].ID, secret, text)
			}
		}
	}
	if len(all[0].Redactions) < 4 || len(all[1].Redactions) != 1 {
		t.Errorf("got redactions %+v and %+v, want one for each secret", all[0].Redactions, all[1].Redactions)
	}
}
