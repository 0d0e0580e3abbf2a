package picoclaw

import (
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestLongFirstPrompt: a first prompt that is longer than what a list reads is the first message all the same, and its file is not damaged.
func TestLongFirstPrompt(t *testing.T) {
	for _, length := range []int{300 << 10, 17 << 20} {
		first := `{"role":"user","content":"begin ` + strings.Repeat("x ", length/2) + `"}`
		const second = `{"role":"user","content":"second"}`
		for form, files := range map[string]map[string]string{
			"lines":  {dir + "sk_v1_aa.jsonl": first + "\n" + second + "\n", dir + "sk_v1_aa.meta.json": meta1(`"skip":0`)},
			"object": {dir + "cli_demo.json": `{"key":"cli:demo","messages":[` + first + `,` + second + `],"summary":""}`},
		} {
			f := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, files))))
			if !strings.HasPrefix(f.FirstMessage, "begin x") || f.Problem != "" {
				t.Errorf("%d %s: %.20q, %q", length, form, f.FirstMessage, f.Problem)
			}
		}
	}
}
