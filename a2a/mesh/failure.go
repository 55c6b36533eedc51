package mesh

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/eclipse/paho.golang/paho"

	"parley/a2a"
)

// A lastingError is one that another attempt does not mend.
type lastingError struct{ error }

// Unwrap returns the error.
func (e *lastingError) Unwrap() error { return e.error }

func lasting(class, format string, args ...any) error {
	return &lastingError{&a2a.FlowError{Class: class, Sentence: fmt.Sprintf(format, args...)}}
}

// lastingIf marks an error of dialling that no further attempt mends: what is not trusted now is
// not trusted later.
func lastingIf(err error) error {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		cert      *tls.CertificateVerificationError
		known     *a2a.FlowError
	)
	switch {
	case errors.As(err, &authority), errors.As(err, &name), errors.As(err, &invalid), errors.As(err, &cert):
		return &lastingError{err}
	case errors.As(err, &known):
		return &lastingError{err}
	default:
		return err
	}
}

// host names the broker in sentences.
func (g *gateway) host() string {
	if u, err := url.Parse(g.mesh.Broker); err == nil {
		return u.Host
	}
	return g.mesh.Broker
}

// refused says why the broker did not accept a connection.
func (g *gateway) refused(ack *paho.Connack, err error) error {
	var packet *packetError
	switch {
	case ack == nil && errors.As(err, &packet) && packet.size == 0:
		return lasting(a2a.ClassUnsupported, "%s answers with something other than MQTT: check the port of the broker.", g.host())
	case ack == nil && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || strings.Contains(err.Error(), "reset by peer")):
		if strings.HasPrefix(g.mesh.Broker, "mqtt:") || strings.HasPrefix(g.mesh.Broker, "ws:") {
			return &a2a.FlowError{Class: a2a.ClassCut, Cause: err, Sentence: g.host() +
				" closed the connection without an answer: if the port speaks TLS, write mqtts:// or wss://."}
		}
		return &a2a.FlowError{Class: a2a.ClassCut, Cause: err, Sentence: g.host() + " closed the connection without an answer: check the port of the broker."}
	case ack == nil && packet != nil:
		return g.broke(err)
	case ack == nil:
		return err
	}
	reason := ""
	if ack.Properties != nil && ack.Properties.ReasonString != "" {
		reason = " (" + ack.Properties.ReasonString + ")"
	}
	switch ack.ReasonCode {
	case 0x84:
		return lasting(a2a.ClassUnsupported, "The broker %s does not speak MQTT 5, which a mesh requires.", g.host())
	case 0x85:
		return lasting(a2a.ClassUnsupported, "The broker %s does not accept the client id %s%s: choose another one with --mqtt-client-id.", g.host(), g.id, reason)
	case 0x86, 0x87, 0x8A, 0x8C:
		if g.settings.User == "" {
			return lasting(a2a.ClassNoCredentials, "The broker %s requires a user%s: give it with --mqtt-user, and its password with PARLEY_MQTT_PASSWORD.", g.host(), reason)
		}
		return lasting(a2a.ClassAuth, "The broker %s does not accept the user %s (0x%02X%s): check the name and its password.", g.host(), g.settings.User, ack.ReasonCode, reason)
	default:
		return &a2a.FlowError{Class: a2a.ClassRefused, Cause: err, Sentence: fmt.Sprintf("The broker %s refused the connection (0x%02X%s); Parley tries again.", g.host(), ack.ReasonCode, reason)}
	}
}

// disconnected says why the broker ended a connection.
func (g *gateway) disconnected(reason byte) error {
	switch reason {
	case 0x8E:
		return lasting(a2a.ClassCut, "Another program uses the client id %s on the broker %s: give each its own with --mqtt-client-id.", g.id, g.host())
	case 0x95:
		return lasting(a2a.ClassLimit, "The broker %s ended the connection, because a message was larger than it accepts: send less, or a link in place of a file.", g.host())
	default:
		return &a2a.FlowError{Class: a2a.ClassCut, Sentence: fmt.Sprintf("The broker %s ended the connection (0x%02X).", g.host(), reason)}
	}
}

// unsteady says that connections do not last.
func (g *gateway) unsteady() error {
	return lasting(a2a.ClassCut, "The broker %s ended the connection %d times soon after it was made: if another program uses the client id %s, give each its own with --mqtt-client-id.",
		g.host(), maxShort, g.id)
}

// broke says why a connection was lost.
func (g *gateway) broke(err error) error {
	var known *a2a.FlowError
	var packet *packetError
	switch {
	case errors.As(err, &known):
		return err
	case errors.As(err, &packet) && packet.size > 0:
		return lasting(a2a.ClassLimit, "The broker %s sent a message of %d bytes, more than the limit of %d: --max-event raises it.", g.host(), packet.size, packet.limit)
	case errors.As(err, &packet):
		return lasting(a2a.ClassUnsupported, "%s sent something other than MQTT: check the port of the broker.", g.host())
	default:
		return &a2a.FlowError{Class: a2a.ClassCut, Cause: err, Sentence: "The connection to the broker " + g.host() + " broke."}
	}
}
