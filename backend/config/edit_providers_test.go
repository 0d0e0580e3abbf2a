package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWithProvider(t *testing.T) {
	work := Provider{Name: "work", BaseURL: "https://x.example.com/v1", Model: "gpt-5"}
	block := "providers:\n  work:\n    base_url: \"https://x.example.com/v1\"\n    model: \"gpt-5\"\n"
	for name, c := range map[string]struct{ before, after string }{
		"no file":          {"", block},
		"comments":         {"# mine\ntheme: dark # at night\n", "# mine\ntheme: dark # at night\n" + block},
		"an empty section": {"providers: # mine\ntheme: dark\n", "providers: # mine\n" + block[len("providers:\n"):] + "theme: dark\n"},
		"beside another": {
			"providers:\n    # on this machine\n    local: {base_url: http://127.0.0.1:11434/v1} # here\ntheme: dark\n",
			"providers:\n    # on this machine\n    work:\n      base_url: \"https://x.example.com/v1\"\n      model: \"gpt-5\"\n    local: {base_url: http://127.0.0.1:11434/v1} # here\ntheme: dark\n",
		},
		"changed": {
			"providers:\n  # theirs\n  work:\n    base_url: https://old/v1 # theirs\n    # the small one\n    model: small # cheap\n    context_window: 9 # guessed\n  b:\n    base_url: http://b/v1\n",
			"providers:\n  # theirs\n  work:\n    base_url: \"https://x.example.com/v1\" # theirs\n    # the small one\n    model: \"gpt-5\" # cheap\n    context_window: 0 # guessed\n  b:\n    base_url: http://b/v1\n",
		},
		"with less than now": {
			"providers:\n  work:\n    base_url: https://x.example.com/v1\n\ntheme: dark\n",
			"providers:\n  work:\n    model: \"gpt-5\"\n    base_url: https://x.example.com/v1\n\ntheme: dark\n",
		},
		"on one line": {
			"providers:\n  work: {base_url: \"https://old/v1\", mine: 7, note: 'a: b'} # theirs\n",
			"providers:\n  work: {base_url: \"https://x.example.com/v1\", model: \"gpt-5\", mine: 7, note: \"a: b\"} # theirs\n",
		},
	} {
		got, err := WithProvider([]byte(c.before), work)
		if diff := cmp.Diff(c.after, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, before := range []string{
		"{theme: dark}", "providers: {work: {base_url: http://x}}\n", "providers: &p\n  work:\n    base_url: http://x\n    model: |\n      a\n      b\n",
		"providers:\n  work: {base_url: http://x,\n    model: y}\n", "providers: [1]\n", "a: [",
		"Providers:\n  Work:\n    base_url: https://old/v1\n", // the name stays as it is spelt, which is another one than was wanted
		"theme: dark\rmodel: x\n", "- 1\n",
	} {
		if got, err := WithProvider([]byte(before), work); !errors.Is(err, ErrByHand) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
	for _, p := range []Provider{{}, {Name: "a b", BaseURL: "http://x"}, {Name: "a"}, {Name: "a", BaseURL: "x"}, {Name: "a", BaseURL: "http://u:p@x"}, {Name: "a", BaseURL: "http://x", ContextWindow: -1}} {
		_, err := WithProvider(nil, p)
		if err == nil {
			t.Errorf("%+v is none", p)
			continue
		}
		if strings.Contains(err.Error(), "_") {
			t.Errorf("%+v: a form has no such field: %v", p, err)
		}
	}
}

func TestWithoutProvider(t *testing.T) {
	for name, c := range map[string]struct{ before, after string }{
		"the only one":    {"# a\nproviders:\n  work:\n    base_url: http://x/v1\n    model: y\n# b\ntheme: dark\n", "# a\n# b\ntheme: dark\n"},
		"the first":       {"providers:\n  work:\n    base_url: http://x/v1\n  b: {base_url: http://b/v1}\n", "providers:\n  b: {base_url: http://b/v1}\n"},
		"the last":        {"providers:\n  b: {base_url: http://b/v1}\n  # mine\n  work: {base_url: http://x/v1} # x\n", "providers:\n  b: {base_url: http://b/v1}\n  # mine\n"},
		"without newline": {"providers:\n  b: {base_url: http://b/v1}\n  work: {base_url: http://x/v1}", "providers:\n  b: {base_url: http://b/v1}\n"},
	} {
		got, err := WithoutProvider([]byte(c.before), "work")
		if diff := cmp.Diff(c.after, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	for _, before := range []string{"", "providers: {work: {base_url: http://x}}\n", "providers:\n  b: {base_url: http://b/v1}\n"} {
		if got, err := WithoutProvider([]byte(before), "work"); !errors.Is(err, ErrByHand) {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
}

func TestWithProviderInUse(t *testing.T) {
	for before, after := range map[string]string{
		"":                                "provider: \"work\"\n",
		"provider: other # x\nmodel: m\n": "provider: \"work\" # x\nmodel: m\n",
		"provider: work\n":                "provider: work\n",
	} {
		if got, err := WithProviderInUse([]byte(before), "work"); err != nil || string(got) != after {
			t.Errorf("%q became %q, %v", before, got, err)
		}
	}
	if got, err := WithProviderInUse([]byte("model: m\n"), ""); err != nil || string(got) != "model: m\n" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := WithValue([]byte("theme: dark\n"), "theme", "pink"); err == nil {
		t.Error("pink")
	}
}

// TestProvidersComeAndGo: whatever is edited in whatever order, the file says what it was told, and nothing else changes.
func TestProvidersComeAndGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := []byte(rapid.SampledFrom([]string{"", "# mine\ntheme: dark # night\n", "providers:\n\ntheme: dark\n", "theme: dark\nproviders:\n  z: {base_url: http://z/v1} # z\n"}).Draw(t, "file"))
		values, _ := parse(FileName, data)
		want := map[string]Provider{}
		for _, p := range providersIn(values) {
			want[p.Name] = p
		}
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"a", "b-c", "z"}).Draw(t, "name")
			if _, there := want[name]; there && rapid.Bool().Draw(t, "remove") {
				edited, err := WithoutProvider(data, name)
				if err != nil {
					t.Fatalf("%q without %s: %v", data, name, err)
				}
				data = edited
				delete(want, name)
				continue
			}
			p := Provider{
				Name: name, BaseURL: rapid.SampledFrom([]string{"http://x/v1", "https://y.example.com:8/v1#'\""}).Draw(t, "base"),
				Model: rapid.SampledFrom([]string{"", "m", "a: b # c", "\"quoted\""}).Draw(t, "model"), ContextWindow: rapid.SampledFrom([]int{0, 9}).Draw(t, "window"),
			}
			edited, err := WithProvider(data, p)
			if err != nil {
				t.Fatalf("%q with %+v: %v", data, p, err)
			}
			data = edited
			want[name] = p
		}
		values, problems := parse(FileName, data)
		got := map[string]Provider{}
		for _, p := range providersIn(values) {
			got[p.Name] = p
		}
		if diff := cmp.Diff(want, got); diff != "" || len(problems) > 0 {
			t.Fatalf("%q: %v\n%s", data, problems, diff)
		}
	})
}
