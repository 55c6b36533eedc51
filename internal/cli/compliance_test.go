package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/internal/golden"
)

// A cliRequirement is one of the A2A CLI specification, in words of our own.
type cliRequirement struct {
	id    string // without A2ACLI_
	text  string
	tests string // those that run it, in the order in which they tell most
	// deviation says what is not as the specification demands, empty if nothing is.
	deviation string
	note      string
}

// A tier is a part of the specification.
type tier struct {
	name string
	all  []cliRequirement
}

// tiers are the requirements of the A2A CLI specification 0.2, revision 2026-08-17.
var tiers = []tier{
	{"Core", []cliRequirement{
		{id: "CARD_GET_001", text: "`card get` finds a card by host, URL or file", tests: "TestACardIsFoundByEveryKindOfReference TestTheFirstUsableInterfaceIsTaken"},
		{id: "SEND_001", text: "a message starts something", tests: "TestSendPrintsTheResultAsFieldsAndBlocks"},
		{id: "SEND_002", text: "waits by default; `--async` does not", tests: "TestAsyncDoesNotWait TestWaitingIsFollowedByAsking"},
		{id: "SEND_003", text: "`--stream`, also where there is nothing to stream", tests: "TestAStreamIsPrintedEventByEvent TestStreamingWhereTheAgentCannot TestAMessageThatAnswersIsNoTask"},
		{id: "SEND_004", text: "prints artifacts and discards no part", tests: "TestSendPrintsTheResultAsFieldsAndBlocks TestAGrowingArtifactIsPrintedOnce"},
		{id: "SEND_005", text: "`--media-type`", tests: "TestPartsKeepTheirOrder"},
		{id: "SEND_006", text: "parts are repeatable and keep their order", tests: "TestPartsKeepTheirOrder"},
		{id: "TASK_GET_001", text: "`task get`: state, artifacts, history", tests: "TestTaskGetPrintsTheTask"},
		{id: "TASK_CANCEL_001", text: "`task cancel` reports the state", tests: "TestTaskCancelReportsTheState"},
		{id: "INTERACT_001", text: "`--context-id`", tests: "TestWhatIsSentGoesWhereTheFlagsSay"},
		{id: "INTERACT_002", text: "`--task-id`; a refusal creates no new task", tests: "TestARejectedTaskIsNeverReplaced TestWhatIsSentGoesWhereTheFlagsSay", deviation: "The hint of a refusal names the command that shows the task or the tasks of the agent; it names `--debug` only where no command shows more."},
		{id: "INTERACT_003", text: "makes no ids that are the agent's", tests: "TestNothingOfAMessageIsRememberedBetweenRuns TestWhatIsSentGoesWhereTheFlagsSay", note: "In A2A 0.1 the client makes the ids of tasks, as that version requires."},
		{id: "INTERACT_004", text: "prints task, context, state and the command that continues", tests: "TestTheLastLineOfAStreamNamesTaskContextAndState TestTheNextCommandIsQuoted"},
		{id: "INTERACT_005", text: "remembers nothing between two runs", tests: "TestNothingOfAMessageIsRememberedBetweenRuns", deviation: "No command remembers a task or a context. The workbench, which the specification does not have, records sessions, and `parley resume` opens a recorded one to go on with its tasks; it names every address before it contacts any."},
		{id: "TASK_POLL_001", text: "one get, or `--wait`", tests: "TestTaskGetWaits"},
		{id: "TASK_POLL_002", text: "`--poll-interval`, `--timeout`, backoff, interruptible", tests: "TestATimeoutTellsTheTask TestAnInterruptLeavesTheTask"},
		{id: "TASK_POLL_003", text: "stops where the task waits; unspecified is neither", tests: "TestAQuestionOnAnOpenStreamIsReturnedAtOnce TestWaitingIsFollowedByAsking"},
		{id: "TASK_POLL_004", text: "falls back to polling", tests: "TestACutStreamIsNeverASuccess"},
		{id: "OUT_001", text: "names context, task and state; output and diagnostics apart", tests: "TestTheLastLineOfAStreamNamesTaskContextAndState TestTheAnswerAloneIsTheTextOfTheArtifacts", note: "With `-o answer`, a format of Parley's own, they are on standard error."},
		{id: "OUT_002", text: "`-o json` is one document", tests: "TestSendPrintsOneDocument TestWhatShapesTheOutputIsOnTheCommandLineOnly"},
		{id: "OUT_003", text: "`-o json --stream` is one document per line", tests: "TestAStreamIsPrintedEventByEvent TestACutStreamIsNeverASuccess TestTheLastLineOfAStreamNamesTaskContextAndState"},
		{id: "OUT_004", text: "errors are documents with the right names", tests: "TestTheManualNamesEveryCode TestUsage TestErrorsOverHTTPJSON TestAnErrorIsThatOfTheOtherBindings"},
		{id: "OUT_005", text: "text: one field per line, blocks, no control sequences", tests: "FuzzChunksPrintTheWholeText TestWhatAnAgentWritesCannotPassForAField TestNoControlReachesTheOutput TestChatCarriesContextAndTask TestUsage"},
		{id: "OUT_006", text: "`--async` prints the ids", tests: "TestAsyncDoesNotWait"},
		{id: "EXIT_001", text: "exit statuses 0, 1, 2 and the reserved ones", tests: "TestOutcomesOfTheAgentAreNoFailures TestARejectedTaskIsNeverReplaced TestUsage TestInsecureIsNeverSilent TestATimeoutTellsTheTask TestTheManualNamesEveryCode", note: "Besides, 10 is the status of an opt-in gate and 141 that of a closed pipe."},
		{id: "EXIT_002", text: "the outcome of the task is no failure", tests: "TestOutcomesOfTheAgentAreNoFailures TestTheGateIsOptIn"},
		{id: "AUTH_001", text: "bearer token and API key; `--svc-param` apart", tests: "TestCredentialsGoWhereASchemeAsksForThem TestServiceParameters", deviation: "For agents whose card declares no scheme for a key, the manual and the warnings name `--svc-param` as the way to send it in a header."},
		{id: "AUTH_002", text: "variables for credentials; flags are exposed", tests: "TestCredentialFlagsSayThatTheyAreExposed TestFlagsWinOverEnvironmentOverFiles"},
		{id: "AUTH_003", text: "`--insecure` warns", tests: "TestInsecureIsNeverSilent"},
		{id: "AUTH_004", text: "diagnostics contain no credentials", tests: "TestSecretsAreSentAndNeverShown TestNoSecretLeavesTheCommandLine", deviation: "Parley masks every credential where it sends it. What an agent repeats is masked in many spellings, but not in all (hexadecimal, backwards), and not if the credential has fewer than eight characters."},
		{id: "TX_001", text: "the binding comes from the card", tests: "TestVersionAndTransportAreChosen TestTheFirstUsableInterfaceIsTaken"},
		{id: "TX_002", text: "the first usable interface; `--transport`", tests: "TestTheFirstUsableInterfaceIsTaken TestTransportsArePreferences", deviation: "An interface of a later 1.x counts as usable before one of 1.0 that the card names after it, and Parley speaks 1.0 there."},
		{id: "TX_003", text: "the tenant of the interface", tests: "TestWhatIsSentGoesWhereTheFlagsSay TestPinsComeFromFlags"},
		{id: "VER_001", text: "signals the version, never below 1.0", tests: "TestVersionAndTransportAreChosen TestOnly10SendsAVersion", deviation: "Parley speaks to agents of 0.1 to 0.3 without an opt-in, and a note on standard error says so. To debug agents of any version is what it is for."},
		{id: "DEFAULT_001", text: "the defaults, each with a flag", tests: "TestDefaultsAreShippedAndHaveFlags TestConfigShowNamesEverySource TestTheFirstUsableInterfaceIsTaken TestInsecureIsNeverSilent", deviation: "As VER_001: the version may be below 1.0. The other defaults are below."},
		{id: "CONFIG_001", text: "configuration files, without session state", tests: "TestConfigShowNamesEverySource TestNothingOfAMessageIsRememberedBetweenRuns", deviation: "As INTERACT_005: the workbench offers to resume a recorded session. Configuration itself has no session state; files with credentials that others can read are named in a warning."},
		{id: "CLI_001", text: "help and version", tests: "TestHelpAndVersionPrintAndEnd TestHelpFitsATerminal TestTheManualNamesEveryFlagAndCommand"},
		{id: "SKILL_001", text: "one lean skill", tests: "TestTheSkillIsOneAndLean", note: "`skills/parley/SKILL.md`"},
		{id: "SKILL_002", text: "the skill repeats no requirements", tests: "TestTheSkillIsOneAndLean"},
	}},
	{"Standard", []cliRequirement{
		{id: "CARD_GET_002", text: "`card get --validate`", tests: "TestACardIsValidated"},
		{id: "TASK_LIST_001", text: "`task list`: pages, status, context", tests: "TestTaskListPrintsAPage TestTaskListPrintsEveryPage TestTaskListOfAnAgentThatTurnsInCirclesEnds"},
		{id: "TASK_SUBSCRIBE_001", text: "`task subscribe`", tests: "TestTaskSubscribeFollowsATask"},
		{id: "TASK_SUBSCRIBE_002", text: "resumes a stream", tests: "TestTaskSubscribeResumesAStream"},
		{id: "AUTH_005", text: "`auth login`, device code", tests: "TestALoginWithoutABrowser TestACodeIsEnteredAtAnotherDevice"},
		{id: "AUTH_006", text: "`auth login`, client credentials", tests: "TestALoginWithoutABrowser TestAServiceGetsATokenByItsSecret"},
		{id: "AUTH_007", text: "tokens are stored safely", tests: "TestVaultsKeepSecretsApartFromTheIndex TestWhatIsEnteredAtALoginIsSent TestAKeyringThatIsLockedIsOneSentence"},
		{id: "TX_004", text: "two bindings or more", tests: "TestCommandsSpeakGRPC TestEveryDialectOfTheDemo TestTheFirstUsableInterfaceIsTaken"},
		{id: "VER_003", text: "looks at the capability first", tests: "TestTaskSubscribePollsWhereTheCardDeclaresNoStreaming TestPushConfigsNeedTheCapability TestTheExtendedCard"},
		{id: "CONFIG_002", text: "precedence of sources; `config show`", tests: "TestFlagsWinOverEnvironmentOverFiles TestConfigShowNamesEverySource", deviation: "A `.env` file that was found, not named, sets only credentials and the agent, because it may come with somebody else's files. config.toml is a further source, below all others."},
		{id: "DOWNLOAD_001", text: "`task download`", tests: "TestTaskDownloadSavesEveryPart TestADownloadThatIsCutGoesOn TestTaskDownloadOfAnUnknownTaskFails"},
		{id: "OUT_007", text: "`--debug` prints the wire", tests: "TestNoControlReachesTheOutput TestSecretsAreSentAndNeverShown"},
		{id: "CONFORM_001", text: "`conformance` against the TCK", tests: "TestCheckAndConformanceOfTheDemosAgents TestCheckFailsForAWrongAnswer TestCommandsAgainstOfficialSDKs", deviation: "`parley conformance` has checks and rules of its own; it does not run the TCK, which is a program of its own in another language."},
		{id: "CLI_002", text: "`completion`", tests: "TestCompletionScripts TestCompletionKnowsAgentsIdsAndFlags"},
		{id: "PUSH_001", text: "`task push-config` create, get, list, delete", tests: "TestPushConfigsAreCreatedShownAndDeleted TestPushConfigsNeedTheCapability"},
	}},
	{"Advanced", []cliRequirement{
		{id: "CARD_GET_003", text: "the extended card", tests: "TestTheExtendedCard TestTheExtendedCardWithoutCredentials"},
		{id: "AUTH_008", text: "no credential to a card endpoint that did not declare it", tests: "TestTheServerOfACardGetsOnlyTheCredentialsThatItAsksFor TestTheExtendedCardGetsCredentialsOfTheCardAlone TestTheExtendedCard", deviation: "A public card is requested without credentials; they follow once if the server refuses that with 401 or 403 and names their scheme or none. Headers of `--svc-param` always go."},
		{id: "CARD_GET_004", text: "signatures of cards", tests: "TestTheSignatureOfACardIsVerified TestABrokenSignatureIsAFailure TestACardWithoutASignatureIsNoFailure"},
		{id: "CARD_GET_005", text: "catalogs and registries", tests: "TestAnEntryOfACatalogStandsForItsAgent TestAnEntryOfACatalogIsAnAgent TestAListOfCardsIsACatalog", note: "`CATALOG@NAME`; `parley catalog` lists the entries."},
		{id: "PUSH_002", text: "a webhook receiver", tests: "TestPushNotificationsAreReceived", note: "`parley task push-config listen`"},
		{id: "CHAT_001", text: "`chat` carries context and task", tests: "TestChatCarriesContextAndTask TestChatGoesOnAfterAFailure TestAChatOnATerminal"},
		{id: "TX_005", text: "gRPC", tests: "TestCommandsSpeakGRPC"},
		{id: "AUTH_009", text: "mutual TLS", tests: "TestAClientCertificateIsShownToNamedOriginsAlone TestCertificatesServeEveryConnection"},
		{id: "AUTH_010", text: "OpenID Connect", tests: "TestALoginWithoutABrowser TestACodeIsExchangedForAToken"},
		{id: "AUTH_011", text: "a task that needs credentials", tests: "TestATaskThatWaitsForCredentialsIsTakenUpAgain TestACommandWaitsUntilTheUserHasSignedIn TestWaitingForASignInEndsWhereTheTaskIsGone", note: "The command ends with the state and both ways to go on: `--wait-for-auth` polls while you give them elsewhere, `--secret -` answers with them."},
		{id: "DEMO_SERVER_001", text: "`demo-server`", tests: "TestTheDemoServerAnswersUntilItIsStopped"},
		{id: "VER_002", text: "extensions that an agent requires", tests: "TestExtensionsAreAskedForAndThoseThatAreRequiredAreNamed", note: "`--extension URI` requests them; a required one that is not requested is named before the message."},
	}},
}

