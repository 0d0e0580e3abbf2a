//go:build unix

package tools_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/agent/tools"
)

func TestGrep(t *testing.T) {
	r := newRig(t)
	r.put("a.go", "one\nTwo\nthree\ntwo\nfive\nsix\nseven\ntwo\n")
	r.put("b/c.txt", "two\r\nand two$\r\n")
	r.put("bin", "two\x00")
	r.put("d/long", strings.Repeat("é", 1000)+"two")
	r.put(".git/two", "two\n")
	r.link("a.go", "e")
	r.gives("grep", given{"pattern": "two$", "path": "b"}, "b/c.txt:1:two\n")
	r.gives("grep", given{"pattern": "^two", "glob": "*.go"}, "a.go:4:two\na.go:8:two\n")
	r.gives("grep", given{"pattern": "two", "ignoreCase": true, "path": "a.go"}, "a.go:2:Two\na.go:4:two\na.go:8:two\n")
	r.gives("grep", given{"pattern": "two", "path": "a.go", "context": 1}, "a.go-3-three\na.go:4:two\na.go-5-five\n--\na.go-7-seven\na.go:8:two\n")
	r.gives("grep", given{"pattern": "[tT]wo", "path": "a.go", "context": 2, "limit": 2},
		"a.go-1-one\na.go:2:Two\na.go-3-three\na.go:4:two\na.go-5-five\na.go-6-six\n[2 matching lines shown; there may be more]\n")
	r.gives("grep", given{"pattern": "one|five", "path": "a.go", "glob": "b/**/*.txt"}, "a.go:1:one\na.go:5:five\n")
	r.gives("grep", given{"pattern": "two", "glob": "b/**/*.txt"}, "b/c.txt:1:two\nb/c.txt:2:and two$\n")
	r.gives("grep", given{"pattern": "two", "path": "d"}, "d/long:1:"+strings.Repeat("é", 200)+" [… this line has 2003 bytes]\n")
	r.gives("grep", given{"pattern": `\Asix\z`}, "a.go:6:six\n")
	r.gives("grep", given{"pattern": "nowhere"}, "[no matches]\n")
	r.gives("grep", given{"regex": "seven", "include": "a.*"}, "a.go:7:seven\n")
	r.fails("grep", given{"pattern": "two", "path": "bin"}, "binary")
	r.fails("grep", given{"pattern": "("}, "regular expression")
	r.fails("grep", given{"pattern": `(?=x)`}, "regular expression")
	r.fails("grep", given{"pattern": "(a{30}){30}(b{30}){30}(c{30}){30}"}, "too large")
	r.fails("grep", given{}, "pattern is missing")
	r.fails("grep", given{"pattern": "x", "path": "none"}, "there is no none")
	got := r.runWith("grep", given{"pattern": "two", "glob": "*.{go,txt}"}, tools.Options{Skip: func(path string) bool { return strings.HasSuffix(path, "/a.go") }})
	if got.Text != "b/c.txt:1:two\nb/c.txt:2:and two$\n" {
		t.Errorf("skipping: %s", got.Text)
	}
}

// A file of nothing but short lines, and one of a single long one, take no more memory or time than others.
func TestGrepStrangeFiles(t *testing.T) {
	r := newRig(t)
	r.put("short", strings.Repeat("\n", 1<<19)+"end\n")
	r.put("long", strings.Repeat("x", 1<<20)+"end")
	r.gives("grep", given{"pattern": "^end$"}, fmt.Sprintf("short:%d:end\n", 1<<19+1))
	if got := r.run("grep", given{"pattern": "^$", "limit": 3}); got.Text != "short:1:\nshort:2:\nshort:3:\n[3 matching lines shown; there may be more]\n" {
		t.Errorf("%s", got.Text)
	}
}

func TestFind(t *testing.T) {
	r := newRig(t)
	for _, name := range []string{"a.go", "b/a.go", "b/c/d.go", "b/c/e.txt", ".git/x.go", "f/.hidden.go"} {
		r.put(name, "")
	}
	r.link("b", "link")
	r.gives("find", given{"pattern": "*.go"}, "a.go\nb/a.go\nb/c/d.go\nf/.hidden.go\n")
	r.gives("find", given{"pattern": "b/*"}, "b/a.go\nb/c/\n")
	r.gives("find", given{"pattern": "**/{d,e}.*"}, "b/c/d.go\nb/c/e.txt\n")
	r.gives("find", given{"pattern": "?.go", "path": "b"}, "b/a.go\nb/c/d.go\n")
	r.gives("find", given{"pattern": "*", "path": "link"}, "b/a.go\nb/c/\nb/c/d.go\nb/c/e.txt\n")
	r.gives("find", given{"pattern": "*.go", "limit": 2}, "a.go\nb/a.go\n[2 shown; there may be more]\n")
	r.gives("find", given{"pattern": "x.go"}, "[nothing found]\n")
	for pattern, want := range map[string]string{"": "missing", "[": "no valid glob", "/etc/*": "can't leave", "../*": "can't leave", strings.Repeat("{a,b}", 9): "too many", strings.Repeat("**/", 9): "too many"} {
		r.fails("find", given{"pattern": pattern}, want)
	}
}

