package tools

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// seenBy is which of these paths are ignored, a folder that is ignored taking all in it along.
func seenBy(rules ignoring, files []string) []string {
	var ignored []string
	for _, file := range files {
		parts := strings.Split(file, "/")
		for i := range parts {
			if rules.ignores("/r/"+path.Join(parts[:i+1]...), i < len(parts)-1) {
				ignored = append(ignored, file)
				break
			}
		}
	}
	return ignored
}

// Git itself says what a .gitignore file means.
func TestIgnoresAsGitDoes(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := func(input string, arguments ...string) string {
		command := exec.Command("git", append([]string{"-C", dir, "-c", "core.excludesFile=" + os.DevNull, "-c", "core.quotePath=false"}, arguments...)...)
		command.Stdin = strings.NewReader(input)
		command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
		var out bytes.Buffer
		command.Stdout = &out
		_ = command.Run() // 1 is that none is ignored
		return out.String()
	}
	git("", "init", "-q")
	var files []string
	for _, one := range []string{"a", "b", "a.log", "ab", "{a}", "a b", "#a", "!a", "*", "aa"} {
		files = append(files, one)
		for _, two := range []string{"a", "b", "a.log"} {
			files = append(files, "d/"+one+"/"+two, "dd/"+two)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	texts := []string{
		"a", "/a", "a/", "d/a", "d/**", "**/a", "d/**/a", "*", "*\n!d\n!a", "/*\n!/d", "*.log\n!d/a.log", "d/*\n!d/a\n", "{a}", "a b", "a\\ b", "a  ", "a\\ ", "\\#a", "#a", "\\!a", "!a", "?", "[ab]", "[!a]", "[^a]",
		"a\r\n", "**", "d/", "/d/a/b", "a*b", "d**", "**d/", "!d\nd", "d\n!d/a", "a***", "***", "/***", "d/***/a", "\\**", "\\*", "a\\*", "{a", "a}", "[{]a}", "/", "//", "a//b", "[", "a\\",
	}
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "b", "d", "*", "**", "/", "!", "?", ".log", "[ab]", "\n", "\n", "d/", "/a", "\\"}
	for range 400 {
		text := ""
		for range 1 + random.IntN(7) {
			text += pieces[random.IntN(len(pieces))]
		}
		texts = append(texts, text)
	}
	// One folder for each, so that git is asked once. The files need not be there.
	var input strings.Builder
	for i, text := range texts {
		folder := filepath.Join(dir, strconv.Itoa(i))
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			input.WriteString(strconv.Itoa(i) + "/" + file + "\x00")
		}
	}
	want := map[string][]string{}
	for ignored := range strings.SplitSeq(git(input.String(), "check-ignore", "--no-index", "--stdin", "-z"), "\x00") {
		folder, file, _ := strings.Cut(ignored, "/")
		want[folder] = append(want[folder], file)
	}
	for i, text := range texts {
		if got := seenBy(parseIgnore(text, "/r"), files); !slices.Equal(got, want[strconv.Itoa(i)]) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want[strconv.Itoa(i)])
		}
	}
}

func FuzzIgnore(f *testing.F) {
	for _, text := range []string{"*.log\n!x", "/a/**/b/", `\`, "[", "{a,b}", "**/**/**"} {
		f.Add(text, "a/b")
	}
	f.Fuzz(func(_ *testing.T, text, file string) {
		if len(text) < 1000 && len(file) < 200 {
			parseIgnore(text, "/r").ignores("/r/"+file, false)
		}
	})
}
