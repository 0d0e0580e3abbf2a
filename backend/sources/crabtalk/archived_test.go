package crabtalk

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

const (
	entry  = "archive-01JZ0000000000000000000000"
	stored = `{"agent":"crab","created_by":"user","created_at":"2026-04-01T10:00:00Z","updated_at":"2026-04-01T10:09:00Z","message_count":2,"summary":"What was said"}`
	said   = `{"message":{"role":"user","content":[{"type":"text","text":"more"}]}}`
	before = `{"message":{"role":"user","content":[{"type":"text","text":"before"}]}}`
)

// TestMarkerWithAName: a compaction whose summary is in the agent's memory is one. The last has it in the metadata as well.
func TestMarkerWithAName(t *testing.T) {
	marker := `{"archive_name":"` + entry + `","archived_at":"2026-04-01T10:05:00Z"}`
	for meta, want := range map[string]string{
		stored: "user: What was said\nuser: more\n",
		strings.Replace(stored, `,"summary":"What was said"`, "", 1): "user: [summary not readable: empty]\nuser: more\n",
	} {
		_, r := read(t, map[string]string{
			dir + "crab_user_1/meta": meta, dir + "crab_user_1/step-000001": before, dir + "crab_user_1/step-000002": marker,
			dir + "crab_user_1/step-000003": before, dir + "crab_user_1/step-000004": marker, dir + "crab_user_1/step-000005": said,
		})
		if got := r.Seen(t); got != want || strings.Count(r.Story(), "compaction") != 2 || strings.Count(r.Story(), "unknown: What was said") > 1 {
			t.Errorf("%s%s", got, r.Story())
		}
	}
}

// inColumn is a record of a column.
func inColumn(column byte, key, value string) string {
	record := []byte(put(0, key, value))
	record[1] = column
	return string(record)
}

// TestRealm: some versions begin all keys with a realm, keep summaries in the memory, and index sessions under other keys.
func TestRealm(t *testing.T) {
	const handle = "01JZ1111111111111111111111"
	for name, c := range map[string]struct{ meta, memory, want string }{
		"in the memory":   {strings.Replace(stored, "What was said", "older", 1), `{"name":"` + entry + `","kind":"archive","content":"What was said"}`, "user: What was said\nuser: more\n"},
		"in the metadata": {stored, "", "user: What was said\nuser: more\n"},
		"nowhere":         {strings.Replace(stored, "What was said", "", 1), "", "user: [summary not readable: empty]\nuser: more\n"},
	} {
		text := storeOf(nil, nil) + inColumn(1, "local/idx/sess/crab/user/2026/"+handle, handle) + inColumn(1, "local/session/"+handle+"/meta", c.meta) +
			inColumn(1, "local/session/"+handle+"/archive", `"`+entry+`"`) + inColumn(1, "local/session/"+handle+"/msg/000000000000", said) +
			inColumn(1, "local/session/"+handle+"/evt/000000000000", talk[6]) + inColumn(6, "doc/session/"+handle+"/msg/000000000000", "\x00")
		if c.memory != "" {
			text += inColumn(2, "local/memory/"+entry, c.memory)
		}
		found, r := read(t, map[string]string{".crabtalk/store.crmem": text})
		if got := r.Seen(t); found.ID != handle || found.FirstMessage != "more" || found.Model != "m" || r.Damaged > 0 || got != c.want {
			t.Errorf("%s: %+v\n%s%s", name, found, got, r.Story())
		}
	}
}

// TestTwoRealms: one handle in two realms is two sessions.
func TestTwoRealms(t *testing.T) {
	text := storeOf(nil, nil)
	for _, realm := range []string{"local/", "other/"} {
		text += inColumn(1, realm+"session/h/meta", stored) + inColumn(1, realm+"session/h/msg/000000000000", strings.Replace(said, "more", realm, 1))
	}
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".crabtalk/store.crmem": text}))
	seen := ""
	for _, f := range sourcetest.Find(t, Source{}, env) {
		seen += sourcetest.Read(t, Source{}, env, f).Seen(t)
	}
	if !strings.Contains(seen, "user: local/\n") || !strings.Contains(seen, "user: other/\n") {
		t.Error(seen)
	}
}
