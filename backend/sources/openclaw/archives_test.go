package openclaw

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestSetAsideInADatabase: what was set aside there tells what a file would. When the last was said only all of it does, which is put off where it
// is long, and had once.
func TestSetAsideInADatabase(t *testing.T) {
	entries := []string{"1 - " + user("prompt")}
	random := rand.NewChaCha8([32]byte{})
	for i := range 50 {
		noise := make([]byte, 8<<10)
		_, _ = random.Read(noise) // it never fails
		entries = append(entries, fmt.Sprintf("%d %d %s", i+2, i+1, said(fmt.Sprintf("%x", noise))))
	}
	short, long := text(entries[:2]...), text(entries...)
	var wrapped strings.Builder
	for line := range strings.Lines(short) {
		fmt.Fprintf(&wrapped, `{"seq":1,"event":%s}`+"\n", strings.TrimSpace(line))
	}
	cut := packed(t, long)
	archive := func(id, encoding, blob string) string {
		return fmt.Sprintf("INSERT INTO session_transcript_archives VALUES ('%[1]s', '%[1]s.jsonl.deleted.x', '%s', x'%s', 1767348000000)", id, encoding, hex(blob))
	}
	home := t.TempDir()
	path := database(t, home, text("1 - "+user("in the database")),
		archive("short", "zstd", packed(t, as("short", short))), archive("wrapped", "zstd", packed(t, wrapped.String())), archive("plain", "none", as("plain", short)),
		archive("long", "zstd", packed(t, as("long", long))), archive("torn", "zstd", cut[:len(cut)-40]),
	)
	setAside := time.UnixMilli(1767348000000)
	env := sourcetest.Env(t, home)
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
	check := func(when string, read bool) {
		t.Helper()
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		for _, id := range []string{"short", "wrapped", "plain", "long", "torn"} {
			f := found[id+".jsonl.deleted.x"]
			if f.Cwd != "/w" || f.FirstMessage != "prompt" || f.Model != "m" || !f.ArchivedAt.Equal(setAside) || f.CreatedAt.IsZero() {
				t.Errorf("%s, %s: %+v", when, id, f)
			}
			whole := id != "long" && id != "torn" || id == "long" && read
			if got := f.Messages != nil && f.Compactions != nil; got != whole {
				t.Errorf("%s, %s: counted %t", when, id, got)
			}
			if got := !f.UpdatedAt.Equal(setAside); got != (whole || read) {
				t.Errorf("%s, %s: last at %v", when, id, f.UpdatedAt)
			}
		}
		if f := found["long.jsonl.deleted.x"]; read && (*f.Messages != len(entries) || f.UpdatedAt.IsZero()) {
			t.Errorf("%s: %+v", when, f)
		}
	}
	check("before", false)
	catchUp := func(want bool) {
		t.Helper()
		if some, err := env.Memory.CatchUp(t.Context(), nil); some != want || err != nil {
			t.Errorf("%v, %v", some, err)
		}
	}
	catchUp(true)
	check("after", true)
	catchUp(false)
	more, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer more.Close()
	if _, err := more.Exec("INSERT INTO transcript_events VALUES ('s1', 9, '{}', NULL)"); err != nil {
		t.Fatal(err)
	}
	check("in a database that went on", true)
	catchUp(false)
	is := func(id string) bool { return id == "long.jsonl.deleted.x" }
	if _, known := env.Memory.Where(Source{}.Agent(), is); !known {
		t.Error("it is not remembered by its id")
	}
	env.Memory.Forget(Source{}.Agent(), is)
	if _, known := env.Memory.Where(Source{}.Agent(), is); known {
		t.Error("it is remembered though it was forgotten")
	}
}
