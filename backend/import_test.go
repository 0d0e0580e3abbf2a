package backend

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/tidwall/gjson"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// copiesOfIt are our sessions that are copies of another agent's.
func copiesOfIt(t *testing.T, b *Backend, id string) (ids []string) {
	t.Helper()
	list, err := b.List(t.Context(), ListOptions{Agent: ownAgent, Archived: true})
	newsMust(t, err)
	for i := range list {
		if list[i].ImportedFrom != nil && *list[i].ImportedFrom == id {
			ids = append(ids, list[i].ID)
		}
	}
	return ids
}

// TestImportAsItGrows: of a session that is imported after each line, and after each half of one, there is one copy, which has all that
// was there and nothing twice.
func TestImportAsItGrows(t *testing.T) {
	for agent, growing := range map[string]struct{ file, id string }{
		"codex":      {"-000000000001.jsonl", "01a1fbb2-517a-7cd2-9976-000000000001"},
		"pi":         {"_s1.jsonl", "s1"},
		"claudecode": {"-w-app/00000000-0000-4000-8000-000000000001.jsonl", "00000000-0000-4000-8000-000000000001"},
		"gemini":     {"-s1.jsonl", "s1"},
		"openclaw":   {"/s1.jsonl", "s1"},
		"coderclaw":  {"/s1.jsonl", "s1"},
		"picoclaw":   {"sk_v1_aa.jsonl", "sk_v1_aa"},
		"crabtalk":   {"crab_user_2.jsonl", "crab_user_2"},
	} {
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			_, files := claimsOf(t, agent)
			var path, text string
			for _, file := range files {
				if filepath.Ext(file.Name) == ".sqlite" {
					continue
				}
				whole := strings.ReplaceAll(string(file.Data), "PNG", png)
				written := sourcetest.Write(t, home, file.Name, whole)
				if strings.HasSuffix(file.Name, growing.file) {
					path, text = written, whole
				}
			}
			b := abroad(t, home)
			id, at := agent+":"+growing.id, 0
			for line := range strings.Lines(text) {
				for _, n := range []int{len(line) / 2, len(line) - 1, len(line)} {
					newsMust(t, os.WriteFile(path, []byte(text[:at+n]), 0o600))
					list, err := b.List(t.Context(), ListOptions{Agent: agent})
					newsMust(t, err)
					if !slices.ContainsFunc(list, func(s Session) bool { return s.ID == id && s.Problem == nil }) {
						continue // it has only begun to begin
					}
					made, err := b.Import(t.Context(), id)
					newsMust(t, err)
					sameContext(t, b, id, made.ID)
					if copies := copiesOfIt(t, b, id); len(copies) != 1 || copies[0] != made.ID {
						t.Fatalf("at %d: %q, and %s was made", at+n, copies, made.ID)
					}
				}
				at += len(line)
			}
			copies := copiesOfIt(t, b, id)
			if len(copies) != 1 {
				t.Fatalf("%q", copies)
			}
			entriesOnce(t, b, copies[0])
			theirs, err := b.Get(id)
			newsMust(t, err)
			if m, err := b.store.Metadata(copies[0]); err != nil || !cmp.Equal(known(m.ImportedFrom.Version), theirs.AgentVersion) {
				t.Errorf("%+v, %v", m.ImportedFrom, err)
			}
		})
	}
}

// entriesOnce fails the test if a record of a copy does not say what it was, or two of one type say the same.
func entriesOnce(t *testing.T, b *Backend, id string) {
	t.Helper()
	page, err := b.Page(id, PageOptions{Limit: pageMost})
	newsMust(t, err)
	seen := map[string]bool{}
	for _, line := range page.Records {
		rec := gjson.ParseBytes(line)
		key := rec.Get("recordType").Str + rec.Get("role").Str + rec.Get("toolCallId").Str + rec.Get("origin").Raw
		if rec.Get("origin.entry").Str == "" || seen[key] {
			t.Errorf("%s: said twice, or of nothing: %s", id, line)
		}
		seen[key] = true
	}
	if len(seen) == 0 {
		t.Error("the copy is empty")
	}
}

