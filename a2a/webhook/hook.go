package webhook

// A Hook is one registered webhook.
type Hook struct {
	Key   string // the last segment of its path, which cannot be guessed
	URL   string // its address for agents
	Token string // that every call must repeat in a header
	// Scheme and Credentials are the required content of the Authorization header of every
	// call; empty if none is required.
	Scheme, Credentials string
}

// TokenHeaders are the names under which agents send the token, canonical: that of the
// specifications 0.1 to 0.3, and that of an SDK of 1.0.
var TokenHeaders = [...]string{"X-A2a-Notification-Token", "A2a-Notification-Token"}
