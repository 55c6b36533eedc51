package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/session/log"
	"parley/session/problem"
)

// The codes of the command line's own failures (A2A CLI specification 0.2, Appendix D).
// Failures of the protocol have the protocol's names.
const (
	codeUsage              = "A2ACLI_ERR_USAGE"
	codeCardNotFound       = "A2ACLI_ERR_CARD_NOT_FOUND"
	codeCardInvalid        = "A2ACLI_ERR_CARD_INVALID"
	codeUnreachable        = "A2ACLI_ERR_UNREACHABLE"
	codeCredentialsMissing = "A2ACLI_ERR_CREDENTIALS_MISSING"
	codeAuthFailed         = "A2ACLI_ERR_AUTH_FAILED"
	codeTimeout            = "A2ACLI_ERR_TIMEOUT"
	codeInternal           = "A2ACLI_ERR_INTERNAL"
)

// exits are the statuses of the codes; every other code has status 1.
var exits = map[string]int{
	codeUsage: 2, codeCardNotFound: 3, codeUnreachable: 3,
	codeCredentialsMissing: 4, codeAuthFailed: 4, codeTimeout: 5,
}

// codes are those of the engine's failures, by their classes; all others are internal.
var codes = map[string]string{
	a2a.ClassDNS: codeUnreachable, a2a.ClassRefused: codeUnreachable, a2a.ClassTLS: codeUnreachable, a2a.ClassTimeout: codeUnreachable,
	a2a.ClassMesh: codeUsage, a2a.ClassNoCard: codeCardNotFound, a2a.ClassBadCard: codeCardInvalid, a2a.ClassUnencrypted: codeCardInvalid,
	a2a.ClassNoCredentials: codeCredentialsMissing, a2a.ClassAuth: codeAuthFailed, a2a.ClassOrigin: codeAuthFailed,
}

// A fault is the reason why a command failed.
type fault struct {
	code    string // of Appendix D, or the A2A name of an error that the agent reported
	message string // one sentence
	hint    string // what to do next, empty if the message says so
	rpcCode int64  // the agent's own, 0 if there is none
	class   string // of the engine's failure, empty for another one
	page    bool   // the answer was a web page
}

// Error returns the sentence.
func (f *fault) Error() string { return f.message }

// exit returns the status of the process.
func (f *fault) exit() int {
	return cmp.Or(exits[f.code], 1)
}

// usage is an invalid command line.
func usage(format string, args ...any) *fault {
	return &fault{code: codeUsage, message: fmt.Sprintf(format, args...), hint: "parley help, or --help after a command, lists the commands and flags."}
}

// internal is a failure without a better code.
func internal(format string, args ...any) *fault {
	return &fault{code: codeInternal, message: fmt.Sprintf(format, args...)}
}

// unwritable is the failure to write the result.
func unwritable() *fault {
	return internal("Standard output cannot be written: check the disk, or what reads it.")
}

// statusPipe is the exit status after the reader of standard output has gone: that of a program
// which SIGPIPE ended.
const statusPipe exitStatus = 141

// writeFault is the reason why standard output takes nothing more. A reader that has gone, such
// as head, wants no sentence about it.
func writeFault(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return statusPipe
	}
	return unwritable()
}

// asFault gives an error of any origin a code.
func asFault(err error) *fault {
	if f, ok := errors.AsType[*fault](err); ok {
		return f
	}
	return internal("%s", err)
}

// faultOf gives a failure of the engine a code. rpc is the error that the agent
// reported, nil if it reported none.
func faultOf(class, sentence string, rpc *a2a.RPCError) *fault {
	f := &fault{code: cmp.Or(codes[class], codeInternal), message: sentence, class: class}
	if rpc != nil {
		f.rpcCode = rpc.Code
	}
	if rpc != nil && class == problem.ClassRPC {
		f.code = protocolCode(rpc)
	}
	if at := strings.LastIndex(sentence, ". ") + 1; at > 0 && (class == a2a.ClassUnencrypted || class == a2a.ClassRedirect) {
		f.message, f.hint = sentence[:at], sentence[at+1:] // what to do
	}
	return f
}

