package all

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

const (
	root   = "../../.."
	codeAt = "../code.txt"
)

// TestCodeIsNoted: what is remembered of readings, cheap ones and whole ones, goes by a sum of the code that makes them. Whoever changes that
// code need not think of it.
func TestCodeIsNoted(t *testing.T) {
	want := codeSum(t)
	if sources.Code() == want {
		return
	}
	if !*update {
		t.Fatal("the code that reads sessions is another; go test ./backend/sources/all -update notes it")
	}
	if err := os.WriteFile(codeAt, []byte(want+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// codeSum is of all files of the packages that sources stand on, and what makes logs of what they read, for every system, without comments, and of the versions of modules.
func codeSum(t *testing.T) string {
	t.Helper()
	const module, enough = "palimpsest/", 16
	texts, modules := map[string]string{}, map[string]bool{}
	todo := []string{module + "backend/sources/all", module + "backend/library"}
	for seen := map[string]bool{}; len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		dir := strings.TrimPrefix(todo[0], module)
		for _, path := range goFiles(t, filepath.Join(root, filepath.FromSlash(dir))) {
			text, imports := codeOf(t, path)
			texts[dir+"/"+filepath.Base(path)] = text
			for _, name := range imports {
				if strings.HasPrefix(name, module) {
					todo = append(todo, name)
				} else {
					modules[name] = true
				}
			}
		}
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(sum, "%q %q\n", name, texts[name])
	}
	for _, line := range required(t, modules) {
		fmt.Fprintf(sum, "%q\n", line)
	}
	return hex.EncodeToString(sum.Sum(nil)[:enough])
}

func goFiles(t *testing.T, dir string) (paths []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	return paths
}

// codeOf is a file without its comments and its layout, and what it imports.
func codeOf(t *testing.T, path string) (text string, imports []string) {
	t.Helper()
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range file.Imports {
		name, err := strconv.Unquote(one.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		imports = append(imports, name)
	}
	var plain strings.Builder
	var s scanner.Scanner
	s.Init(set.AddFile(path, -1, len(source)), source, nil, 0)
	for _, kind, word := s.Scan(); kind != token.EOF; _, kind, word = s.Scan() {
		if kind == token.SEMICOLON {
			word = "" // or how the line ended
		}
		plain.WriteString(kind.String() + " " + word + "\n")
	}
	return plain.String(), imports
}

// required are the lines of go.mod of the modules that are imported.
func required(t *testing.T, imports map[string]bool) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || !strings.HasPrefix(fields[1], "v") {
			continue
		}
		for name := range imports {
			if name == fields[0] || strings.HasPrefix(name, fields[0]+"/") {
				lines = append(lines, fields[0]+" "+fields[1])
				break
			}
		}
	}
	return lines
}
