package openclaw

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

func as(id, events string) string { return strings.Replace(events, `"id":"s1"`, `"id":"`+id+`"`, 1) }

// TestFiles: the index, what it does not name, what was set aside; nothing twice.
func TestFiles(t *testing.T) {
	one := text("1 - "+user("<tag>"), "2 1 "+user("[WhatsApp +1 555 2026-01-02 10:00] hello there"), "3 2 "+said("x"))
	home := sourcetest.Home(t, map[string]string{
		sessionsDir + "sessions.json":                                 index1(`{"label":"My label","archivedAt":5}`),
		sessionsDir + "s1.jsonl":                                      one,
		sessionsDir + "s1.trajectory.jsonl":                           one,
		sessionsDir + "s1.checkpoint.0f.jsonl":                        one,
		sessionsDir + "s1.jsonl.bak.2026-01-02T10-00-00.000Z":         one,
		sessionsDir + "s1.jsonl.reset.2026-01-01T10-00-00.000Z":       text("1 - " + user("before")),
		sessionsDir + "s2.jsonl":                                      as("s2", text("1 - "+user("an older one"))),
		sessionsDir + "s3.jsonl.deleted.2026-01-01T10-00-00.000Z.zst": packed(t, as("s3", text("1 - "+user("deleted")))),
		sessionsDir + "s1-topic-7.jsonl":                              text("1 - " + user("a topic")),
		sessionsDir + "2026-01-02_s4.jsonl":                           strings.Replace(as("s4", text("1 - "+user("rotated"))), `"cwd"`, `"parentSession":"/x/2026_s2.jsonl","cwd"`, 1),
		sessionsDir + "s5.jsonl":                                      "not a transcript\n{\"a\":1}\n",
		sessionsDir + "s6.jsonl":                                      "",
		".openclaw/agents/main/sessions/sessions.json.bak.1":          "{}",
		".openclaw-work/agents/other/sessions/s8.jsonl":               as("s8", text("1 - "+user("of a profile"))),
		".clawdbot/agents/main/sessions/s9.jsonl":                     as("s9", text("1 - "+user("of the first name"))),
		"elsewhere/main/s10.jsonl":                                    as("s10", text("1 - "+user("where the settings say"))),
		".openclaw/openclaw.json":                                     `{"session":{"store":"~/elsewhere/{agentId}/sessions.json"}}`,
	})
	env := sourcetest.Env(t, home)
	sourcetest.Unchanged(t, home, func() {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		want := []string{"s1", "s1-topic-7", "s1.jsonl.reset.2026-01-01T10-00-00.000Z", "s10", "s2", "s3", "s4", "s6", "s8", "s9"}
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
			t.Fatal(got)
		}
		f := found["s1"]
		if f.Title != "My label" || f.FirstMessage != "hello there" || f.Cwd != "/w" || f.Model != "m" || !f.Archived || f.UpdatedAt.Second() != 2 || *f.Messages != 3 || *f.Compactions != 0 {
			t.Errorf("%+v", f)
		}
		if f := found["s4"]; f.Parent != "s2" || f.Relation != sources.Fork {
			t.Errorf("%+v", f)
		}
		if f := found["s3"]; !f.Archived || f.FirstMessage != "deleted" {
			t.Errorf("%+v", f)
		}
		if found["s6"].Problem == "" {
			t.Error("an empty file is not told of")
		}
		delete(found, "s6")
		for id, f := range found {
			if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil || r.Damaged > 0 || len(r.Records) < 2 {
				t.Errorf("%s: %v, %d damaged, %s", id, r.Err, r.Damaged, r.Story())
			}
		}
	})
}