func TestDeepAndStopped(t *testing.T) {
	r := newRig(t)
	root, err := os.OpenRoot(r.dir)
	r.must(err)
	defer root.Close()
	deep := strings.Repeat("d/", 600)
	r.must(root.MkdirAll(deep, 0o755))
	f, err := root.Create(deep + "x")
	r.must(err)
	r.must(f.Close())
	t.Cleanup(func() { r.must(os.RemoveAll(r.path("d"))) })
	r.gives("find", given{"pattern": "x"}, "[nothing found]\n[0 shown; there may be more]\n")
	r.gives("read", given{"path": deep + "x"}, "[the file is empty]")
	stopped, stop := context.WithCancelCause(context.Background())
	stop(errors.New("stopped by hand"))
	for _, tool := range []string{"find", "grep"} {
		if got := r.Run(stopped, callOf(tool, given{"pattern": "x"}), tools.Options{}); !got.IsError || !strings.Contains(got.Text, "stopped by hand") {
			t.Errorf("%s, stopped: %+v", tool, got)
		}
	}
}

func TestIgnored(t *testing.T) {
	r := newRig(t)
	r.mkdir("../.git/info")
	r.put("../.git/info/exclude", "excluded\n")
	r.put("../.gitignore", "above\n/work/anchored\n")
	r.put(".gitignore", "*.log\n!keep.log\nbuild/\n/top\n")
	r.put("sub/.gitignore", "!special.log\n*.txt\n")
	r.link("../.gitignore", "other")
	for _, name := range []string{"a.log", "keep.log", "build/x", "top/x", "sub/top/x", "sub/special.log", "sub/a.txt", "a.txt", "above", "anchored", "sub/anchored", "excluded", "sub/build/keep.log"} {
		r.put(name, "x\n")
	}
	r.gives("grep", given{"pattern": "^x$"}, "a.txt:1:x\nkeep.log:1:x\nsub/anchored:1:x\nsub/special.log:1:x\nsub/top/x:1:x\n")
	r.gives("find", given{"pattern": "*", "path": "build"}, "build/x\n")
	r.gives("find", given{"pattern": "*.{log,txt}", "path": "sub"}, "sub/special.log\n")
	r.gives("read", given{"path": "a.log"}, "x\n")
}

func TestIgnoreFilesThatAreNone(t *testing.T) {
	r := newRig(t)
	r.mkdir("a/.gitignore")
	r.mkdir("b")
	r.link(".gitignore", "b/.gitignore")
	r.mkdir("c")
	r.link("../../out", "c/.gitignore")
	r.put("../out", "*\n")
	r.put("d/.gitignore", strings.Repeat("[\n", 1000)+"**/**/**\\\n\xff\n!\n/\n#x\n")
	for _, name := range []string{"a/x", "b/x", "c/x", "d/x"} {
		r.put(name, "")
	}
	r.gives("find", given{"pattern": "x"}, "a/x\nb/x\nc/x\nd/x\n")
}

func TestManyFiles(t *testing.T) {
	r := newRig(t)
	for i := range 1200 {
		r.put(fmt.Sprintf("f%04d", i), strings.Repeat("match this line, please\n", 5))
	}
	got := r.run("grep", given{"pattern": "match", "limit": 5000})
	if len(got.Text) > tools.DefaultBudget || !strings.HasPrefix(got.Whole, "f0000:1:match") || !strings.Contains(got.Text, "left out") || strings.Count(got.Whole, "\n") != 5001 {
		t.Errorf("%d bytes of %d", len(got.Text), len(got.Whole))
	}
	if got := r.run("ls", given{}); !strings.HasSuffix(got.Text, "[500 of 1200 entries]\n") {
		t.Errorf("ls ends with %q", got.Text[len(got.Text)-60:])
	}
	if _, err := os.Stat(filepath.Join(r.dir, "f0000")); err != nil {
		t.Error(err)
	}
}
