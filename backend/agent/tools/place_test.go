//go:build unix

package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"palimpsest/backend/agent/tools"
)

func TestConfined(t *testing.T) {
	r := newRig(t)
	r.put("../secret/file", "secret\n")
	secret := filepath.Join(filepath.Dir(r.dir), "secret")
	r.link(secret, "absolute")
	r.link("../secret", "relative")
	r.link("absolute", "twice")
	r.link("../secret/file", "file")
	r.link("nowhere", "dangling")
	r.link("../secret/new", "danglingout")
	r.link("loop", "loop")
	r.put("sub/x", "x\n")
	const said = "outside of the session's folder"
	for _, path := range []string{"../secret/file", secret + "/file", "absolute/file", "relative/file", "twice/file", "file", "sub/../../secret/file", "/etc/passwd", "~/file", "./../secret/file"} {
		r.fails("read", given{"path": path}, said)
		r.fails("edit", given{"path": path, "oldText": "s", "newText": "x"}, said)
		r.fails("write", given{"path": path, "content": "x"}, said)
		r.fails("grep", given{"path": path, "pattern": "s"}, said)
	}
	for _, path := range []string{"..", "absolute", "relative", "twice", "/", secret} {
		r.fails("ls", given{"path": path}, said)
		r.fails("find", given{"path": path, "pattern": "*"}, said)
		r.fails("grep", given{"path": path, "pattern": "s"}, said)
		r.fails("write", given{"path": path + "/new/x", "content": "x"}, said)
	}
	r.fails("read", given{"path": "dangling"}, "symbolic link to what is not there")
	r.fails("write", given{"path": "dangling", "content": "x"}, "symbolic link to what is not there")
	r.fails("write", given{"path": "danglingout", "content": "x"}, "symbolic link to what is not there")
	r.fails("read", given{"path": "loop"}, "loop")
	r.fails("write", given{"path": "../secret\x00", "content": "x"}, "NUL")
	if r.text("../secret/file") != "secret\n" || r.exists("../secret/new") {
		t.Error("something outside was changed")
	}
}

func TestLinksWithin(t *testing.T) {
	r := newRig(t)
	r.put("a/file", "one\n")
	r.link(r.path("a"), "absolute")
	r.link("a/file", "file")
	r.gives("read", given{"path": "absolute/file"}, "one\n")
	r.gives("edit", given{"path": "file", "oldText": "one", "newText": "two"}, "edited a/file: 1 lines added, 1 removed\n")
	if info, err := os.Lstat(r.path("file")); err != nil || info.Mode()&os.ModeSymlink == 0 || r.text("a/file") != "two\n" {
		t.Errorf("the link: %v, %v; its file: %q", info, err, r.text("a/file"))
	}
}