// TestSetAsideOnce: what was set aside of a session is listed as long as no other file of it holds all of that.
func TestSetAsideOnce(t *testing.T) {
	const live, first, second = "s1.jsonl", "s1.jsonl.reset.2026-01-01T10-00-00.000Z", "s1.jsonl.reset.2026-01-02T10-00-00.000Z"
	one, two, other := text("1 - "+user("one")), text("1 - "+user("one"), "2 1 "+user("two")), text("1 - "+user("other"))
	for name, c := range map[string]struct{ files, want map[string]string }{
		"the same":       {map[string]string{live: one, first: one}, map[string]string{"s1": live}},
		"the beginning":  {map[string]string{live: two, first: one}, map[string]string{"s1": live}},
		"longer":         {map[string]string{live: one, first: two}, map[string]string{"s1": live, first: first}},
		"another":        {map[string]string{live: two, first: other}, map[string]string{"s1": live, first: first}},
		"twice the same": {map[string]string{live: other, first: one, second: one}, map[string]string{"s1": live, first: first}},
		"only that":      {map[string]string{first: one, second: two}, map[string]string{"s1": second}},
		"packed":         {map[string]string{live: two, first + ".zst": packed(t, one)}, map[string]string{"s1": live}},
		"packed, apart":  {map[string]string{live: two, first + ".zst": packed(t, other)}, map[string]string{"s1": live, first: first + ".zst"}},
		"deleted":        {map[string]string{first: one, "s1.jsonl.deleted.2026-01-03T10-00-00.000Z": one}, map[string]string{"s1": "s1.jsonl.deleted.2026-01-03T10-00-00.000Z"}},
	} {
		home := t.TempDir()
		for file, text := range c.files {
			sourcetest.Write(t, home, sessionsDir+file, text)
		}
		env := sourcetest.Env(t, home)
		env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "1")
		for range 2 { // from memory, too
			got := map[string]string{}
			for _, f := range sourcetest.Find(t, Source{}, env) {
				got[f.ID] = filepath.Base(f.Files[0])
				if r := sourcetest.Read(t, Source{}, env, f); r.Err != nil {
					t.Errorf("%s: %s: %v", name, f.ID, r.Err)
				}
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
}

// TestCopiedProfiles: a session that went on in a copy of the directory of state is there as often as it went on; copies that did not are not.
func TestCopiedProfiles(t *testing.T) {
	const file = "/agents/main/sessions/s1.jsonl"
	begun := []string{"1 - " + user("one"), "2 1 " + said("x")}
	home := sourcetest.Home(t, map[string]string{
		".openclaw" + file: text(append(slices.Clone(begun), "3 2 "+user("here"))...), ".openclaw-old" + file: text(begun...),
		".openclaw-a" + file: text(append(slices.Clone(begun), "3 2 "+user("there"))...), ".openclaw-b" + file: text(append(slices.Clone(begun), "3 2 "+user("elsewhere"))...),
	})
	env := sourcetest.Env(t, home)
	seen := map[string]bool{}
	for _, f := range sourcetest.Find(t, Source{}, env) {
		r := sourcetest.Read(t, Source{}, env, f)
		if r.Err != nil {
			t.Errorf("%s: %v", f.ID, r.Err)
		}
		seen[strings.Join(r.View(t), ", ")] = true
	}
	for _, end := range []string{"here", "there", "elsewhere"} {
		if !seen["user: one, assistant: x, user: "+end] {
			t.Errorf("%s is not there: %v", end, seen)
		}
	}
	if len(seen) != 3 {
		t.Errorf("%v", seen)
	}
}

// TestSettingsElsewhere: the variable that moves the settings is heeded, and their store is looked into once.
func TestSettingsElsewhere(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		"elsewhere/main/s10.jsonl":     as("s10", text("1 - "+user("where the settings say"))),
		"settings/claw.json":           `{"session":{"store":"~/elsewhere/{agentId}/sessions.json"}}`,
		".openclaw-work/openclaw.json": `{}`,
		"elsewhere/main/sessions.json": `{}`,
	})
	env := sourcetest.Env(t, home)
	env.Getenv = func(name string) string {
		return map[string]string{"OPENCLAW_CONFIG_PATH": "~/settings/claw.json"}[name]
	}
	if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.ID != "s10" {
		t.Errorf("%+v", f)
	}
}

// TestDatabaseWins: a session that is in both is that of the database; one that only the files have is theirs.
func TestDatabaseWins(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		sessionsDir + "s1.jsonl":                text("1 - " + user("in the file")),
		sessionsDir + "s2.jsonl":                as("s2", text("1 - "+user("only in the file"))),
		sessionsDir + "cold/" + "abc.jsonl.zst": packed(t, as("s3", text("1 - "+user("cold")))),
	})
	blob := "x'" + hex(packed(t, as("s4", text("1 - "+user("set aside"))))) + "'"
	database(t, home, text("1 - "+user("in the database"), "2 1 "+said("yes")),
		`INSERT INTO session_windows VALUES ('s3', 'k3', NULL, NULL, 1, 1767348000000, NULL)`,
		`INSERT INTO session_transcript_cold_archives VALUES ('s3', 'abc.jsonl.zst', NULL)`,
		`INSERT INTO session_windows VALUES ('s5', 'k5', NULL, NULL, 1, 1, NULL)`,
		`INSERT INTO session_transcript_archives VALUES ('s4', 's4.jsonl.deleted.x', 'zstd', `+blob+`, 1767348000000)`,
	)
	env := sourcetest.Env(t, home)
	sourcetest.Unchanged(t, home, func() {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, []string{"s1", "s2", "s3", "s4.jsonl.deleted.x"}) {
			t.Fatal(got)
		}
		f := found["s1"]
		if f.Title != "From entry" || f.FirstMessage != "in the database" || f.Version != "2026.9.6" || f.Parent != "s0" || f.Relation != sources.Continuation ||
			!f.UpdatedAt.Equal(time.UnixMilli(1767348060000)) || f.Cwd != "/w" || f.Model != "m" {
			t.Errorf("%+v", f)
		}
		for id, want := range map[string]string{
			"s1": "user: in the database\nassistant: yes\n", "s2": "user: only in the file\n", "s3": "user: cold\n", "s4.jsonl.deleted.x": "user: set aside\n",
		} {
			if r := sourcetest.Read(t, Source{}, env, found[id]); r.Err != nil || r.Seen(t) != want {
				t.Errorf("%s: %v\n%s", id, r.Err, r.Story())
			}
		}
	})
}

