// Package sourcetest is what the tests of sources need: a place to read from, what came of it, and whether anything was touched.
package sourcetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Env is a machine whose home directory is this; variables are NAME=value.
func Env(t testing.TB, home string, variables ...string) sources.Env {
	t.Helper()
	return sources.Env{
		Home: home, GOOS: "linux", Temp: t.TempDir(),
		Getenv: func(name string) string {
			for _, v := range variables {
				if value, is := strings.CutPrefix(v, name+"="); is {
					return value
				}
			}
			return ""
		},
	}
}

// Samples is a copy of the sessions of one version of an agent, as a home directory; the test skips if there are none.
func Samples(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("PALIMPSEST_SAMPLES")
	if dir == "" {
		t.Skip("PALIMPSEST_SAMPLES is not set: no real sessions to read")
	}
	from := filepath.Join(dir, name)
	if _, err := os.Stat(from); err != nil {
		t.Skipf("no sample %s", name)
	}
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return home
}

// Find lists what a source finds, by id.
func Find(t testing.TB, s sources.Source, env sources.Env) map[string]sources.Found {
	t.Helper()
	out := map[string]sources.Found{}
	err := s.Find(t.Context(), env, func(f sources.Found) error {
		if _, twice := out[f.ID]; twice {
			t.Errorf("%s was found twice", f.ID)
		}
		if f.Agent != s.Agent() || f.ID == "" || len(f.Files) == 0 {
			t.Errorf("incomplete: %+v", f)
		}
		out[f.ID] = f
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Reading is a session as it was read.
type Reading struct {
	// Text is the log, and Records what is in it.
	Text    []byte
	Records []record.Record
	Damaged int
	Blobs   map[string][]byte
	Err     error
}

// Read reads a session.
func Read(t testing.TB, s sources.Source, env sources.Env, found sources.Found) Reading {
	t.Helper()
	r := Reading{Blobs: map[string][]byte{}}
	var out bytes.Buffer
	log := sources.NewLog(s.Agent(), found.ID, &out, func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		sha := hex.EncodeToString(sum[:])
		r.Blobs[sha] = bytes.Clone(data)
		return sha, nil
	})
	r.Err = s.Read(t.Context(), env, found, log)
	if log.Err() != nil {
		t.Fatal(log.Err())
	}
	r.Text, r.Damaged = out.Bytes(), log.Damaged()
	seq := int64(0)
	for line := range bytes.Lines(r.Text) {
		line = bytes.TrimRight(line, "\n")
		if _, err := record.Scan(line); err != nil {
			continue
		}
		rec, err := record.Decode(line)
		if err != nil || rec.Newer {
			t.Fatalf("no record of ours: %v\n%s", err, line)
		}
		if seq++; rec.Seq != seq {
			t.Fatalf("seq %d after %d", rec.Seq, seq-1)
		}
		r.Records = append(r.Records, rec)
	}
	return r
}

// Context is what the model sees at the end of the reading.
func (r Reading) Context(t testing.TB) overlay.Context {
	t.Helper()
	ctx, err := overlay.Resolve(session.NewReverse(bytes.NewReader(r.Text), int64(len(r.Text))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// View is the context in short: one line for a message, with its role and its blocks; summaries in guillemets.
func (r Reading) View(t testing.TB) string {
	t.Helper()
	var out strings.Builder
	for _, m := range r.Context(t).Messages {
		fmt.Fprintf(&out, "%s%s:%s\n", m.Role, failed(m.IsError), blocks(m.Content))
	}
	return out.String()
}

// Story is every record in short.
func (r Reading) Story() string {
	var out strings.Builder
	for _, rec := range r.Records {
		fmt.Fprintf(&out, "%d %s", rec.Seq, rec.Type)
		switch {
		case rec.Message != nil:
			fmt.Fprintf(&out, " %s%s:%s", rec.Message.Role, failed(rec.Message.IsError), blocks(rec.Message.Content))
			if rec.Message.StopReason != "" {
				fmt.Fprintf(&out, " (%s)", rec.Message.StopReason)
			}
		case rec.Compaction != nil:
			fmt.Fprintf(&out, " from %d %s: %s", rec.Compaction.FirstKeptSeq, rec.Compaction.Trigger, short(rec.Compaction.Summary))
			for _, m := range rec.Compaction.Replacement {
				fmt.Fprintf(&out, "\n  %s:%s", m.Role, blocks(m.Content))
			}
		case rec.Branch != nil:
			fmt.Fprintf(&out, " from %d %s", rec.Branch.FromSeq, rec.Branch.Summary)
		case rec.Prune != nil:
			fmt.Fprintf(&out, " %v", rec.Prune.Seqs)
		case rec.Note != nil:
			fmt.Fprintf(&out, " %s:%s", rec.Note.Namespace, blocks(rec.Note.Content))
		case rec.Label != nil:
			fmt.Fprintf(&out, " %d %s", rec.Label.TargetSeq, rec.Label.Label)
		case rec.Model != nil:
			fmt.Fprintf(&out, " %s/%s", rec.Model.Provider, rec.Model.Model)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func failed(is bool) string {
	if is {
		return "!"
	}
	return ""
}

func blocks(content []record.Block) string {
	var out strings.Builder
	for _, b := range content {
		switch b.Kind {
		case record.BlockText:
			text := b.Text
			if _, rest, is := strings.Cut(text, "<summary>\n"); is {
				text = "«" + strings.TrimSuffix(rest, "\n</summary>") + "»"
			}
			out.WriteString(" " + short(text))
		case record.BlockThinking:
			out.WriteString(" ~" + short(b.Text))
		case record.BlockToolCall:
			out.WriteString(" " + b.Name + "#" + b.ID + short(b.Arguments))
		case record.BlockImage:
			out.WriteString(" [image]")
		case record.BlockUnknown:
			out.WriteString(" [?]")
		}
	}
	return out.String()
}

func short(text string) string {
	const most = 90
	text = strings.ReplaceAll(text, "\n", "\\n")
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// Untouched runs what reads below dir, and fails if that changed anything there.
func Untouched(t testing.TB, dir string, run func()) {
	t.Helper()
	before := traces(t, dir)
	run()
	if after := traces(t, dir); !maps.Equal(before, after) {
		t.Errorf("before %v\nafter %v", before, after)
	}
}

func traces(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out[path] = fmt.Sprint(info.Size(), info.Mode(), info.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Write writes files below a new home directory: names with slashes, and what is in them.
func Write(t testing.TB, files map[string]string) (home string) {
	t.Helper()
	home = t.TempDir()
	for name, text := range files {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}
