package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/sources"
)

// TestRecallAll: every file is looked at once, with what stands at both its ends, and again only when it is another one.
func TestRecallAll(t *testing.T) {
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "none")}
	for i, length := range []int{0, 10, Edge, Edge + 1, readOn - 1, readOn, readOn + 1, 3 * readOn, 100} {
		path := filepath.Join(dir, fmt.Sprint(i))
		write(t, path, fmt.Sprintf("first %d\n%slast %d\n", i, strings.Repeat("some more\n", length/10), i))
		paths = append(paths, path)
	}
	m := sources.OpenMemory(filepath.Join(dir, "memory"), "1")
	ask := func(m *sources.Memory, looked int) {
		t.Helper()
		var looks atomic.Int32
		told, err := RecallAll(t.Context(), m, "a", paths, func(_ int, file *File, err error) (sources.Told, bool) {
			looks.Add(1)
			if err != nil {
				return sources.Told{Found: sources.Found{Problem: err.Error()}}, false
			}
			defer file.Close()
			var lines []string
			for line := range file.Forward() {
				lines = append(lines, string(line))
				break
			}
			for line := range file.Backward() {
				lines = append(lines, string(line))
				break
			}
			return sources.Told{Notes: lines}, true
		})
		if err != nil || int(looks.Load()) != looked {
			t.Errorf("%d looks, not %d, %v", looks.Load(), looked, err)
		}
		if told[0].Found.Problem == "" {
			t.Error("nobody says that a file is not there")
		}
		for i := range told[1:] {
			if want := []string{fmt.Sprintf("first %d", i), fmt.Sprintf("last %d", i)}; fmt.Sprint(told[1+i].Notes) != fmt.Sprint(want) {
				t.Errorf("%q, not %q", told[1+i].Notes, want)
			}
		}
	}
	ask(nil, len(paths))
	ask(m, len(paths))
	ask(m, 1)
	write(t, paths[3], "first 2\nanother\nlast 2\n")
	ask(m, 2)
}

// TestRecallAllWhatGrows: what comes to a file once it was opened is not taken for remembered.
func TestRecallAllWhatGrows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	write(t, path, "one\n")
	m := sources.OpenMemory(filepath.Join(dir, "memory"), "1")
	ask := func(more string) string {
		t.Helper()
		told, err := RecallAll(t.Context(), m, "a", []string{path}, func(_ int, file *File, err error) (sources.Told, bool) {
			if err != nil {
				t.Error(err)
				return sources.Told{}, false
			}
			defer file.Close()
			if more != "" {
				write(t, path, "one\n"+more)
			}
			last := ""
			for line := range file.Backward() {
				last = string(line)
				break
			}
			return sources.Told{Notes: []string{last}}, true
		})
		if err != nil {
			t.Fatal(err)
		}
		return told[0].Notes[0]
	}
	ask("two\n")
	if last := ask(""); last != "two" {
		t.Errorf("it is said to end with %q", last)
	}
}

// TestRecallAllEnds: it can be ended in the middle.
func TestRecallAllEnds(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for i := range 1000 {
		paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
		write(t, paths[i], "one\n")
	}
	ctx, cancel := context.WithCancel(t.Context())
	var looks, failed atomic.Int32
	_, err := RecallAll(ctx, nil, "a", paths, func(_ int, file *File, err error) (sources.Told, bool) {
		cancel()
		if looks.Add(1); err != nil || file.Close() != nil {
			failed.Add(1)
		}
		if _, err := file.Stat(); !errors.Is(err, fs.ErrClosed) {
			failed.Add(1)
		}
		return sources.Told{}, false
	})
	if !errors.Is(err, context.Canceled) || looks.Load() == 0 || looks.Load() == 1000 || failed.Load() > 0 {
		t.Errorf("%v after %d looks, %d failed", err, looks.Load(), failed.Load())
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
