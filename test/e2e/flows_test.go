//go:build unix

package e2e

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// flows are the tests of what a user does most, and of what happens at once. With PARLEY_RACE=1 they
// run on a program with the race detector.
var flows = []string{
	"TestABookingIsPresented", "TestAMeshOnABroker", "TestAMessageGoesToTwoAgentsOneIsCut", "TestARecordingIsReplayed",
	"TestARefusalIsTwoKeysFromASignIn", "TestAScriptIsPlayedOnATerminal", "TestASessionThatWasKilledGoesOn", "TestAStreamIsToldFromItsRequestToItsEnd",
	"TestATapShowsWhatOtherClientsSay", "TestAnAgentOverGRPC", "TestAnSDKAgentThatIsRestarted", "TestBookTheFlightAndReadTheWire",
	"TestMessagesWaitWhileAnAgentWorks", "TestPollingIsSeenAndStopped", "TestThreeAgentsAreAtWork",
	"TestThreeAgentsStreamOneIsCutOneWaitsOneDies", "TestWhatAnAgentDeliversMovesItsTask",
}

// racing reports whether the program has the race detector.
func racing() bool { return os.Getenv("PARLEY_RACE") == "1" }

// build builds the program in a folder.
func build(dir string) error {
	program = filepath.Join(dir, "parley")
	args := []string{"build", "-o", program, "parley"}
	if racing() {
		args = []string{"build", "-race", "-o", program, "parley"}
		if err := os.Setenv("GORACE", "log_path="+filepath.Join(dir, "race")); err != nil { // for the programs of all tests
			return err
		}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// testsPerProcessor is how many tests run at once: they mostly wait for agents and for the screen.
// The flag -parallel says otherwise.
const testsPerProcessor = 3

// chooseTests says how many tests run at once, and runs the flows alone with the race detector,
// unless the command line names tests.
func chooseTests() error {
	if err := flag.Set("test.parallel", strconv.Itoa(testsPerProcessor*runtime.GOMAXPROCS(0))); err != nil {
		return err
	}
	flag.Parse()
	if !racing() || flag.Lookup("test.run").Value.String() != "" {
		return nil
	}
	return flag.Set("test.run", "^("+strings.Join(flows, "|")+")$")
}

// races returns what the race detector found in the programs of all tests.
func races(dir string) string {
	reports, err := filepath.Glob(filepath.Join(dir, "race.*"))
	if err != nil {
		return err.Error()
	}
	var found strings.Builder
	for _, name := range reports {
		text, err := os.ReadFile(name)
		if err != nil {
			return err.Error()
		}
		found.Write(text)
	}
	return found.String()
}

// A flow that does not exist is no proof.
func TestFlowsExist(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	for _, name := range flows {
		if !strings.Contains(all.String(), "\nfunc "+name+"(t *testing.T)") {
			t.Errorf("there is no test %s", name)
		}
	}
}
