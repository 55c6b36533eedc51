// Floor is the smallest Bubble Tea program that imports what Parley imports: it draws one line
// and ends. Parley's start is compared with its start.
package main

import (
	"fmt"
	"os"

	_ "net/http"

	_ "charm.land/bubbles/v2/help"
	_ "charm.land/bubbles/v2/spinner"
	_ "charm.land/bubbles/v2/textarea"
	_ "charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	_ "charm.land/glamour/v2/ansi"
	_ "charm.land/lipgloss/v2"
	_ "github.com/alecthomas/chroma/v2/lexers"
	_ "github.com/andybalholm/brotli"
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/charmbracelet/x/ansi"
	_ "github.com/coreos/go-oidc/v3/oidc"
	_ "github.com/go-jose/go-jose/v4"
	_ "github.com/gowebpki/jcs"
	_ "github.com/joho/godotenv"
	_ "github.com/klauspost/compress/zstd"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/sahilm/fuzzy"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/pflag"
	_ "github.com/yuin/goldmark/extension"
	_ "github.com/zalando/go-keyring"
	_ "golang.org/x/image/draw"
	_ "golang.org/x/image/font/gofont/gomono"
	_ "golang.org/x/image/font/gofont/gomonobold"
	_ "golang.org/x/image/font/opentype"
	_ "golang.org/x/image/webp"
	_ "golang.org/x/net/idna"
	_ "golang.org/x/oauth2/clientcredentials"
	_ "golang.org/x/tools/txtar"
)

type model struct{}

func (model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, key := msg.(tea.KeyPressMsg); key {
		return m, tea.Quit
	}
	return m, nil
}

func (model) View() tea.View { return tea.View{Content: "conversation", AltScreen: true} }

func main() {
	if _, err := tea.NewProgram(model{}, tea.WithFPS(120)).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