// A shippedDefault is one of those that A2ACLI_DEFAULT_001 lists.
type shippedDefault struct{ what, shipped, note string }

var shippedDefaults = []shippedDefault{
	{"binding: the agent's order of preference", "yes", "`--transport`"},
	{"completion: wait", "yes", "`--async`"},
	{"output: text", "yes", "`--output`"},
	{"detail: concise", "yes", "`--verbose`"},
	{"version: the highest of both, never below 1.0", "no", "`--a2a-version`; see VER_001"},
	{"TLS certificates are verified", "yes", "`--insecure` warns"},
}

// mark is the status of a requirement: what has a test and no deviation passes.
func (r *cliRequirement) mark() string {
	switch {
	case r.tests == "":
		return "❌ Fail"
	case r.deviation != "":
		return "◐ Partial"
	default:
		return "✅ Pass"
	}
}

// row is the requirement in the report.
func (r *cliRequirement) row() string {
	var notes []string
	if r.deviation != "" {
		notes = append(notes, "Deviation: "+r.deviation)
	}
	if r.note != "" {
		notes = append(notes, r.note)
	}
	var tests []string
	for _, name := range strings.Fields(r.tests) {
		tests = append(tests, "`"+name+"`")
	}
	return fmt.Sprintf("| `A2ACLI_%s` | %s | %s | %s | %s |\n", r.id, r.text, r.mark(), strings.Join(tests, ", "), strings.Join(notes, " "))
}

