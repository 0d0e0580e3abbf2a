//go:build unix

package tools_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/backend/agent/tools"
)

func numbered(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "line %d\n", i+1)
	}
	return out.String()
}

func TestRead(t *testing.T) {
	r := newRig(t)
	r.put("three", "one\ntwo\nthree")
	r.put("empty", "")
	r.put("bom", "\uFEFFone\r\ntwo\r\n")
	r.put("latin", "caf\xe9\n")
	r.put("nul", "a\x00b")
	r.put("late", strings.Repeat("x\n", 5000)+"\x00\n")
	r.put("utf16", "\xff\xfea\x00b\x00")
	r.put("many", numbered(5000))
	r.gives("read", given{"path": "three"}, "one\ntwo\nthree")
	r.gives("read", given{"path": "three", "offset": 2, "limit": "1"}, "two\n[lines 2 to 2 of 3; the next begins at offset 3]\n")
	r.gives("read", given{"path": "three", "offset": 3.0}, "three\n[lines 3 to 3 of 3]\n")
	r.gives("read", given{"path": "empty"}, "[the file is empty]")
	r.gives("read", given{"path": "bom"}, "one\r\ntwo\r\n")
	r.gives("read", given{"path": "latin"}, "caf\uFFFD\n")
	r.gives("read", given{"path": "late", "offset": 5001}, "\uFFFD\n[lines 5001 to 5001 of 5001]\n")
	r.fails("read", given{"path": "three", "offset": 4}, "only 3 lines")
	r.fails("read", given{"path": "none"}, "there is no none")
	r.fails("read", given{"path": "nul"}, "binary file of 3 bytes")
	r.fails("read", given{"path": "utf16"}, "UTF-16")
	if got := r.run("read", given{"path": "many"}).Text; !strings.HasSuffix(got, "line 2000\n[lines 1 to 2000 of 5000; the next begins at offset 2001]\n") {
		t.Errorf("many lines end with %q", got[len(got)-100:])
	}
}

func TestReadWithinBudget(t *testing.T) {
	r := newRig(t)
	r.put("wide", strings.Repeat(strings.Repeat("é", 900)+"\n", 100))
	r.put("long", strings.Repeat("é", 3<<20)+"\nend\n")
	got := r.run("read", given{"path": "wide"})
	if len(got.Text) > tools.DefaultBudget || got.Whole != "" || !strings.Contains(got.Text, "the next begins at offset") {
		t.Errorf("%d bytes, whole %d: …%s", len(got.Text), len(got.Whole), got.Text[len(got.Text)-100:])
	}
	got = r.run("read", given{"path": "long"})
	if !utf8.ValidString(got.Text) || strings.Contains(got.Text, "\uFFFD") || !strings.HasSuffix(got.Text, "é [… the rest of this line of 6291457 bytes left out]\nend\n") {
		t.Errorf("a long line: %d bytes, …%s", len(got.Text), got.Text[len(got.Text)-100:])
	}
}

func TestReadImages(t *testing.T) {
	r := newRig(t)
	for name, head := range map[string]string{
		"png": "\x89PNG\r\n\x1a\n\x00\x00", "jpeg": "\xff\xd8\xff\xe0\x00", "gif": "GIF89a\x00", "webp": "RIFF\x00\x00\x00\x00WEBPVP8 ",
	} {
		r.put(name, head)
		got := r.run("read", given{"path": name})
		if got.IsError || len(got.Images) != 1 || got.Images[0].MediaType != "image/"+name || string(r.blobs[got.Images[0].Blob]) != head {
			t.Errorf("%s: %+v", name, got)
		}
	}
	r.put("large", "GIF89a"+strings.Repeat("\x00", 6<<20))
	r.fails("read", given{"path": "large"}, "models take")
	r.put("pdf", "%PDF-1.7\x00")
	r.fails("read", given{"path": "pdf"}, "application/pdf")
}

func TestLs(t *testing.T) {
	r := newRig(t)
	r.gives("ls", given{}, "[the folder is empty]")
	r.put("b/c", "")
	r.put("a", "12345")
	r.put(".hidden", "")
	r.put("line\nbreak", "")
	r.link("a", "l")
	r.gives("ls", given{}, ".hidden (0 bytes)\na (5 bytes)\nb/\nl -> a\nline\\nbreak (0 bytes)\n")
	r.gives("ls", given{"path": "b"}, "c (0 bytes)\n")
	r.gives("ls", given{"limit": 2}, ".hidden (0 bytes)\na (5 bytes)\n[2 of 5 entries]\n")
	r.fails("ls", given{"path": "a"}, "no folder")
	r.fails("ls", given{"path": "none"}, "there is no none")
	got := r.runWith("ls", given{}, tools.Options{Skip: func(path string) bool { return strings.HasSuffix(path, "/a") || strings.HasSuffix(path, "/b") }})
	if got.Text != ".hidden (0 bytes)\nl -> a\nline\\nbreak (0 bytes)\n" {
		t.Errorf("skipping: %s", got.Text)
	}
}
