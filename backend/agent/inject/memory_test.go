package inject

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRecallsTheNewest(t *testing.T) {
	files := map[string]string{"memory/sub/x.md": "no", "memory/notes.txt": "no", "memory/empty.md": " "}
	for i := range 5 {
		files[fmt.Sprintf("memory/%d.md", i)] = fmt.Sprintf("note %d: %s", i, strings.Repeat("word ", 60))
	}
	dir := tree(t, files)
	for i, at := range []int{3, 5, 1, 4, 2} { // 1 is the newest
		must(t, os.Chtimes(filepath.Join(dir, fmt.Sprintf("memory/%d.md", i)), noon, noon.Add(time.Duration(at)*time.Hour)))
	}
	for budget, want := range map[int][]string{
		0: {}, 5: {}, 60: {"memory/1.md"}, 130: {"memory/1.md"}, 240: {"memory/1.md", "memory/3.md"},
		10000: {"memory/1.md", "memory/3.md", "memory/0.md", "memory/4.md", "memory/2.md"},
	} {
		got := Build(Options{Cwd: dir, RecallTokens: budget, Now: noon})
		used := 0
		for _, p := range got.Parts {
			if p.Kind == KindMemory {
				used += p.Tokens
			}
		}
		if p := paths(&got, KindMemory, dir); !slices.Equal(p, want) || used > budget {
			t.Errorf("%d: %q, want %q, %d tokens", budget, p, want, used)
		}
		if told := len(got.Skipped) > 0; told != (budget > 0 && budget < 10000) {
			t.Errorf("%d: %v", budget, got.Skipped)
		}
	}
}

// TestTheEndOfTheNewest is what is recalled where all of it does not fit: what was written last.
func TestTheEndOfTheNewest(t *testing.T) {
	var lines strings.Builder
	for i := range 200 {
		fmt.Fprintf(&lines, "line %d is 語 here\n", i)
	}
	dir := tree(t, map[string]string{"memory/a.md": lines.String()})
	got := Build(Options{Cwd: dir, RecallTokens: 200, Now: noon})
	part := got.Parts[len(got.Parts)-1]
	if part.Kind != KindMemory || !part.Cut || part.Tokens > 200 || part.Tokens < 150 {
		t.Fatalf("%+v", part)
	}
	if !strings.Contains(part.Text, "line 199 is") || strings.Contains(part.Text, "line 0 is") || !strings.Contains(part.Text, "not shown]\nline ") {
		t.Error(part.Text)
	}
}
