package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A rule lists what a package may import directly: packages of this module, and of other
// modules. Everything else is forbidden.
type rule struct {
	ours   []string
	theirs []string
}

const (
	tea     = "charm.land/bubbletea/v2"
	bubbles = "charm.land/bubbles/v2"
	gloss   = "charm.land/lipgloss/v2"
	ansi    = "github.com/charmbracelet/x/ansi"
	txtar   = "golang.org/x/tools"
	rpc     = "google.golang.org/grpc"
	mqtt    = "github.com/eclipse/paho.golang"
)

// direction contains the rules of docs/architecture.md.
var direction = map[string]rule{
	".":                {ours: []string{"internal/cli"}},
	"internal/release": {ours: []string{"internal/cli"}, theirs: []string{"github.com/spf13/cobra"}},
	"internal/cli": {
		ours:   []string{"a2a", "a2a/challenge", "a2a/a2atest", "a2a/a2atest/demo", "a2a/aicatalog", "a2a/coding", "a2a/curl", "a2a/grpc", "a2a/lint", "a2a/longtext", "a2a/mesh", "a2a/servertrust", "a2a/socks", "a2a/webhook", "internal/crash", "internal/attach", "internal/catalogs", "internal/config", "internal/connection", "internal/doctor", "internal/filename", "internal/heap", "internal/help", "internal/history", "internal/outlet", "internal/portscan", "internal/roster", "internal/signature", "internal/signin", "internal/trust", "internal/units", "internal/visible", "session/annotation", "session/card", "session/catalog", "session/chain", "session/check", "session/compare", "session/engine", "session/export", "session/export/har", "session/export/excerpt", "session/export/redact", "session/journal", "session/listen", "session/log", "session/model", "session/problem", "session/replay", "session/script", "session/serve", "session/tap", "session/tap/relay", "session/task", "themes", "internal/sharedfile", "ui", "ui/action", "ui/cast", "ui/inline", "ui/terminal", "ui/media", "ui/composer", "ui/prompt", "ui/styles", "a2a/hostname"},
		theirs: []string{"github.com/andybalholm/brotli", "github.com/charmbracelet/colorprofile", "github.com/charmbracelet/x/term", "github.com/klauspost/compress", "github.com/spf13/cobra", "github.com/spf13/pflag"},
	},
	"ui": {
		ours: []string{"a2a", "internal/crash", "internal/attach", "internal/catalogs", "internal/config", "internal/doctor", "internal/heap", "internal/history", "internal/outlet", "internal/roster", "internal/signature", "internal/trust", "internal/units", "session/annotation", "session/catalog", "session/chain", "session/check", "session/engine", "session/export", "session/journal", "session/log", "session/model", "session/replay", "themes", "ui/canvas", "ui/jsonview", "ui/keys", "ui/looks", "ui/markdown", "ui/styles",
			"ui/action", "ui/agents", "ui/chat", "ui/composer", "ui/control", "ui/control/agents", "ui/control/annotations", "ui/control/answers", "ui/control/approvals", "ui/control/cards", "ui/control/chain", "ui/control/catalogs", "ui/control/credentials", "ui/control/doctor", "ui/control/extensions", "ui/control/pins", "ui/control/present", "ui/control/prompts", "ui/control/inbox", "ui/control/activities", "ui/control/attachments", "ui/control/fanout", "ui/control/files", "ui/control/findings", "ui/control/forms", "ui/control/history", "ui/control/jsonsheet", "ui/control/lanes", "ui/control/links", "ui/control/outbox", "ui/control/pair", "ui/control/records", "ui/control/resume", "ui/control/play", "ui/control/screenshot", "ui/control/taps", "ui/control/tasks", "ui/control/theme", "ui/control/webhooks", "ui/control/sessions", "ui/control/settings", "ui/control/signin", "ui/control/sendoptions", "ui/control/start", "ui/footer", "ui/guide", "ui/header", "ui/layout", "ui/menu", "ui/palette", "ui/player", "ui/present", "ui/sheet", "ui/shot", "ui/terminal", "ui/wire"},
		theirs: []string{tea, bubbles, gloss, ansi, "github.com/charmbracelet/colorprofile"},
	},

	"ui/agents":      {ours: append([]string{"ui/axis"}, pane.ours...), theirs: pane.theirs},
	"ui/credentials": pane, "ui/extensions": pane, "ui/fanout": pane, "ui/findings": pane, "ui/form": pane, "ui/guide": pane, "ui/inbox": pane, "ui/taps": pane, "ui/chain": pane, "ui/activity": pane, "ui/origins": pane, "ui/menu": pane, "ui/player": pane, "ui/push": pane, "ui/jsonedit": editing, "ui/request": editing, "ui/tasks": pane, "ui/sending": pane, "ui/signin": pane,
	"ui/themelist": {ours: append([]string{"themes"}, pane.ours...), theirs: pane.theirs},
	"ui/approval":  {ours: append([]string{"session/card"}, pane.ours...), theirs: pane.theirs},
	"ui/catalog":   {ours: append([]string{"a2a/aicatalog", "internal/catalogs"}, pane.ours...), theirs: pane.theirs},
	"ui/doctor":    {ours: append([]string{"internal/connection", "internal/doctor"}, pane.ours...), theirs: pane.theirs},
	"ui/answers":   {ours: append([]string{"session/compare"}, pane.ours...), theirs: pane.theirs},
	"ui/card":      {ours: append([]string{"a2a/lint", "internal/signature"}, editing.ours...), theirs: append([]string{"github.com/aymanbagabas/go-udiff"}, pane.theirs...)},
	"ui/chat":      {ours: append([]string{"internal/filename", "ui/media", "ui/picture", "ui/table"}, pane.ours...), theirs: pane.theirs},
	"ui/preview":   {ours: append([]string{"ui/media", "ui/picture", "ui/table"}, pane.ours...), theirs: pane.theirs},
	"ui/record":    {ours: append([]string{"a2a/lint", "internal/filename", "session/card"}, pane.ours...), theirs: pane.theirs},
	"ui/lanes":     {ours: append([]string{"ui/axis"}, pane.ours...), theirs: pane.theirs},
	"ui/wire":      {ours: append([]string{"session/annotation", "ui/record", "ui/timeline"}, pane.ours...), theirs: pane.theirs},
	"ui/sessions":  {ours: append([]string{"session/annotation", "session/catalog"}, pane.ours...), theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},
	"ui/picker":    {ours: append([]string{"internal/attach"}, pane.ours...), theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},
	"ui/start":     {ours: pane.ours, theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},
	"ui/composer":  {ours: append([]string{"internal/spelling"}, pane.ours...), theirs: pane.theirs},
	"ui/palette":   {ours: append([]string{"internal/spelling"}, pane.ours...), theirs: append([]string{"github.com/sahilm/fuzzy"}, pane.theirs...)},

	"ui/control/agents":      controls("internal/config", "internal/roster", "session/card", "ui/agents", "ui/chat"),
	"ui/control/annotations": controls("session/annotation", "ui/wire"),
	"ui/control/approvals":   controls("internal/signature", "internal/trust", "session/card", "ui/approval"),
	"ui/control/answers":     controls("session/compare", "session/export", "ui/answers"),
	"ui/control/cards":       controls("a2a/lint", "internal/signature", "ui/card"),
	"ui/control/catalogs":    controls("internal/catalogs", "ui/catalog"),
	"ui/control/doctor":      controls("internal/connection", "internal/crash", "internal/doctor", "ui/doctor"),
	"ui/control/credentials": controls("a2a/challenge", "ui/credentials"),
	"ui/control/extensions":  controls("ui/extensions"),
	"ui/control/fanout":      controls("ui/chat", "ui/fanout"),
	"ui/control/pair":        controls("ui/chat", "ui/layout"),
	"ui/control/pins":        controls("ui/chat"),
	"ui/control/present":     controls("ui/canvas", "ui/layout", "ui/mask", "ui/present"),
	"ui/control/prompts":     controls(),
	"ui/control/attachments": controls("internal/attach", "ui/jsonedit", "ui/picker"),
	"ui/control/files":       controls("internal/filename", "ui/chat", "session/export", "session/export/markdown", "session/export/excerpt", "ui/media", "ui/preview"),
	"ui/control/findings":    controls("a2a/lint", "ui/findings", "ui/wire"),
	"ui/control/forms":       controls("ui/control/target", "ui/form"),
	"ui/control/history":     controls("internal/history"),
	"ui/control/activities":  controls("internal/crash", "ui/activity"),
	"ui/control/jsonsheet":   controls("ui/jsonedit"),
	"ui/control/lanes":       controls("ui/lanes", "ui/wire"),
	"ui/control/links":       controls(),
	"ui/control/records":     controls("a2a/curl", "a2a/lint", "session/engine", "ui/request", "ui/wire"),
	"ui/control/resume":      controls("session/annotation", "session/engine", "ui/origins"),
	"ui/control/play":        controls("internal/visible", "session/script", "ui/shot"),
	"ui/control/screenshot":  controls("internal/filename", "themes", "ui/shot"),
	"ui/control/sendoptions": controls("ui/jsonedit", "ui/sending"),
	"ui/control":             {ours: []string{"a2a", "session/engine", "session/model", "ui/action", "ui/composer", "ui/keys", "ui/menu", "ui/palette", "ui/styles"}, theirs: []string{bubbles, tea}},
	"ui/control/inbox":       controls("ui/inbox"),
	"ui/control/sessions":    controls("internal/crash", "session/annotation", "session/catalog", "ui/sessions"),
	"ui/control/settings":    controls(),
	"ui/control/signin":      controls("a2a/challenge", "internal/crash", "internal/signin", "ui/signin"),
	"ui/control/start":       controls("internal/crash", "internal/portscan", "session/catalog", "ui/chat", "ui/start"),
	"ui/control/taps":        controls("ui/taps"),
	"ui/control/chain":       controls("session/chain", "ui/chain"),
	"ui/control/tasks":       controls("ui/tasks"),
	"ui/control/webhooks":    controls("ui/push"),
	"ui/control/theme":       controls("themes", "ui/themelist"),
	"ui/control/target":      {ours: []string{"a2a", "internal/units", "session/model", "ui/canvas", "ui/composer", "ui/control"}},
	"ui/control/outbox":      {ours: []string{"a2a", "internal/units", "session/log", "session/model", "session/problem", "ui/action", "ui/canvas", "ui/composer", "ui/control", "ui/control/target", "ui/keys", "ui/menu"}, theirs: []string{bubbles, tea}},
	"ui/control/controltest": {ours: []string{"a2a", "session/engine", "session/log", "session/model", "ui/action", "ui/control", "ui/keys", "ui/looks", "ui/menu", "ui/palette", "internal/panetest"}, theirs: []string{bubbles, tea}},
	"ui/media":               {ours: []string{"ui/markdown"}},
	"ui/table":               {ours: []string{"a2a/jsontok", "internal/units", "ui/canvas", "ui/styles"}},
	"ui/axis":                {ours: []string{"ui/styles"}},
	"ui/timeline":            {ours: []string{"a2a", "internal/units", "session/log", "ui/axis", "ui/canvas", "ui/looks", "ui/styles"}, theirs: []string{ansi}},
	"ui/header":              {ours: []string{"a2a", "internal/units", "session/log", "session/model", "session/task", "ui/canvas", "ui/looks", "ui/styles"}},
	"ui/mask":                {ours: []string{"a2a", "ui/canvas", "ui/present"}},
	"ui/present":             {ours: []string{"a2a", "ui/canvas", "ui/styles"}},
	"ui/layout":              {ours: []string{"ui/canvas", "ui/control"}},
	"ui/looks":               {ours: []string{"a2a", "internal/units", "session/log", "session/model", "session/problem", "session/task", "ui/canvas", "ui/styles"}},
	"ui/jsonview":            {ours: []string{"a2a/jsontok", "internal/units", "ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{bubbles}},
	"ui/shot":                {ours: []string{"internal/outlet", "internal/visible", "themes"}, theirs: []string{"github.com/charmbracelet/ultraviolet", "golang.org/x/image"}},
	"ui/picture":             {ours: []string{"internal/units"}, theirs: []string{ansi + "/kitty", "golang.org/x/image"}},
	"ui/inline":              {ours: []string{"internal/crash", "themes", "ui/canvas", "ui/markdown", "ui/media", "ui/picture", "ui/styles", "ui/terminal"}, theirs: []string{tea, "github.com/charmbracelet/colorprofile", "github.com/charmbracelet/ultraviolet", "github.com/charmbracelet/x/term"}},
	"ui/prompt":              {ours: []string{"internal/crash", "ui/canvas", "ui/composer", "ui/styles", "ui/terminal"}, theirs: []string{tea}},
	"ui/markdown": {
		ours:   []string{"ui/canvas", "ui/styles"},
		theirs: []string{"charm.land/glamour/v2", "github.com/alecthomas/chroma/v2", "github.com/yuin/goldmark"},
	},
	"ui/field":    {ours: []string{"ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles, gloss, ansi}},
	"ui/editor":   {ours: []string{"ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles, ansi}},
	"ui/canvas":   {ours: []string{"a2a/hostname", "ui/styles"}, theirs: []string{ansi}},
	"ui/sheet":    {ours: []string{"internal/units", "ui/action", "ui/canvas", "ui/field", "ui/keys", "ui/list", "ui/styles"}, theirs: []string{tea, bubbles}},
	"ui/list":     {ours: []string{"ui/action", "ui/canvas", "ui/keys", "ui/styles"}, theirs: []string{tea, bubbles}},
	"ui/action":   {ours: []string{"ui/keys"}, theirs: []string{bubbles, tea}},
	"ui/footer":   {ours: []string{"ui/action", "ui/canvas"}, theirs: []string{bubbles}},
	"ui/keys":     {ours: []string{"internal/spelling"}, theirs: []string{bubbles, tea}},
	"ui/terminal": {ours: []string{"internal/crash", "themes"}, theirs: []string{tea, ansi, "github.com/charmbracelet/colorprofile"}},
	"ui/styles":   {ours: []string{"themes", "ui/keys"}, theirs: []string{bubbles, gloss}},
	"themes":      {theirs: []string{"github.com/pelletier/go-toml/v2"}},

	"session":             {},
	"session/annotation":  {ours: []string{"a2a", "internal/sharedfile"}},
	"session/replay":      {ours: []string{"a2a", "internal/crash", "session/check", "session/journal", "session/log"}},
	"session/chain":       {ours: []string{"a2a", "a2a/jsontok", "a2a/lint", "internal/units"}},
	"session/card":        {ours: []string{"a2a/hostname", "a2a"}},
	"session/compare":     {ours: []string{"a2a", "internal/units", "internal/visible", "session/card", "session/export/excerpt", "session/log", "session/model", "session/problem", "session/task"}, theirs: []string{"github.com/aymanbagabas/go-udiff"}},
	"session/engine":      {ours: []string{"a2a", "a2a/coding", "a2a/webhook", "internal/crash", "internal/units", "session/card", "session/journal", "session/log", "session/model", "session/problem", "session/task", "session/tracker", "a2a/hostname"}},
	"session/catalog":     {ours: []string{"a2a", "internal/crash", "internal/sharedfile", "internal/units", "session/annotation", "session/check", "session/journal", "session/log", "session/model"}},
	"session/journal":     {ours: []string{"a2a", "a2a/sse", "internal/crash", "internal/outlet", "internal/sharedfile", "internal/units", "session/check", "session/log"}},
	"session/log":         {ours: []string{"a2a", "a2a/jsonrpc", "a2a/jsontok", "internal/units", "session/card", "session/problem", "session/task", "a2a/hostname"}},
	"session/model":       {ours: []string{"a2a", "a2a/pause", "a2a/jsontok", "internal/units", "session/card", "session/check", "session/log", "session/problem", "session/task", "a2a/hostname"}},
	"session/problem":     {ours: []string{"a2a", "a2a/pause"}},
	"session/sessiontest": {ours: []string{"a2a", "a2a/sse", "session/check", "session/log", "session/model", "session/problem"}},
	"session/task":        {ours: []string{"a2a", "session/problem"}},
	"session/check":       {ours: []string{"a2a", "session/log", "session/tracker"}},
	"session/tracker":     {ours: []string{"a2a", "session/log", "session/task"}},
	"session/tap":         {ours: []string{"a2a", "a2a/coding", "a2a/httphead", "a2a/jsontok", "internal/crash", "internal/units", "session/cardaddress", "session/journal", "session/log", "session/request", "session/tap/relay", "a2a/hostname"}},
	"session/listen":      {ours: []string{"a2a/hostname"}},
	"session/tap/relay":   {ours: []string{"a2a/httphead", "a2a/sse", "internal/crash", "session/listen"}},
	"session/cardaddress": {ours: []string{"a2a", "a2a/jsontok"}},
	"session/request":     {ours: []string{"a2a", "a2a/jsonrpc", "a2a/jsontok"}},
	"session/serve":       {ours: []string{"a2a", "a2a/jsonrpc", "a2a/jsontok", "a2a/sse", "internal/crash", "internal/units", "session/cardaddress", "session/journal", "session/listen", "session/log", "session/request", "a2a/hostname"}},
	"session/script":      {ours: []string{"a2a", "internal/spelling", "internal/units", "internal/visible", "session/export/excerpt", "session/log", "session/model", "session/problem", "a2a/hostname"}},
	"session/filter":      {ours: []string{"a2a", "internal/units", "session/log", "session/task"}},

	"ui/cast":                 {ours: []string{"a2a", "internal/visible", "session/export", "session/export/excerpt", "ui", "ui/shot"}},
	"session/export":          {ours: []string{"a2a", "internal/crash", "internal/outlet", "internal/visible", "session/check", "session/export/har", "session/export/jsonl", "session/export/markdown", "session/export/otlp", "session/export/page", "session/export/excerpt", "session/export/redact", "session/export/shell", "session/journal", "session/log", "session/model", "session/script"}},
	"session/export/excerpt":  {ours: []string{"a2a", "internal/visible", "session/filter", "session/log", "session/model"}},
	"session/export/redact":   {ours: []string{"a2a", "internal/visible", "session/export/excerpt", "session/model"}},
	"session/export/har":      {ours: []string{"a2a", "a2a/sse", "internal/visible", "session/export/excerpt", "session/filter", "session/journal", "session/log", "session/model", "session/request"}},
	"session/export/jsonl":    {ours: []string{"a2a", "session/export/excerpt", "session/journal", "session/log"}},
	"session/export/markdown": {ours: []string{"a2a", "internal/units", "internal/visible", "session/export/excerpt", "session/log", "session/model"}},
	"session/export/otlp":     {ours: []string{"a2a", "internal/visible", "session/export/excerpt", "session/log", "session/model", "session/problem"}},
	"session/export/page":     {ours: []string{"a2a/hostname", "a2a", "internal/units", "internal/visible", "session/export/excerpt", "session/log", "session/model", "themes"}, theirs: []string{"github.com/yuin/goldmark"}},
	"session/export/shell":    {ours: []string{"a2a", "a2a/curl", "internal/visible", "session/export/excerpt", "session/log"}},

	"a2a":               {ours: []string{"internal/crash", "a2a/hostname", "a2a/aicatalog", "a2a/challenge", "a2a/coding", "a2a/foreign", "a2a/timestamp", "a2a/gather", "a2a/httphead", "a2a/jsonrpc", "a2a/jsontok", "a2a/longtext", "a2a/patterns", "a2a/pause", "a2a/pieces", "a2a/servertrust", "a2a/sse", "a2a/plaintext", "a2a/urlpath", "internal/distinct", "internal/units"}},
	"a2a/aicatalog":     {ours: []string{"a2a/hostname", "a2a/jsontok"}},
	"a2a/hostname":      {theirs: []string{"golang.org/x/net/idna"}},
	"a2a/coding":        {},
	"a2a/urlpath":       {},
	"a2a/foreign":       {},
	"a2a/challenge":     {},
	"a2a/servertrust":   {ours: []string{"a2a/hostname"}},
	"a2a/gather":        {},
	"a2a/longtext":      {},
	"a2a/timestamp":     {},
	"a2a/pause":         {ours: []string{"a2a/jsontok"}},
	"a2a/httphead":      {},
	"a2a/jsonrpc":       {ours: []string{"a2a/jsontok"}},
	"a2a/curl":          {ours: []string{"a2a"}},
	"a2a/grpc":          {ours: []string{"internal/crash", "a2a", "a2a/jsontok"}, theirs: []string{rpc, "google.golang.org/protobuf", "google.golang.org/genproto/googleapis/rpc", "github.com/a2aproject/a2a-go/a2apb", "github.com/a2aproject/a2a-go/v2/a2apb/v1"}},
	"a2a/grpc/grpctest": {ours: []string{"a2a", "a2a/grpc"}, theirs: []string{rpc}},
	"a2a/mesh":          {ours: []string{"internal/crash", "a2a"}, theirs: []string{mqtt, "github.com/gorilla/websocket"}},
	"a2a/mesh/meshtest": {ours: []string{"internal/porttest"}, theirs: []string{mqtt}},
	"a2a/lint":          {ours: []string{"a2a/hostname", "a2a", "a2a/jsonrpc", "a2a/jsontok", "a2a/urlpath", "internal/units"}},
	"a2a/jsontok":       {},
	"a2a/patterns":      {},
	"a2a/pieces":        {},
	"a2a/plaintext":     {ours: []string{"a2a/jsontok", "a2a/patterns"}},
	"a2a/socks":         {theirs: []string{"golang.org/x/net/proxy"}},
	"a2a/sse":           {},
	"a2a/webhook":       {ours: []string{"internal/crash", "a2a/hostname", "a2a/httphead"}},
	"a2a/a2atest":       {theirs: []string{txtar}},
	"a2a/a2atest/demo":  {ours: []string{"a2a/a2atest"}, theirs: []string{txtar}},

	"internal/attach":            {ours: []string{"a2a"}},
	"internal/catalogs":          {ours: []string{"a2a", "a2a/aicatalog", "session/card"}, theirs: []string{"github.com/sahilm/fuzzy"}},
	"internal/connection":        {ours: []string{"a2a/hostname"}},
	"internal/crash":             {},
	"internal/distinct":          {},
	"internal/doctor":            {ours: []string{"a2a", "internal/connection", "internal/units"}},
	"internal/signature":         {ours: []string{"a2a", "a2a/hostname"}, theirs: []string{"github.com/go-jose/go-jose/v4", "github.com/gowebpki/jcs"}},
	"internal/config":            {ours: []string{"a2a/hostname"}, theirs: []string{"github.com/joho/godotenv", "github.com/pelletier/go-toml/v2"}},
	"internal/roster":            {ours: []string{"internal/config", "internal/outlet", "internal/sharedfile"}, theirs: []string{"github.com/pelletier/go-toml/v2"}},
	"internal/heap":              {ours: []string{"internal/crash"}},
	"internal/help":              {ours: []string{"internal/spelling", "session/filter"}, theirs: []string{"github.com/spf13/cobra", "github.com/spf13/pflag"}},
	"internal/history":           {ours: []string{"internal/outlet", "a2a/hostname"}},
	"internal/filename":          {ours: []string{"internal/outlet"}},
	"internal/golden":            {theirs: []string{ansi, "github.com/aymanbagabas/go-udiff"}},
	"internal/certtest":          {},
	"internal/panetest":          {ours: []string{"ui/action", "ui/canvas", "ui/keys"}, theirs: []string{bubbles, tea, ansi, "github.com/dlclark/regexp2"}},
	"internal/tape":              {ours: []string{"a2a", "session/log", "session/model"}},
	"internal/tmux":              {},
	"internal/pipetest":          {},
	"internal/portscan":          {ours: []string{"internal/crash", "a2a"}},
	"internal/secrettest":        {},
	"internal/porttest":          {},
	"internal/spelling":          {},
	"internal/units":             {},
	"internal/visible":           {},
	"internal/outlet":            {},
	"internal/sharedfile":        {ours: []string{"internal/outlet"}},
	"internal/signin":            {ours: []string{"a2a", "a2a/challenge", "internal/crash", "internal/outlet", "internal/sharedfile", "internal/units", "a2a/hostname"}, theirs: []string{"github.com/coreos/go-oidc/v3", "github.com/zalando/go-keyring", "golang.org/x/oauth2"}},
	"internal/signin/signintest": {theirs: []string{"github.com/zitadel/oidc/v3"}},
	"internal/trust":             {ours: []string{"a2a", "a2a/jsontok", "internal/outlet", "internal/sharedfile", "internal/signature", "session/card"}},
}

// pane is the rule of all panes: shared packages and the model, never another pane.
var pane = rule{
	ours:   []string{"a2a", "a2a/hostname", "a2a/jsontok", "internal/units", "session/log", "session/model", "session/problem", "session/task", "session/filter", "ui/action", "ui/canvas", "ui/field", "ui/jsonview", "ui/keys", "ui/list", "ui/looks", "ui/markdown", "ui/sheet", "ui/styles"},
	theirs: []string{tea, bubbles, gloss, ansi},
}

// controls is the rule of a controller: the packages that controllers share, and the panes and
// packages of its topic, never another controller or the root model.
func controls(ours ...string) rule {
	return rule{ours: slices.Concat([]string{"ui/composer", "ui/control", "ui/menu", "ui/palette"}, pane.ours, ours), theirs: pane.theirs}
}

// editing is the rule of panes with an exact text editor.
var editing = rule{ours: append([]string{"ui/editor"}, pane.ours...), theirs: pane.theirs}

func TestDependenciesPointOneWay(t *testing.T) {
	seen := map[string]bool{}
	for pkg, imports := range moduleImports(t) {
		if strings.HasPrefix(pkg, "test/") { // whole-program tests may import everything
			continue
		}
		seen[pkg] = true
		r, known := direction[pkg]
		if !known {
			t.Errorf("got no rule for %s, want one here", pkg)
			continue
		}
		for _, imp := range imports {
			if ours, ok := strings.CutPrefix(imp, "parley/"); ok {
				if !slices.Contains(r.ours, ours) {
					t.Errorf("%s: got import %s, want only what its rule allows", pkg, ours)
				}
			} else if foreign(imp) && !slices.ContainsFunc(r.theirs, func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }) {
				t.Errorf("%s: got import %s, want only what its rule allows", pkg, imp)
			}
		}
	}
	for pkg := range direction {
		if !seen[pkg] {
			t.Errorf("got a rule for %s, which does not exist", pkg)
		}
	}
}

// Newer versions build a table at start-up that costs every run 18 ms.
func TestRunewidthStaysFastToStart(t *testing.T) {
	out := run(t, "go", "list", "-m", "-f", "{{.Version}}", "github.com/mattn/go-runewidth")
	if v := strings.TrimSpace(out); v != "v0.0.24" {
		t.Errorf("got go-runewidth %s, want v0.0.24, the last one that starts fast", v)
	}
}

// foreign reports whether an import path is outside the standard library.
func foreign(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

// moduleImports returns the imports of every package without its tests, by its path in the
// module.
func moduleImports(t *testing.T) map[string][]string {
	t.Helper()
	out := run(t, "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	all := map[string][]string{}
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(strings.TrimPrefix(fields[0], "parley"), "/")
		if name == "" {
			name = "."
		}
		all[name] = fields[1:]
	}
	return all
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}