// protocolCode returns the name of an error that an agent reported. An unknown code has none;
// two private ones are about credentials.
func protocolCode(rpc *a2a.RPCError) string {
	switch {
	case rpc.AsksCredentials():
		return codeAuthFailed
	case rpc.Name != "":
		return rpc.Name
	default:
		return codeInternal
	}
}

// cardFault gives a failure to find a card a code. A failure that does not concern the
// connection means that there is no card; a card that exceeds its limit exists, and its
// sentence says how to read it.
func cardFault(sig *log.Signal) *fault {
	f := faultOf(sig.Class, sig.Sentence, nil)
	if sig.Class == a2a.ClassLimit {
		f.code = codeCardInvalid
		return f
	}
	if sig.Class == a2a.ClassCatalog {
		f.hint = "Write CATALOG@NAME, as in 'agents.example@Travel Desk'."
	}
	if f.code == codeInternal {
		f.code = codeCardNotFound
	}
	failed := func(at a2a.Lookup) bool { return at.Sentence != "" && a2a.Origin(at.URL) != "" }
	if f.class == a2a.ClassCut {
		f.hint = "Run it again: " + mayBeOver
	}
	if f.hint == "" && f.class != a2a.ClassStatus && (f.code == codeCardNotFound || f.code == codeCardInvalid) && slices.ContainsFunc(sig.Attempts, failed) {
		f.hint = debugHint
	}
	return f
}

// mayBeOver says, as the end of a sentence, that a fault on the way to an agent may be over.
const mayBeOver = "a fault on the way may be over."

// debugHint is for a failure of which the requests and answers tell more than its sentence.
const debugHint = "Run it again with --debug to see the requests and answers."

// unquoted reports whether a failure is about the content of an answer, which its sentence cannot show whole.
func (f *fault) unquoted() bool {
	return f.class == problem.ClassDecode || f.class == a2a.ClassBody || f.class == a2a.ClassCut
}

// flagFault says what is wrong with a flag of a command without repeating its value, which
// may be a secret.
func flagFault(c *cobra.Command, err error) *fault {
	var (
		unknown  *pflag.NotExistError
		missing  *pflag.ValueRequiredError
		invalid  *pflag.InvalidValueError
		syntax   *pflag.InvalidSyntaxError
		ownFault *fault
	)
	switch {
	case errors.As(err, &ownFault):
		return ownFault
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage("There is no flag -%s; long flags begin with two dashes.", unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		return usage("There is no flag --%s here.%s", line(unknown.GetSpecifiedName()), likeFlag(c, unknown.GetSpecifiedName()))
	case errors.As(err, &missing):
		return usage("The flag --%s needs a value.", missing.GetFlag().Name)
	case errors.As(err, &invalid):
		return usage("The value of --%s is not %s.", invalid.GetFlag().Name, valueKind(invalid.GetFlag()))
	case errors.As(err, &syntax):
		return usage("An argument that begins with dashes is not a flag; put such text after --.")
	default:
		return usage("The flags cannot be read.")
	}
}

// valueKind describes the values that a flag takes.
func valueKind(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 2s, 500ms or 1m30s"
	case "int", "int64":
		return "a whole number"
	case "float64":
		return "a number such as 0.5 or 2"
	case "size":
		return "a size such as 64MB, or 0 for no limit"
	case "number":
		return "a number such as 5000, or 0 for no limit"
	case "bool":
		return "true or false"
	default:
		return "one of its values"
	}
}

// likeFlag suggests the command's flag whose name is most similar, empty if none is.
func likeFlag(c *cobra.Command, name string) string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if near := nearest(name, names); near != "" {
		return " Did you mean --" + near + "?"
	}
	return ""
}
