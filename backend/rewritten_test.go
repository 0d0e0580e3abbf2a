package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/sourcetest"
)

// TestRewrittenBetweenTwoScans: Codex rewrites older sessions in place, packs them and puts them away. It stays one session, with each
// message once, in lists, in the index and in the copy that was imported.
func TestRewrittenBetweenTwoScans(t *testing.T) {
	const name = "rollout-2026-01-02T10-00-00-019a0000-0000-7000-8000-000000000001.jsonl"
	lines := []string{
		`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"019a0000-0000-7000-8000-000000000001","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}`,
		`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"the needle"}]}}`,
		`{"timestamp":"2026-01-02T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"the needle"}}`,
		`{"timestamp":"2026-01-02T10:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"found"}]}}`,
		`{"timestamp":"2026-01-02T10:00:02Z","type":"event_msg","payload":{"type":"agent_message","message":"found"}}`,
	}
	legacy := strings.Join(lines, "\n") + "\n"
	for i := range lines {
		lines[i] = strings.Replace(lines[i], `Z",`, `Z","ordinal":`+string(rune('0'+i))+`,`, 1)
	}
	lines[0] = strings.Replace(lines[0], `"cwd"`, `"history_mode":"paginated","cwd"`, 1)
	lines[2] = strings.Replace(lines[2], `{"type":"user_message","message":"the needle"}`, `{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"the needle"}]}}`, 1)
	lines[4] = strings.Replace(lines[4], `{"type":"agent_message","message":"found"}`, `{"type":"item_completed","item":{"type":"AgentMessage","content":[{"type":"Text","text":"found"}]}}`, 1)
	paginated := strings.Join(lines, "\n") + "\n"
	pack, err := zstd.NewWriter(nil)
	newsMust(t, err)
	packed := string(pack.EncodeAll([]byte(paginated), nil))

	home := t.TempDir()
	b := abroad(t, home)
	inUse, away := filepath.Join(home, ".codex", "sessions", "2026", "01", "02"), filepath.Join(home, ".codex", "archived_sessions")
	copied, before := "", ""
	for _, step := range []struct{ name, dir, file, text string }{
		{"as it was written", inUse, name, legacy}, {"rewritten", inUse, name, paginated}, {"packed", inUse, name + ".zst", packed}, {"put away", away, name + ".zst", packed},
	} {
		path := sourcetest.Write(t, step.dir, step.file, step.text)
		if before != "" && before != path {
			newsMust(t, os.Remove(before))
		}
		before = path
		scanned(t, b)
		listed, err := b.List(t.Context(), ListOptions{Agent: "codex", Archived: true})
		newsMust(t, err)
		if len(listed) != 1 || *listed[0].MessageCount != 2 || listed[0].Gone || (listed[0].ArchivedAt != nil) != (step.dir == away) {
			t.Errorf("%s: %+v", step.name, listed)
		}
		if found := look(t, b, "needle scope:user agent:codex"); len(found.Hits) != 1 || found.Hits[0].Count != 1 {
			t.Errorf("%s: %+v", step.name, found.Hits)
		}
		made, err := b.Import(t.Context(), "codex:019a0000-0000-7000-8000-000000000001")
		newsMust(t, err)
		if copied != "" && made.ID != copied && (made.Replaced == nil || *made.Replaced != copied) || *made.MessageCount != 2 {
			t.Errorf("%s: %+v", step.name, made)
		}
		if own, err := b.List(t.Context(), ListOptions{Agent: "palimpsest"}); err != nil || len(own) != 1 {
			t.Errorf("%s: %v, %+v", step.name, err, own)
		}
		copied = made.ID
	}
}

// TestATimeForThoseThatTellNone: what can't be read was at least written once.
func TestATimeForThoseThatTellNone(t *testing.T) {
	home := t.TempDir()
	path := sourcetest.Write(t, home, ".codex/sessions/rollout-2025-05-07-019a0000-0000-7000-8000-000000000001.json", `{"session":`)
	written := time.Date(2026, 1, 2, 10, 0, 0, 0, time.UTC)
	newsMust(t, os.Chtimes(path, written, written))
	listed, err := abroad(t, home).List(t.Context(), ListOptions{})
	newsMust(t, err)
	if len(listed) != 1 || listed[0].Problem == nil || listed[0].CreatedAt != stamp(written) || listed[0].LastMessageAt != stamp(written) || listed[0].MessageCount != nil {
		t.Errorf("%+v", listed)
	}
}

// TestClearedAfterItWasScanned: opencode clears output in earlier messages after an answer has ended, and notes that at the session no more.
func TestClearedAfterItWasScanned(t *testing.T) {
	home := t.TempDir()
	inDatabase(t, home, opencodePlace, opencodeRows+`
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL);
INSERT INTO event_sequence VALUES ('ses_1', 4);
INSERT INTO part VALUES ('p4', 'm2', 'ses_1', '{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"a needle","time":{"start":1,"end":2}}}')`)
	b := abroad(t, home)
	scanned(t, b)
	if found := look(t, b, "needle in:context"); len(found.Hits) != 1 {
		t.Fatalf("%+v", found)
	}
	inDatabase(t, home, opencodePlace, `UPDATE part SET data = json_set(data, '$.state.time.compacted', 3) WHERE id = 'p4'; UPDATE event_sequence SET seq = 5`)
	scanned(t, b)
	if found := look(t, b, "needle in:dropped"); len(found.Hits) != 1 {
		t.Errorf("%+v", found)
	}
}

// TestDamagedSinceItWasFound: of a session whose file is emptied, damaged or another's by now, what was read before stays in the index, also
// where it is looked at because it changed, and not because all are.
func TestDamagedSinceItWasFound(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "zeros": strings.Repeat("\x00", 3000), "no JSON": "gone\n", "another's": "{\"a\":1}\n"} {
		home := t.TempDir()
		path := filepath.Join(home, filepath.FromSlash(claudePlace))
		newsMust(t, os.MkdirAll(filepath.Dir(path), 0o700))
		newsMust(t, os.WriteFile(path, []byte(claudeText), 0o600))
		b := scanOf(t, home, t.TempDir(), claudecode.Source{})
		newsMust(t, b.Scan(t.Context(), false, nil))
		all, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		before := look(t, b, *all[0].FirstMessage)
		newsMust(t, os.WriteFile(path, []byte(text), 0o600))
		stock := b.indexing.stock
		items, err := stock.Look(t.Context(), []string{all[0].ID})
		newsMust(t, err)
		why := stock.Read(t.Context(), items[0], func() error { return nil })
		if after := look(t, b, *all[0].FirstMessage); why == nil || len(before.Hits) != 1 || len(after.Hits) != 1 {
			t.Errorf("%s: %v, %+v, %+v", name, why, before, after)
		}
	}
}
