package jsonl

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRelaxed(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": "// no comment, /* nor this */ ,}"}`:     `{"a": "// no comment, /* nor this */ ,}"}`,
		"{ // one \"\n  a: 1, /* two, */ b_$: true,\n}": "{ \n  \"a\": 1,  \"b_$\": true}",
		`{'it\'s "so"': ['x', -1.5e3, null, ], }`:       `{"it's \"so\"": ["x", -1.5e3, null]}`,
		`{"a\"b": 'c\n'}`:     `{"a\"b": "c\n"}`,
		"{a: 'one \\\nline'}": `{"a": "one line"}`,
		`{größe: 1 /* no end`: `{"größe": 1 `,
		`{"a": "no end`:       `{"a": "no end"`,
		`{"\x41\v\0": '\x4a\q\"', "C:\dir": "\u0041\/"}`:  `{"\u0041\u000b\u0000": "\u004aq\"", "C:dir": "\u0041\/"}`,
		"{'a': \"one \\\r\n\\\u2028two\ttabs\"}":          `{"a": "one two\u0009tabs"}`,
		`{a: '\x4', b: '\x1f', c: "\xe9"}`:                `{"a": "x4", "b": "\u001f", "c": "\u00e9"}`,
		`[+5, .5, 5., -0x1F, 0xff, 1e3, +.5e1, -, 1.2.3]`: `[5, 0.5, 5, -31, 255, 1e3, 5, -, 1.2.3]`,
		`[Infinity, -Infinity, +NaN, NaN]`:                `[null, null, null, null]`,
		`{a: 'no end \`:                                   `{"a": "no end "`,
		"":                                                "",
		"{,}":                                             "{}",
		"{\"a\": 1} // at the end":                        `{"a": 1} `,
	} {
		if diff := cmp.Diff(want, string(Relaxed([]byte(text)))); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

// TestRelaxedTakesAnything: what is no JSON5 gives something, too, and JSON itself.
func TestRelaxedTakesAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{`"`, `'`, `\`, "/", "*", "//", "/*", "*/", "\n", ",", "{", "}", "[", "]", ":", "a", "1", "é", "\xff"})).Draw(t, "parts")
		var text []byte
		for _, part := range parts {
			text = append(text, part...)
		}
		once := Relaxed(text)
		const escaped = 6 // \u000a
		if len(once) > escaped*len(text)+2 {
			t.Errorf("%q became %q", text, once)
		}
	})
}
