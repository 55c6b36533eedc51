package cli

import (
	"net/http"

	"parley/a2a/webhook"
	"parley/internal/signature"
)

// verifier returns what verifies the signatures of deliveries. It trusts no keys at first.
func (a *app) verifier() *signature.Deliveries {
	a.verifying.Do(func() { a.deliveries = signature.NewDeliveries(nil, now) })
	return a.deliveries
}

// judgeDelivery verifies the signature of a delivery.
func (a *app) judgeDelivery(address string, header http.Header, body []byte) (j webhook.Judgement) {
	r := a.verifier().Judge(address, header, body)
	if !r.Signed {
		return j
	}
	return webhook.Judgement{Verdict: r.Verdict.String(), Why: r.Why, Proves: r.Proves, Forged: r.Forged}
}
