package server

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend"
)

// TestAskedOverHTTP: a page that is loaded while a turn asks sees the question, answers it, and takes the change back.
func TestAskedOverHTTP(t *testing.T) {
	f, model := talking(t)
	dir := t.TempDir()
	id := ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions", fmt.Sprintf(`{"cwd":%q}`, dir)).ID
	at := "/api/sessions/" + id
	n := f.subscribe(t)
	sent := ok[backend.Sent](f, http.StatusCreated, "POST", at+"/messages", `{"text":"write it"}`)
	model.Next().Call(0, "c1", "write", `{"path":"a","content":"x\n"}`).End("tool_calls")
	n.until("permission", sent.TurnID)
	asking := ok[backend.Turns](f, http.StatusOK, "GET", at+"/turns", "").Running
	if asking.State != "asking" || asking.Asking == nil || asking.Asking.Diff != "--- /dev/null\n+++ b/a\n@@ -0,0 +1,1 @@\n+x\n" {
		t.Fatalf("%+v", asking)
	}
	answers := at + "/turns/" + sent.TurnID + "/answers"
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", answers, `{"callId":"c1","answer":"perhaps"}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", answers, `{"callId":"c1","answer":"once","more":1}`)
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", answers, `{"callId":"c2","answer":"once"}`)
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", answers, `{"callId":"c1","asked":2,"answer":"once"}`)
	answered := ok[backend.Answered](f, http.StatusOK, "POST", answers, `{"callId":"c1","asked":1,"answer":"session"}`)
	if answered.Answer != "session" || len(answered.Rules) != 1 || answered.Problem != nil {
		t.Errorf("%+v", answered)
	}
	n.until("answered", sent.TurnID)
	model.Next().Answer("done")
	n.until("done", sent.TurnID)
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", answers, `{"callId":"c1","answer":"once"}`)

	dry := ok[backend.FileUndo](f, http.StatusOK, "POST", at+"/undos", `{"sinceSeq":1,"dryRun":true}`)
	if len(dry.Files) != 1 || dry.Files[0].Blocked != nil || dry.CommittedSeq != nil || !strings.Contains(dry.Files[0].Diff, "-x") {
		t.Errorf("%+v", dry)
	}
	f.refused(http.StatusConflict, backend.CodeStale, "POST", at+"/undos", `{"sinceSeq":1,"state":"x"}`)
	if done := ok[backend.FileUndo](f, http.StatusCreated, "POST", at+"/undos", `{"sinceSeq":1,"untilSeq":0,"state":"`+dry.State+`"}`); done.CommittedSeq == nil {
		t.Errorf("%+v", done)
	}
	if _, err := os.Stat(filepath.Join(dir, "a")); err == nil {
		t.Error("the file is still there")
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/undos", `{"sinceSeq":-1}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/undos", `{"untilSeq":-1}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/undos", `{"sinceSeq":1}`)
}

func TestRulesOverHTTP(t *testing.T) {
	f := start(t)
	at := "/api/sessions/" + f.session() + "/permissions"
	if got := f.ask("GET", at, ""); !strings.Contains(string(got.body), `"permissions":[],"inherited":[{"rule":"read(**)","effect":"allow","scope":"default"}`) ||
		!strings.Contains(string(got.body), `"noTools":"the session has no folder`) {
		t.Errorf("%s", got.body)
	}
	const rules = `{"permissions":[{"rule":"bash(make *)","effect":"allow"},{"rule":"write","effect":"deny"}]}`
	if got := ok[backend.Permissions](f, http.StatusOK, "PUT", at, rules); len(got.Permissions) != 2 {
		t.Errorf("%+v", got)
	}
	f.refused(http.StatusConflict, backend.CodeStale, "PUT", at, `{"permissions":[],"base":[]}`)
	for _, wrong := range []string{`{}`, `{"permissions":[{"rule":"bash(","effect":"allow"}]}`, `{"permissions":[{"rule":"ls","effect":"yes"}]}`} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", at, wrong)
	}
	if got := ok[backend.Permissions](f, http.StatusOK, "GET", at, ""); len(got.Permissions) != 2 {
		t.Errorf("%+v", got)
	}
	if got := ok[backend.Permissions](f, http.StatusOK, "PUT", at, `{"permissions":[],"base":[{"rule":"bash(make *)","effect":"allow"},{"rule":"write","effect":"deny"}]}`); len(got.Permissions) != 0 {
		t.Errorf("%+v", got)
	}
}