func TestAllowedOutside(t *testing.T) {
	r := newRig(t)
	r.put("../other/file", "one\n")
	r.put("../other/secret", "two\n")
	outside := filepath.Join(filepath.Dir(r.dir), "other")
	r.link("../other", "link")
	file := filepath.Join(outside, "file")
	allowing := tools.Options{Outside: []string{file}}
	for _, path := range []string{file, "../other/file", "link/file"} {
		if got := r.runWith("read", given{"path": path}, allowing); got.IsError || got.Text != "one\n" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	for _, path := range []string{"../other/secret", "../other", "../other/file/.."} {
		if got := r.runWith("read", given{"path": path}, allowing); !got.IsError {
			t.Errorf("%s: %+v", path, got)
		}
	}
	if got := r.runWith("grep", given{"pattern": "t", "path": "../other"}, tools.Options{Outside: []string{outside}}); got.IsError || !strings.Contains(got.Text, "/other/secret:1:two") {
		t.Errorf("grep: %+v", got)
	}
	deep := filepath.Join(outside, "new", "deep")
	got := r.runWith("write", given{"path": deep, "content": "x"}, tools.Options{Outside: []string{deep}})
	if got.IsError || r.text("../other/new/deep") != "x" || got.Changes[0].Path != deep {
		t.Errorf("write: %+v", got)
	}
	r.fails("read", given{"path": file}, "outside")
}

// A link that leads elsewhere since it was judged is not followed.
func TestJudged(t *testing.T) {
	r := newRig(t)
	r.put("public", "public\n")
	r.put(".env", "secret\n")
	r.link("public", "link")
	call := callOf("read", given{"path": "link"})
	facts, err := r.Facts(call)
	r.must(err)
	judged := tools.Options{Judged: facts.Paths}
	if got := r.runWith("read", given{"path": "link"}, judged); got.Text != "public\n" {
		t.Errorf("%+v", got)
	}
	r.must(os.Remove(r.path("link")))
	r.link(".env", "link")
	if got := r.runWith("read", given{"path": "link"}, judged); !got.IsError || !strings.Contains(got.Text, "nobody has allowed") {
		t.Errorf("%+v", got)
	}
}

// A folder that is swapped for a link, again and again, never leads a call out.
func TestRacingLinks(t *testing.T) {
	r := newRig(t)
	r.put("../secret/file", "secret")
	r.put("dir/file", "public")
	r.mkdir("../parked")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(r.path("dir"), r.path("../parked/dir"))
			_ = os.Symlink("../secret", r.path("dir"))
			_ = os.Remove(r.path("dir"))
			_ = os.Rename(r.path("../parked/dir"), r.path("dir"))
		}
	})
	for range 300 {
		for _, got := range []tools.Result{
			r.run("read", given{"path": "dir/file"}), r.run("grep", given{"path": "dir", "pattern": "."}), r.run("grep", given{"pattern": "."}),
		} {
			if strings.Contains(got.Text, "secret\n") || strings.Contains(got.Text, ":secret") || got.Text == "secret" {
				t.Fatalf("read outside: %q", got.Text)
			}
		}
		r.run("edit", given{"path": "dir/file", "oldText": "secret", "newText": "broken"})
		r.run("write", given{"path": "dir/new", "content": "x"})
	}
	close(stop)
	swapping.Wait()
	if r.text("../secret/file") != "secret" || r.exists("../secret/new") {
		t.Error("written outside")
	}
}

func TestWhatIsNoFile(t *testing.T) {
	r := newRig(t)
	r.must(syscall.Mkfifo(r.path("pipe"), 0o600))
	r.mkdir("dir")
	r.put("pipes/.gitignore", "x")
	r.must(os.Remove(r.path("pipes/.gitignore")))
	r.must(syscall.Mkfifo(r.path("pipes/.gitignore"), 0o600))
	r.put("pipes/x", "found\n")
	for _, tool := range []string{"read", "grep", "write", "edit"} {
		arguments := given{"path": "pipe", "pattern": "x", "content": "x", "oldText": "x", "newText": "y"}
		r.fails(tool, arguments, "no regular file")
		arguments["path"] = "/dev/zero"
		if got := r.runWith(tool, arguments, tools.Options{Outside: []string{"/dev/zero"}}); !got.IsError || !strings.Contains(got.Text, "no regular file") {
			t.Errorf("%s of a device: %+v", tool, got)
		}
	}
	r.fails("read", given{"path": "dir"}, "is a folder")
	r.fails("write", given{"path": "dir", "content": "x"}, "is a folder")
	r.fails("edit", given{"path": "dir", "oldText": "x", "newText": "y"}, "is a folder")
	r.fails("ls", given{"path": "pipe"}, "no folder")
	r.fails("find", given{"path": "pipe", "pattern": "x"}, "no folder")
	r.fails("read", given{"path": "pipe/x"}, "not a directory")
	r.gives("grep", given{"pattern": "found"}, "pipes/x:1:found\n")
	r.gives("ls", given{}, "dir/\npipe (p---------)\npipes/\n")
}
