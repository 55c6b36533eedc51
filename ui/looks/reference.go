package looks

import (
	"net/url"
	"strings"

	"parley/a2a"
)

// Reference returns an agent's reference as it may be shown: without password, query and
// fragment.
func Reference(ref string) string {
	u, err := url.Parse(ref)
	if err != nil || !strings.Contains(ref, "://") {
		return a2a.MaskReference(ref)
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return a2a.MaskReference(u.String())
}
