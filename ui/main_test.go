package ui

import (
	"testing"

	"parley/internal/panetest"
)

func TestMain(m *testing.M) { panetest.Main(m) }
