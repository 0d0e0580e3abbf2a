package claudecode

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/sources/sourcetest"
)

// TestNothingIsLost: what is off the path is in the log.
func TestNothingIsLost(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), `a - "isSidechain":true,`+user("aside"), "2 1 "+user("old"), "3 1 "+user("new"), "4 9 "+user("lost")))
	var logs []byte
	for _, f := range sourcetest.Find(t, Source{}, env) {
		logs = append(logs, sourcetest.Read(t, Source{}, env, f).Log...)
	}
	for _, text := range []string{"one", "aside", "old", "new", "lost"} {
		if !bytes.Contains(logs, []byte(`"`+text+`"`)) {
			t.Errorf("%q is not there", text)
		}
	}
}

func TestMessages(t *testing.T) {
	r := read(t, rows("1 - "+`"type":"user","message":{"role":"user","content":[{"type":"text","text":"<system-reminder>x"},{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AQID"}}]}`,
		"2 1 "+said("m", text("A"), 1), "3 2 "+said("m", call("c"), 9), `4 3 "toolUseResult":"Error: no",`+done("c", "no"),
		`5 4 "isApiErrorMessage":true,"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error"}],"usage":{"input_tokens":0}}`))
	var messages []*record.Message
	for _, rec := range r.Records {
		if rec.Message != nil {
			messages = append(messages, rec.Message)
		}
	}
	if len(messages) != 4 || len(r.Blobs) != 1 {
		t.Fatalf("%d messages, %d blobs\n%s", len(messages), len(r.Blobs), r.Log)
	}
	if got := sourcetest.Plain(messages[0].Content); got != "look | [image]" {
		t.Error(got)
	}
	if u := messages[1].Usage; u == nil || *u != (record.Usage{Input: 3, Output: 9, CacheRead: 2, CacheWrite: 1}) || messages[1].StopReason != "stop" {
		t.Errorf("%+v", messages[1])
	}
	if !messages[2].IsError {
		t.Error("a twin told of the error")
	}
	if m := messages[3]; m.StopReason != record.StopError || m.ErrorMessage != "API Error" || m.Usage != nil || m.Model != "" {
		t.Errorf("%+v", m)
	}
	if m := r.Context(t).Model; m.Model != "claude-x" || m.Provider != "anthropic" {
		t.Errorf("%+v", m)
	}
}

// TestBlocksOfOtherKinds: Claude Code sends again what it has no kind for. Thinking that nobody can read fares as all thinking.
func TestBlocksOfOtherKinds(t *testing.T) {
	const pdf = `{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AQID"}}`
	answer := func(blocks string) string {
		return `"type":"assistant","message":{"id":"m","model":"claude-x","content":[` + blocks + `]}`
	}
	r := read(t, rows("1 - "+`"type":"user","message":{"role":"user","content":[`+pdf+`,{"type":"image","source":{"type":"url","url":"https://x.test/a.png"}}]}`,
		"2 1 "+answer(`{"type":"redacted_thinking","data":"s"},{"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s","content":[]},{"type":"text","text":"A"},{"type":"tool_use","id":"c","name":"Read","input":{}}`),
		`3 2 "type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[`+pdf+`]}]}`, "4 3 "+strings.Replace(answer(`{"type":"redacted_thinking","data":"s"}`), `"m"`, `"n"`, 1)))
	want := []string{"user: [as it is] | [as it is]", "assistant: () | [as it is] | [as it is] | A | Read{}", "toolResult: [as it is]"}
	if got := r.View(t); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := len(r.Context(t).Repairs); got != 1 { // the answer that only thinks
		t.Errorf("%+v", r.Context(t).Repairs)
	}
}

// TestFilesAreKeptBesideTheLog: what is in a document stands in no line and no search; what is said of it does.
func TestFilesAreKeptBesideTheLog(t *testing.T) {
	const of = `{"type":"document","title":"Lanterns","source":{"type":"%s","media_type":"%s","data":"%s"},"citations":{"enabled":true}}`
	r := read(t, rows("1 - "+`"type":"user","message":{"role":"user","content":[`+fmt.Sprintf(of, "base64", "application/pdf", "JVBERi0=")+`,`+fmt.Sprintf(of, "text", "text/plain", "wick and oil")+`]}`))
	blocks := r.Context(t).Messages[0].Content
	file := blocks[0].JSON
	if len(blocks) != 2 || blocks[0].Kind != record.BlockAsIs || blocks[0].Blob == "" || strings.Contains(file, "JVBERi0=") || !strings.Contains(file, `"mediaType":"application/pdf"`) ||
		!strings.Contains(file, `"bytes":5,"citations":{"enabled":true},"title":"Lanterns","sentAsIs":true}`) {
		t.Error(file)
	}
	if blocks[1].Blob != "" || !strings.Contains(blocks[1].JSON, "wick and oil") {
		t.Error(blocks[1].JSON)
	}
}

