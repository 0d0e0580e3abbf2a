package config

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	base = "http://127.0.0.1:11434/v1"
	both = "base_url: \"http://127.0.0.1:11434/v1\"\nmodel: \"llama3\"\n"
)

func TestWithModel(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"no file":       {"", both},
		"comments only": {"# mine\n", "# mine\n" + both},
		"null":          {"# mine\n\n---\n", "# mine\n\n---\n" + both},
		"no newline":    {"theme: dark", "theme: dark\n" + both},
		"others stay": {
			"# top\ntheme:   dark   # at night\n\ncompaction:\n    enabled: no\n\nmine: [1, 2]\n",
			"# top\ntheme:   dark   # at night\n\ncompaction:\n    enabled: no\n\nmine: [1, 2]\n" + both,
		},
		"in place": {
			"model: old\ntheme: dark\nbase_url: http://old/v1\n# end\n",
			"model: \"llama3\"\ntheme: dark\nbase_url: \"http://127.0.0.1:11434/v1\"\n# end\n",
		},
		"with comments": {
			"# the model\nmodel: old # good enough\nbase_url: \"http://old/v1\" # here\n",
			"# the model\nmodel: \"llama3\" # good enough\nbase_url: \"http://127.0.0.1:11434/v1\" # here\n",
		},
		"without values": {
			"model: # none yet\nbase_url:\ntheme: dark\n",
			"model: \"llama3\" # none yet\nbase_url: \"http://127.0.0.1:11434/v1\"\ntheme: dark\n",
		},
		"in capitals": {"Model: old\nBASE_URL: http://old/v1\n", "model: \"llama3\"\nbase_url: \"http://127.0.0.1:11434/v1\"\n"},
		"in quotes":   {"\"model\": 'old'\n'base_url': http://old/v1\n", "model: \"llama3\"\nbase_url: \"http://127.0.0.1:11434/v1\"\n"},
		"CRLF": {
			"# mine\r\nmodel: old # here\r\ntheme: dark\r\n",
			"# mine\r\nmodel: \"llama3\" # here\r\ntheme: dark\r\nbase_url: \"http://127.0.0.1:11434/v1\"\r\n",
		},
		"CRLF, no newline": {
			"# mine\r\ntheme: dark",
			"# mine\r\ntheme: dark\r\nbase_url: \"http://127.0.0.1:11434/v1\"\r\nmodel: \"llama3\"\r\n",
		},
		"in another section, too": {
			"other:\n  model: theirs\n  base_url: theirs\n",
			"other:\n  model: theirs\n  base_url: theirs\n" + both,
		},
		"byte order mark": {"\ufefftheme: dark\n", "\ufefftheme: dark\n" + both},
		"mistakes elsewhere": {
			"theme: pink\napi_key: x\n", "theme: pink\napi_key: x\n" + both,
		},
	} {
		got, err := WithModel([]byte(c.before), base, "llama3")
		if diff := cmp.Diff(c.after, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
			continue
		}
		again, err := WithModel(got, base, "llama3")
		if !bytes.Equal(again, got) || err != nil {
			t.Errorf("%s: a second time: %q, %v", name, again, err)
		}
	}
}