func hex(bytes string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for i := range len(bytes) {
		b.WriteByte(digits[bytes[i]>>4])
		b.WriteByte(digits[bytes[i]&15])
	}
	return b.String()
}

func TestCoderClaw(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		".coderclaw/0a1b2c3d/agents/main/sessions/s1.jsonl": text("1 - " + user("of an installation")),
		".coderclaw/agents/main/sessions/s2.jsonl":          as("s2", text("1 - "+user("flat"))),
		".coderclaw/sessions/s3.jsonl":                      as("s3", text("1 - "+user("of early versions"))),
		".coderclaw-work/0a/agents/x/sessions/s4.jsonl":     as("s4", text("1 - "+user("of a profile"))),
		".openclaw/agents/main/sessions/s5.jsonl":           as("s5", text("1 - "+user("of the other"))),
	})
	s := Source{Fork: true}
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, s, env))
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, []string{"s1", "s2", "s3", "s4"}) {
		t.Error(got)
	}
	r := sourcetest.Read(t, s, env, found["s1"])
	if r.Err != nil || !strings.Contains(string(r.Log), `"origin":{"agent":"coderclaw","session":"s1"`) || !strings.Contains(r.Story(), "note coderclaw.session") {
		t.Errorf("%v\n%s", r.Err, r.Log)
	}
}

func TestRoots(t *testing.T) {
	env := sourcetest.EnvWith(t, "/h", "OPENCLAW_STATE_DIR=~/state", "OPENCLAW_HOME="+filepath.FromSlash("/other"), "OPENCLAW_PROFILE=work")
	want := []string{"/h/state", "/other/.openclaw-work", "/other/.openclaw", "/other/.clawdbot", "/other/.moldbot", "/other/.moltbot"}
	got := (Source{}).Roots(env)
	for i := range got {
		got[i] = filepath.ToSlash(got[i])
	}
	if !slices.Equal(got, want) {
		t.Error(got)
	}
	earlier := sourcetest.EnvWith(t, "/h", "CLAWDBOT_STATE_DIR=~/state")
	if got := filepath.ToSlash((Source{}).Roots(earlier)[0]); got != "/h/state" || len((Source{Fork: true}).Roots(earlier)) != 1 {
		t.Error(got)
	}
}

func TestProblems(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		".openclaw/agents/main/agent/openclaw-agent.sqlite": "SQLite format 3\x00" + strings.Repeat("x", 3000),
		sessionsDir + "s1.jsonl":                            text("1 - " + user("one")),
		sessionsDir + "sessions.json":                       "{",
		sessionsDir + "s2.jsonl.zst":                        "not compressed",
	})
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if len(found) != 3 || found["main/openclaw-agent.sqlite"].Problem == "" || found["s1"].Problem != "" {
		t.Errorf("%+v", found)
	}
	if r := sourcetest.Read(t, Source{}, env, found["s2"]); r.Err == nil {
		t.Error("what is not compressed was decompressed")
	}
	path := filepath.Join(home, sessionsDir, "s1.jsonl")
	if err := os.WriteFile(path, []byte(as("s7", text("1 - "+user("another")))), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, found["s1"]); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, found["s1"]); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

// TestLongEntry: of a conversation of which too much is noted to be read, that is told, and the session is there.
func TestLongEntry(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, `{"type":"message","id":"1","message":{"role":"user","content":"said"}}`,
		fmt.Sprintf(`UPDATE session_nodes SET display_name = NULL, entry_json = json_object('autoLabel', hex(zeroblob(%d)))`, columnMost/2))
	env := sourcetest.Env(t, home)
	var told []string
	env.Denied = func(err error) { told = append(told, err.Error()) }
	sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if len(told) != 1 || !strings.HasPrefix(told[0], path+": entry_json: 41") || !strings.HasSuffix(told[0], sources.ErrTooLarge.Error()) {
		t.Error(told)
	}
}

// TestNamesOfLongFiles: of a long transcript the name that stands last counts, also where it takes one away.
func TestNamesOfLongFiles(t *testing.T) {
	long := strings.Repeat("x", 1<<10)
	for last, want := range map[string]string{"": "", `"name":""`: "", `"name":"later"`: "later", "none": "early"} {
		lines := []string{`1 - "type":"session_info","name":"early"`}
		for i := range 200 {
			lines = append(lines, fmt.Sprintf("%d %d %s", i+2, i+1, user(long)))
		}
		if last != "none" {
			lines = append(lines, strings.TrimSuffix(`202 201 "type":"session_info",`+last, ","))
		}
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": text(append(lines, "203 201 "+user("and on"))...)}))
		if f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); f.Title != want || f.Messages != nil {
			t.Errorf("%q: %q", last, f.Title)
		}
	}
}