// complianceReport returns the content of docs/cli-compliance.md.
func complianceReport() string {
	var counts, tables strings.Builder
	var deviations []string
	satisfied := true
	for i, t := range tiers {
		count := map[string]int{}
		fmt.Fprintf(&tables, "\n## Tier %d: %s\n\n| id | requirement | status | tests | notes |\n|---|---|---|---|---|\n", i+1, t.name)
		for k := range t.all {
			r := &t.all[k]
			count[r.mark()]++
			tables.WriteString(r.row())
			if r.mark() != "✅ Pass" {
				deviations = append(deviations, r.id)
			}
		}
		if i == 0 {
			tables.WriteString("\n### The defaults of A2ACLI_DEFAULT_001\n\n| default | shipped? | flag? | note |\n|---|---|---|---|\n")
			for _, d := range shippedDefaults {
				fmt.Fprintf(&tables, "| %s | %s | yes | %s |\n", d.what, d.shipped, d.note)
			}
		}
		answer := "yes"
		if own := count["✅ Pass"] == len(t.all); !own || !satisfied {
			answer = "no"
			if own {
				answer = "no: tiers are cumulative"
			}
			satisfied = false
		}
		fmt.Fprintf(&counts, "| Tier %d: %s | %d | %d | %d | %d | 0 | 0 | %s |\n", i+1, t.name, len(t.all), count["✅ Pass"], count["◐ Partial"], count["❌ Fail"], answer)
	}
	return fmt.Sprintf(complianceHead, strings.Join(deviations, ", ")) + counts.String() + tables.String() + complianceTail
}