// TestCopiedRows: the tokens of what was copied from another session are that one's.
func TestCopiedRows(t *testing.T) {
	if r := read(t, rows("1 - "+user("one"), "2 1 "+said("m", text("A"), 1), `3 2 "requestSessionId":"o",`+user("two"), "4 3 "+said("n", text("B"), 1))); bytes.Count(r.Log, []byte(`"usage"`)) != 1 {
		t.Errorf("what stands before a copied row was copied, too:\n%s", r.Log)
	}
	for name, mark := range map[string]string{
		"a fork": `"forkedFrom":{"sessionId":"o","messageUuid":"2"},`, "a newer fork": `"requestSessionId":"o",`, "a continuation": `"sessionId":"o",`,
	} {
		r := read(t, rows("1 - "+mark+user("one"), "2 1 "+mark+said("m", text("A"), 1), "3 2 "+user("two"), "4 3 "+said("n", text("B"), 1)))
		usages := 0
		for _, rec := range r.Records {
			if rec.Message != nil && rec.Message.Usage != nil {
				usages++
			}
		}
		if usages != 1 {
			t.Errorf("%s: %d usages", name, usages)
		}
	}
}

// TestRowsOfSeveralSessions: what another session's id stands in is counted here, unless it stands before all of this session's own.
func TestRowsOfSeveralSessions(t *testing.T) {
	other := `"sessionId":"o",`
	for name, lines := range map[string][]string{
		"behind": {"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + other + user("two"), "4 3 " + other + said("n", text("B"), 1)},
		"all":    {"1 - " + other + user("one"), "2 1 " + other + said("m", text("A"), 1), "3 2 " + other + user("two"), "4 3 " + other + said("n", text("B"), 1)},
	} {
		if r := read(t, rows(lines...)); bytes.Count(r.Log, []byte(`"usage"`)) != 2 || bytes.Contains(r.Log, []byte(`"copied"`)) {
			t.Errorf("%s:\n%s", name, r.Log)
		}
	}
}

// TestSpilledOutput: the whole of an output that was too long is kept, if it is in the session's own folder.
func TestSpilledOutput(t *testing.T) {
	spilled := func(path string) string {
		return rows("1 - "+user("one"), "2 1 "+said("m", call("c"), 1), "3 2 "+done("c", `<persisted-output>\nFull output saved to: `+path+`\n\nPreview`))
	}
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, "secret.txt", "secret")
	folder := ".claude/projects/-w/" + id + "/tool-results/"
	sourcetest.Write(t, env.Home, folder+"a.txt", "the whole")
	if err := os.Symlink(filepath.Join(env.Home, "secret.txt"), filepath.Join(env.Home, filepath.FromSlash(folder), "link.txt")); err != nil {
		t.Skip(err)
	}
	for path, want := range map[string]int{
		"/elsewhere/" + id + "/tool-results/a.txt": 1, `C:\\x\\tool-results\\a.txt`: 1, "/x/link.txt": 0, "/x/..": 0, "../../../../../secret.txt": 0, "/x/gone.txt": 0,
	} {
		sourcetest.Write(t, env.Home, place, spilled(path))
		r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
		if len(r.Blobs) != want || !strings.HasPrefix(r.View(t)[2], "toolResult: <persisted-output>") {
			t.Errorf("%s: %d blobs, %q", path, len(r.Blobs), r.View(t))
		}
		if unread := strings.Contains(string(r.Log), "[left out: the whole of the output link.txt can't be read: "); unread != (path == "/x/link.txt") {
			t.Errorf("%s: %s", path, r.Log)
		}
		for _, blob := range r.Blobs {
			if string(blob) != "the whole" {
				t.Errorf("%s: %q", path, blob)
			}
		}
	}
}

// TestSpilledTooLong: that the whole of an output is too long to be read is told.
func TestSpilledTooLong(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	whole := sourcetest.Write(t, env.Home, ".claude/projects/-w/"+id+"/tool-results/a.txt", "the whole")
	sourcetest.Stretch(t, whole, 64<<20)
	sourcetest.Write(t, env.Home, place, rows("1 - "+user("one"), "2 1 "+said("m", call("c"), 1), "3 2 "+done("c", `<persisted-output>\nFull output saved to: `+whole+`\n\nPreview`)))
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Overlong() != "a.txt: output of 67108864" || len(r.View(t)) != 3 {
		t.Errorf("%q, %q", r.Overlong(), r.View(t))
	}
}

func TestCompactionTells(t *testing.T) {
	r := read(t, rows("1 - "+user("one"), "2 - "+boundary(`,"compactMetadata":{"trigger":"auto","preTokens":100,"postTokens":7}`), "3 2 "+summed))
	var c *record.Compaction
	for _, rec := range r.Records {
		if rec.Compaction != nil {
			c = rec.Compaction
		}
	}
	if c == nil || c.TokensBefore != 100 || c.TokensAfter == nil || *c.TokensAfter != 7 || c.Trigger != "threshold" || c.Summary != "S" {
		t.Errorf("%+v", c)
	}
	if m := r.Context(t).Messages; len(m) != 1 || m[0].Overlay != overlay.OverlayCompaction {
		t.Errorf("%+v", m)
	}
}

// TestRootSummaryCovers: a summary that hangs below no other row covers the conversation before it, which is not left behind by a branch.
func TestRootSummaryCovers(t *testing.T) {
	r := read(t, rows("1 - "+user("one"), "2 1 "+said("m", text("A"), 1), "3 - "+summed, "4 3 "+user("two")))
	compactions := 0
	for _, rec := range r.Records {
		if rec.Branch != nil {
			t.Errorf("a branch from %d", rec.Branch.FromSeq)
		}
		if rec.Compaction != nil {
			compactions++
		}
	}
	if compactions != 1 {
		t.Errorf("%d compactions", compactions)
	}
	if m := r.Context(t).Messages; len(m) != 2 || m[0].Overlay != overlay.OverlayCompaction {
		t.Errorf("%+v", m)
	}
}