// TestWithModelRefuses what it can't edit without a risk, and says so.
func TestWithModelRefuses(t *testing.T) {
	for name, before := range map[string]string{
		"flow":               "{model: x, base_url: y}\n",
		"flow over lines":    "{\n  model: x\n}\n",
		"a list":             "- model\n",
		"a word":             "model\n",
		"not YAML":           "model: [\n",
		"tab":                "\tmodel: x\n",
		"literal":            "model: |\n  x\n",
		"folded":             "model: >-\n  x\n  y\n",
		"plain, two lines":   "model: x\n  y\n",
		"quoted, two lines":  "model: \"x\n  y\"\n",
		"on the next line":   "model:\n  x\n",
		"explicit key":       "? model\n: x\n",
		"a mapping":          "model:\n  name: x\n",
		"a list for a value": "model: [x]\n",
		"an alias":           "theme: &t dark\nmodel: *t\n",
		"an anchor in use":   "model: &m x\nmine: *m\n",
		"twice":              "model: x\ntheme: dark\nmodel: y\n",
		"indented":           "  model: x\n  theme: dark\n",
		"two documents":      "theme: dark\n---\nmine: 1\n",
		"an ended document":  "theme: dark\n...\n",
		"line separators":    "# a\u2028# b\u2029# c\u0085\nmodel: x\n",
		"old line ends":      "# a\rmodel: x\r",
		"UTF-16":             "\xff\xfem\x00:\x00 \x00x\x00\n\x00",
		"UTF-16 and U+2028":  "\xff\xfe#\x00\x28\x20\x28\x20m\x00o\x00d\x00e\x00l\x00:\x00 \x00x\x00",
	} {
		got, err := WithModel([]byte(before), base, "llama3")
		if err == nil || !strings.Contains(err.Error(), "by hand") || got != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, values := range [][2]string{
		{"", "m"},
		{base, ""},
		{"127.0.0.1", "m"},
		{"ftp://x/y", "m"},
		{"http://user:secret@host/v1", "m"},
		{base, "a\nb"},
		{base, strings.Repeat("x", 257)},
		{base + "\nmodel: y", "m"},
	} {
		got, err := WithModel(nil, values[0], values[1])
		if err == nil || got != nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %q, %v", values, got, err)
		}
	}
}

func TestWithModelQuotes(t *testing.T) {
	for _, model := range []string{"x", "true", "null", "1e3", "a: b", "a #b", "'", `"`, `\`, "é日😀", "<&>", "*a", "&a", "!x", "~", "- x", "%", "@", "`", " x ", "a\u2028b"} {
		got, err := WithModel([]byte("model: old # comment\n"), base, model)
		if err != nil {
			t.Errorf("%q: %v", model, err)
			continue
		}
		values, problems := parse(FileName, got)
		if values["model"] != model || len(problems) > 0 || !bytes.Contains(got, []byte("# comment")) {
			t.Errorf("%q became %q: %v", model, got, problems)
		}
	}
}

// FuzzWithModel: whatever the file, either nothing comes of it and nothing panics, or the result has these values, every
// other line as it was, and every other setting.
func FuzzWithModel(f *testing.F) {
	for _, data := range []string{
		"", "model: x\n", "# a\r\nmodel: x # y\r\n", "theme: dark\nbase_url: z", "a: |\n  b\n", "{a: b}", "model: 'x\n  y'\n",
		"? model\n: x\n", "# a\u2028b\nmodel: x\n", "\ufeffmodel: x", "--- # x\nmodel: y\n...\n", "model:\n# x\ntheme: dark\n",
		"base_url: http://x/\nmodel: &a b\ntheme: light\n", "Model: x\nMODEL: y\n", "model: \"a\n  # b\"\n",
	} {
		f.Add([]byte(data), "llama3")
	}
	f.Fuzz(func(t *testing.T, data []byte, model string) {
		got, err := WithModel(data, base, model)
		if err != nil {
			if got != nil {
				t.Errorf("%v with %q", err, got)
			}
			return
		}
		before, _ := parse(FileName, data)
		after, _ := parse(FileName, got)
		if after["model"] != model || after["base_url"] != base {
			t.Fatalf("%q became %q with the values %v", data, got, after)
		}
		for key, value := range before {
			if key != "model" && key != "base_url" && fmt.Sprint(after[key]) != fmt.Sprint(value) {
				t.Errorf("%q became %q: %s was %v, is %v", data, got, key, value, after[key])
			}
		}
		// At most two lines are others; those that were added stand at the end.
		old, now := lines(data), lines(got)
		changed := 0
		for i, line := range old {
			if i >= len(now) || now[i] != line {
				changed++
			}
		}
		added := len(now) - len(old)
		if changed+added > 2 || added < 0 {
			t.Errorf("%q became %q: %d lines are others, %d new", data, got, changed, added)
		}
	})
}

// lines are those of a text, without their ends.
func lines(data []byte) []string {
	var out []string
	for line := range bytes.Lines(data) {
		out = append(out, string(bytes.TrimRight(line, "\r\n")))
	}
	return out
}