// TestImportWhileItIsWritten: an agent that writes on while its session is imported costs the copy nothing.
func TestImportWhileItIsWritten(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	var rest strings.Builder
	const lines = 400
	for n := range lines {
		rest.WriteString(strings.NewReplacer(`"h"`, `"h`+strconv.Itoa(n)+`"`, `"g"`, `"`+before(n)+`"`, "grown", "grown "+strconv.Itoa(n)).Replace(piMore))
	}
	written := make(chan error, 1)
	go func() {
		file, err := os.OpenFile(filepath.Join(home, filepath.FromSlash(piPlace)), os.O_APPEND|os.O_WRONLY, 0)
		for left := rest.String(); err == nil && left != ""; {
			n := min(len(left), 97) // never a whole line
			_, err = file.WriteString(left[:n])
			left = left[n:]
		}
		if err == nil {
			err = file.Close()
		}
		written <- err
	}()
	imports := 0
	for writing := true; writing; imports++ {
		select {
		case err := <-written:
			newsMust(t, err)
			writing = false
		default:
		}
		made, err := b.Import(t.Context(), "pi:s1")
		newsMust(t, err)
		if copies := copiesOfIt(t, b, "pi:s1"); len(copies) != 1 || copies[0] != made.ID || made.Replaced != nil || made.Earlier != nil {
			t.Fatalf("%q, %+v", copies, made)
		}
	}
	copied := copiesOfIt(t, b, "pi:s1")[0]
	sameContext(t, b, "pi:s1", copied)
	if prompts, err := b.Prompts(copied, PromptOptions{}); err != nil || prompts.Total != lines+4 {
		t.Errorf("after %d imports: %+v, %v", imports, prompts, err)
	}
	entriesOnce(t, b, copied)
}

func before(n int) string {
	if n == 0 {
		return "g"
	}
	return "h" + strconv.Itoa(n-1)
}

// TestImportKeepsImagesOnce: an image that a session repeats is one file beside the copy, and nothing happens to the original.
func TestImportKeepsImagesOnce(t *testing.T) {
	for _, agent := range []string{"codex", "pi", "claudecode", "opencode", "gemini", "openclaw", "picoclaw"} {
		_, files := claimsOf(t, agent)
		home := t.TempDir()
		for _, file := range files {
			if filepath.Ext(file.Name) != ".sqlite" {
				sourcetest.Write(t, home, file.Name, threeTimes(file))
			}
		}
		b := abroad(t, home)
		list, err := b.List(t.Context(), ListOptions{Agent: agent})
		newsMust(t, err)
		images := 0
		sourcetest.Unchanged(t, home, func() {
			for i := range list {
				made, err := b.Import(t.Context(), list[i].ID)
				newsMust(t, err)
				kept, err := os.ReadDir(filepath.Join(filepath.Dir(made.Path), "blobs"))
				if err == nil && len(kept) != 1 {
					t.Errorf("%s: %d files", made.ID, len(kept))
				}
				images += len(kept)
			}
		})
		if images != 1 {
			t.Errorf("%s: %d images", agent, images)
		}
	}
}

// threeTimes has the line with an image three times.
func threeTimes(file txtar.File) string {
	var out strings.Builder
	for line := range strings.Lines(string(file.Data)) {
		n := 1
		if strings.Contains(line, "PNG") && strings.HasSuffix(file.Name, "l") {
			n = 3
		}
		for i := range n {
			again := line
			if i > 0 {
				again = strings.NewReplacer(`"a2"`, `"a2`+strconv.Itoa(i)+`"`, `"a1"`, `"a1`+strconv.Itoa(i)+`"`, `"m1"`, `"m1`+strconv.Itoa(i)+`"`).Replace(line)
			}
			out.WriteString(strings.ReplaceAll(again, "PNG", png))
		}
	}
	return out.String()
}

