package sourcetest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
)

// Excerpts takes each session of a database out of it, and fails the test if it is not read alone as it is read there, or if doing that
// twice gives other bytes. It returns the excerpts by the ids of their sessions.
func Excerpts(t testing.TB, source sources.Source, env sources.Env) map[string]string {
	t.Helper()
	excerpter, ok := source.(sources.Excerpter)
	if !ok {
		t.Fatal("it takes nothing out of databases")
	}
	all := map[string]string{}
	for _, found := range Find(t, source, env) {
		dir := t.TempDir()
		path := filepath.Join(dir, "excerpt")
		as, err := excerpter.Excerpt(context.Background(), env, found, path)
		if err != nil {
			t.Errorf("%s: %v", found.ID, err)
			continue
		}
		if as == "" {
			continue
		}
		all[found.ID] = path
		again := filepath.Join(dir, "again")
		if _, err := excerpter.Excerpt(context.Background(), env, found, again); err != nil || !bytes.Equal(must(t, path), must(t, again)) {
			t.Errorf("%s: the second excerpt is another: %v", found.ID, err)
		}
		files := map[string]string{as: path}
		if beside, ok := source.(sources.Beside); ok {
			for _, file := range beside.Beside(context.Background(), env, found) {
				files[file] = file
			}
		}
		alone := env
		alone.Home, alone.Getenv = t.TempDir(), func(string) string { return "" }
		for at, from := range files {
			below, err := filepath.Rel(env.Home, at)
			if _, missing := os.Stat(from); err != nil || missing != nil {
				continue
			}
			Write(t, alone.Home, below, string(must(t, from)))
		}
		only := Only(t, Find(t, source, alone))
		before, after := Read(t, source, env, found), Read(t, source, alone, only)
		if only.ID != found.ID || !bytes.Equal(before.Log, after.Log) || len(before.Blobs) != len(after.Blobs) || after.Err != nil {
			t.Errorf("%s is another alone: %v\n%s\n%s", found.ID, after.Err, before.Log, after.Log)
		}
	}
	return all
}

func must(t testing.TB, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
