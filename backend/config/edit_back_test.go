package config

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWithProviderBack(t *testing.T) {
	const (
		top    = "# mine\nprovider: work # at work\nproviders:\n"
		first  = "  a: {base_url: http://a/v1}\n"
		work   = "  work:\n    # in the office\n    base_url: http://x/v1 # theirs\n    model: y\n"
		second = "  b: {base_url: http://b/v1} # spare\n"
	)
	p := Provider{Name: "work", BaseURL: "http://x/v1", Model: "y"}
	none := "# mine\nprovider: \"\" # at work\nproviders:\n"
	back := "# mine\nprovider: \"work\" # at work\nproviders:\n"
	for name, c := range map[string]struct{ before, now, want string }{
		"between":               {top + first + work + second, none + first + second + "theme: dark\n", back + first + work + second + "theme: dark\n"},
		"first":                 {top + work + second, none + second + "theme: dark\n", back + work + second + "theme: dark\n"},
		"last":                  {top + first + work, none + first + "theme: dark\n", back + first + work + "theme: dark\n"},
		"below its comment":     {top + first + "  # the office\n" + work + second, none + first + "  # the office\n" + second + "theme: dark\n", back + first + "  # the office\n" + work + second + "theme: dark\n"},
		"its neighbour is gone": {top + first + work + second, none + second, back + work + second},
		"without newline":       {top + first + work[:len(work)-1], none + first[:len(first)-1], back + first + work},
		"another is in use":     {top + first + work, "provider: a\nproviders:\n" + first, "provider: a\nproviders:\n" + first + work},
		"indented otherwise":    {top + first + work, "provider: a\nproviders:\n    a: {base_url: http://a/v1}\n", "provider: a\nproviders:\n    work:\n      base_url: \"http://x/v1\"\n      model: \"y\"\n    a: {base_url: http://a/v1}\n"},
		"no others":             {top + work, "provider: \"\"\ntheme: dark\n", "provider: \"work\"\ntheme: dark\nproviders:\n  work:\n    base_url: \"http://x/v1\"\n    model: \"y\"\n"},
	} {
		got, err := WithProviderBack([]byte(c.now), []byte(c.before), p, true)
		if diff := cmp.Diff(c.want, string(got)); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	now := []byte("providers:\n  Work: {base_url: http://other/v1}\n")
	if got, err := WithProviderBack(now, []byte(top+work), p, true); !errors.Is(err, ErrOtherProvider) {
		t.Errorf("%q, %v", got, err)
	}
}