// TestImportByTwoPrograms: while one imports another one waits, and makes no second copy.
func TestImportByTwoPrograms(t *testing.T) {
	home, own := t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	open := func() *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{pi.Source{}}, Wait: -1})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	one, other := open(), open()
	done, err := one.store.LockImports(t.Context())
	newsMust(t, err)
	if made, err := other.Import(t.Context(), "pi:s1"); !errors.Is(err, session.ErrBusy) || len(copiesOfIt(t, other, "pi:s1")) > 0 {
		t.Errorf("%+v %v", made, err)
	}
	done()
	first, err := one.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	if second, err := other.Import(t.Context(), "pi:s1"); err != nil || second.ID != first.ID || second.Did != ImportUnchanged {
		t.Errorf("%+v %v", second, err)
	}
}

// TestImportIsAsOldAsItsOriginal, also where that does not say when it was: then it is when its file was written last, as in the list.
func TestImportIsAsOldAsItsOriginal(t *testing.T) {
	written := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for id, file := range map[string][2]string{
		"picoclaw:cli:demo":    {".picoclaw/workspace/sessions/cli_demo.json", `{"key":"cli:demo","messages":[{"role":"user","content":"hi"}]}`},
		"crabtalk:crab_user_3": {".crabtalk/sessions/crab_user_3.jsonl", `{"agent":"crab","created_by":"user","title":"","uptime_secs":0}` + "\n" + `{"role":"user","content":"hi"}` + "\n"},
		"pi:s1":                {piPlace, piHead + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi"}}` + "\n"},
	} {
		home := t.TempDir()
		newsMust(t, os.Chtimes(sourcetest.Write(t, home, file[0], file[1]), written, written))
		b := abroad(t, home)
		original, err := b.Get(id)
		newsMust(t, err)
		made, err := b.Import(t.Context(), id)
		newsMust(t, err)
		if made.CreatedAt != original.CreatedAt || made.LastMessageAt != original.LastMessageAt {
			t.Errorf("%s: of %s, last %s; the original is of %s, last %s", id, made.CreatedAt, made.LastMessageAt, original.CreatedAt, original.LastMessageAt)
		}
	}
}

// TestImportBeginsAsItsOriginal in lists: with what a person typed, not with what its agent put around it.
func TestImportBeginsAsItsOriginal(t *testing.T) {
	image := `{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[` +
		`{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_text","text":"what is it?"}]}}` + "\n"
	header := `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"01a1fbb2-517a-7cd2-9976-548effd87cf7","cwd":"/w"}}` + "\n"
	for name, c := range map[string]struct{ said, first string }{
		"an image before it": {image, "what is it?"},
		"a heading": {`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[` +
			`{"type":"input_text","text":"# Mend the roof"}]}}` + "\n", "# Mend the roof"},
		"only a tag": {`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[` +
			`{"type":"input_text","text":"<tag>bold</tag>"}]}}` + "\n", ""},
	} {
		home := t.TempDir()
		sourcetest.Write(t, home, ".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-01a1fbb2-517a-7cd2-9976-548effd87cf7.jsonl", header+c.said)
		b := abroad(t, home)
		made, err := b.Import(t.Context(), "codex:01a1fbb2-517a-7cd2-9976-548effd87cf7")
		newsMust(t, err)
		rows, err := b.List(t.Context(), ListOptions{})
		newsMust(t, err)
		for i := range rows {
			if got := deref(rows[i].FirstMessage); got != c.first {
				t.Errorf("%s: %s begins with %q", name, rows[i].ID, got)
			}
		}
		if deref(made.FirstMessage) != c.first || len(rows) != 2 {
			t.Errorf("%s: %q, %d rows", name, deref(made.FirstMessage), len(rows))
		}
	}
}
