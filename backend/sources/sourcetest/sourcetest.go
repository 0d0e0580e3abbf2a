// Package sourcetest is what the tests of sources share.
package sourcetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// Env is a machine whose home is a directory, and whose environment is empty.
func Env(t testing.TB, home string) sources.Env {
	t.Helper()
	return sources.Env{Home: home, Getenv: func(string) string { return "" }, GOOS: runtime.GOOS, Temp: t.TempDir()}
}

// Samples are the homes of real sessions whose names begin so; the test is skipped where there are none.
func Samples(t testing.TB, prefix string) []string {
	t.Helper()
	root := os.Getenv("PALIMPSEST_SAMPLES")
	if root == "" {
		t.Skip("PALIMPSEST_SAMPLES is not set: real sessions are not read")
	}
	homes, _ := filepath.Glob(filepath.Join(root, prefix+"*"))
	if len(homes) == 0 {
		t.Skip("PALIMPSEST_SAMPLES has no sessions of this agent")
	}
	return homes
}

// Write makes a file below a home.
func Write(t testing.TB, home, name, text string) string {
	t.Helper()
	path := filepath.Join(home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Find lists what a source finds.
func Find(t testing.TB, source sources.Source, env sources.Env) []sources.Found {
	t.Helper()
	var all []sources.Found
	ids := map[string]bool{}
	err := source.Find(context.Background(), env, func(f sources.Found) error {
		if f.Agent != source.Agent() || f.ID == "" || ids[f.ID] || len(f.Files) == 0 {
			t.Errorf("found %+v: another agent, no id of its own, or no file", f)
		}
		ids[f.ID] = true
		all = append(all, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Only is the one session of a list.
func Only(t testing.TB, found []sources.Found) sources.Found {
	t.Helper()
	if len(found) != 1 {
		t.Fatalf("%d sessions, not one: %+v", len(found), found)
	}
	return found[0]
}

// Reading is a session that was read.
type Reading struct {
	Log     []byte
	Blobs   map[string][]byte
	Damaged int
	Err     error
	Records []record.Record
}

// Read reads a session, and fails the test if a record of it is none of ours.
func Read(t testing.TB, source sources.Source, env sources.Env, found sources.Found) *Reading {
	t.Helper()
	r := &Reading{Blobs: map[string][]byte{}}
	var out bytes.Buffer
	found.Agent = source.Agent()
	log := sources.LogOf(&found, &out, func(data []byte) (string, error) {
		sum := sha256.Sum256(data)
		sha := hex.EncodeToString(sum[:])
		r.Blobs[sha] = bytes.Clone(data)
		return sha, nil
	})
	r.Err = source.Read(context.Background(), env, found, log)
	if log.Err() != nil {
		t.Errorf("writing the log: %v", log.Err())
	}
	r.Log, r.Damaged = out.Bytes(), log.Damaged()
	bad := 0
	for line := range bytes.Lines(r.Log) {
		rec, err := record.Decode(bytes.TrimRight(line, "\n"))
		switch {
		case err != nil:
			bad++
		case rec.Newer || rec.Seq != int64(len(r.Records))+1:
			t.Errorf("a record that is not ours, or has another seq: %.300s", line)
		default:
			r.Records = append(r.Records, rec)
		}
	}
	if bad != r.Damaged {
		t.Errorf("%d lines are no records, %d were kept as damaged", bad, r.Damaged)
	}
	return r
}

// Context is what the model sees at the end.
func (r *Reading) Context(t testing.TB) overlay.Context {
	t.Helper()
	c, err := overlay.Resolve(session.NewReverse(bytes.NewReader(r.Log), int64(len(r.Log))), overlay.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// View is the context as lines of role and text, one a message.
func (r *Reading) View(t testing.TB) []string {
	t.Helper()
	var lines []string
	for _, m := range r.Context(t).Messages {
		lines = append(lines, string(m.Role)+": "+Plain(m.Content))
	}
	return lines
}

// Plain shows blocks in short: texts as they are, calls as name and arguments.
func Plain(blocks []record.Block) string {
	var parts []string
	for _, b := range blocks {
		switch b.Kind {
		case record.BlockText:
			parts = append(parts, b.Text)
		case record.BlockThinking:
			parts = append(parts, "("+b.Text+")")
		case record.BlockToolCall:
			parts = append(parts, b.Name+b.Arguments)
		case record.BlockImage:
			parts = append(parts, "[image]")
		case record.BlockAsIs:
			parts = append(parts, "[as it is]")
		case record.BlockUnknown:
			parts = append(parts, "[unknown]")
		}
	}
	return strings.Join(parts, " | ")
}

// Unchanged fails the test if something below a directory is another file after what is done.
func Unchanged(t testing.TB, dir string, do func()) {
	t.Helper()
	before := listing(t, dir)
	do()
	if after := listing(t, dir); after != before {
		t.Errorf("%s was changed:\n%s\nnow:\n%s", dir, before, after)
	}
}

func listing(t testing.TB, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Lstat(path)
		if err != nil {
			return err
		}
		sum := [sha256.Size]byte{}
		if entry.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			sum = sha256.Sum256(data)
		}
		fmt.Fprintf(&b, "%s %s %d %s %x\n", path, info.Mode(), info.Size(), info.ModTime(), sum)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Whats are what every source tells its capability of, in the order they are shown in.
func Whats() []string {
	return []string{
		"messages", "thinking", "tool calls", "tool errors", "images", "usage", "cost", "model", "cwd", "title",
		"parent", "sub-agents", "branches", "compactions", "injected", "version",
	}
}

// CheckCapabilities fails the test if a source does not tell its capability of everything, in order.
func CheckCapabilities(t *testing.T, told []sources.Capability) {
	t.Helper()
	whats := Whats()
	if len(told) != len(whats) {
		t.Fatalf("%d capabilities, not %d", len(told), len(whats))
	}
	for i, c := range told {
		if c.What != whats[i] || c.How != sources.Shown && c.How != sources.Inferred && c.How != sources.Missing {
			t.Errorf("%+v, not of %s", c, whats[i])
		}
	}
}
