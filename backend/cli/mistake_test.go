package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// TestMistake: a panic in a verb is an error as any other, also for who reads JSON.
func TestMistake(t *testing.T) {
	t.Setenv("AGENT_HOME", t.TempDir())
	var out, errs bytes.Buffer
	deps := Deps{Sources: func() ([]sources.Source, func() error) { panic("it is broken") }}
	code := Run(t.Context(), []string{"list", "--json"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, deps)
	if code != 1 || !strings.Contains(out.String(), `it is broken`) || !json.Valid(out.Bytes()) {
		t.Errorf("code %d, %s, %s", code, out.String(), errs.String())
	}
}