const complianceHead = `# Compliance with the A2A CLI specification

Generated from a table in internal/cli/compliance_test.go; ` + "`go test ./internal/cli -run Compliance -update`" + ` writes it. This is the report of Parley
against the [A2A CLI specification](https://github.com/a2aproject/a2a-cli), version 0.2, revision 2026-08-17, in the form of its COMPLIANCE.md. It
covers the commands without a screen; [cli.md](cli.md) is their manual.

| field | value |
|---|---|
| tool | Parley |
| language | Go |
| specification | 0.2, revision 2026-08-17 |
| **tier claimed** | none: %s deviate, each with its reason below |
| A2A versions | 1.0; also 0.3, 0.2 and 0.1 |
| agents | hand-written agents of the tests over real sockets, the agents of ` + "`parley demo-server`" + `, and agents of the official SDKs (` + "`test/interop`" + `) |
| are they conformant to the TCK? | unknown |
| bindings | JSON-RPC, HTTP+JSON, gRPC |

The list of identifiers was compared with that of the specification at this revision. Each names the tests that run it. ` + "`✅ Pass`" + ` has tests and no
deviation that we know, ` + "`◐ Partial`" + ` has a deviation that the note explains, ` + "`❌ Fail`" + ` has no test or is not implemented.

## Results

| tier | requirements | ✅ | ◐ | ❌ | ⊘ | — | satisfied? |
|---|---|---|---|---|---|---|---|
`

