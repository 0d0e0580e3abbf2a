package server

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend"
)

// TestInjectedOverHTTP: always with its size and parts, and as messages where they are asked for.
func TestInjectedOverHTTP(t *testing.T) {
	f := start(t)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Use tabs."), 0o600))
	body, err := json.Marshal(map[string]string{"cwd": dir, "systemPrompt": "Be terse."})
	must(t, err)
	made := ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions", string(body))
	at := "/api/sessions/" + made.ID + "/context"
	c := ok[backend.Context](f, http.StatusOK, "GET", at, "")
	if len(c.Messages) != 0 || len(c.Injected.Parts) != 4 || c.Parts.Injected != c.Tokens.Calibrated || c.Tokens.Estimate != 0 || c.Parts.Injected == 0 {
		t.Errorf("%+v", c)
	}
	c = ok[backend.Context](f, http.StatusOK, "GET", at+"?messages=0&injected=1", "")
	var told []string
	for _, m := range c.Messages {
		told = append(told, m.Role+" "+m.Overlay+" "+string(m.Content[0]))
	}
	if got := strings.Join(told, "\n"); len(told) != 3 || !strings.HasPrefix(got, `system injected {"type":"text","text":"Be terse."}`) || !strings.Contains(got, "Use tabs.") {
		t.Error(got)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", at+"?injected=maybe", "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/sessions", `{"systemPrompt":"`+strings.Repeat("x", 65<<10)+`"}`)
}

// TestRefusedByTheHook is a conflict that says why, and writes nothing.
func TestRefusedByTheHook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the command is the shell's")
	}
	t.Setenv("PALIMPSEST_COMPACTION_HOOK", `echo '{"refuse":"the release is today"}'`)
	f := start(t)
	made := ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions", `{}`)
	at := "/api/sessions/" + made.ID
	ok[struct{}](f, http.StatusCreated, "POST", at+"/records", `{"recordType":"message","role":"user","content":[{"type":"text","text":"one"}]}`)
	f.refused(http.StatusConflict, backend.CodeRefused, "POST", at+"/compactions", `{"offline":true,"keepRecent":0}`)
	f.refused(http.StatusConflict, backend.CodeRefused, "POST", at+"/compactions", `{"offline":true,"keepRecent":0,"dryRun":true}`)
	done := ok[backend.Compacted](f, http.StatusCreated, "POST", at+"/compactions", `{"summary":"by hand","keepRecent":0}`)
	if done.CommittedSeq == nil || done.Draft.Hook != nil {
		t.Errorf("%+v", done)
	}
}