const complianceTail = `
## Evidence

Run ` + "`go test ./internal/cli ./a2a/... ./internal/signin ./test/interop`" + `. Most tests are in ` + "`internal/cli`" + `: they run whole command lines against agents on
sockets of their own.

## Error codes

All of ` + "`A2ACLI_ERR_USAGE`, `A2ACLI_ERR_CARD_NOT_FOUND`, `A2ACLI_ERR_CARD_INVALID`, `A2ACLI_ERR_UNREACHABLE`" + `,
` + "`A2ACLI_ERR_CREDENTIALS_MISSING`, `A2ACLI_ERR_AUTH_FAILED`, `A2ACLI_ERR_TIMEOUT` and `A2ACLI_ERR_INTERNAL`" + ` are emitted
(` + "`TestTheManualNamesEveryCode`" + `).
`

// registered are the identifiers in the specification's COMPLIANCE.md, by tier.
var registered = []string{
	"CARD_GET_001 SEND_001 SEND_002 SEND_003 SEND_004 SEND_005 SEND_006 TASK_GET_001 TASK_CANCEL_001 INTERACT_001 INTERACT_002 INTERACT_003 INTERACT_004 INTERACT_005 TASK_POLL_001 TASK_POLL_002 TASK_POLL_003 TASK_POLL_004 OUT_001 OUT_002 OUT_003 OUT_004 OUT_005 OUT_006 EXIT_001 EXIT_002 AUTH_001 AUTH_002 AUTH_003 AUTH_004 TX_001 TX_002 TX_003 VER_001 DEFAULT_001 CONFIG_001 CLI_001 SKILL_001 SKILL_002",
	"CARD_GET_002 TASK_LIST_001 TASK_SUBSCRIBE_001 TASK_SUBSCRIBE_002 AUTH_005 AUTH_006 AUTH_007 TX_004 VER_003 CONFIG_002 DOWNLOAD_001 OUT_007 CONFORM_001 CLI_002 PUSH_001",
	"CARD_GET_003 AUTH_008 CARD_GET_004 CARD_GET_005 PUSH_002 CHAT_001 TX_005 AUTH_009 AUTH_010 AUTH_011 DEMO_SERVER_001 VER_002",
}

func TestTheComplianceReportIsThatOfItsTable(t *testing.T) {
	t.Parallel()
	golden.File(t, "../../docs/cli-compliance.md", complianceReport())
}

// The table has every requirement once, each with tests that exist.
func TestTheComplianceTableIsWhole(t *testing.T) {
	t.Parallel()
	there := testNames(t)
	for i, tier := range tiers {
		var ids []string
		for k := range tier.all {
			r := &tier.all[k]
			ids = append(ids, r.id)
			if r.text == "" || strings.ContainsAny(r.text+r.deviation+r.note, "|\n") {
				t.Errorf("%s: got a text that no table can have", r.id)
			}
			if r.tests == "" && r.deviation == "" {
				t.Errorf("%s: got no test and no deviation, want one of them", r.id)
			}
			for _, name := range strings.Fields(r.tests) {
				if !there[name] {
					t.Errorf("%s: got test %s, want one that exists", r.id, name)
				}
			}
		}
		if want := strings.Fields(registered[i]); !slices.Equal(ids, want) {
			t.Errorf("tier %d: got requirements\n%q\nwant\n%q", i+1, ids, want)
		}
	}
}

// testNames are the tests that the report may name.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range []string{"*_test.go", "../../a2a/*_test.go", "../../a2a/*/*_test.go", "../../internal/signin/*_test.go", "../../test/interop/*_test.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9]+)\(`).FindAllStringSubmatch(string(b), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}
