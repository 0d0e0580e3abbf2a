package record

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		name, line, want string
		longest          int
	}{
		{"short strings stay", `{"a":"bc","d":[1,"e"]}`, `{"a":"bc","d":[1,"e"]}`, 4},
		{"a long one is cut", `{"a":"abcdefgh","b":1}`, `{"a":"abcd…","b":1}`, 4},
		{"an escaped quote ends nothing", `{"a":"a\"cdefgh"}`, `{"a":"a\"c…"}`, 4},
		{"an escape is not cut", `{"a":"abc\"efgh"}`, `{"a":"abc…"}`, 4},
		{"an escaped backslash before the quote", `{"a":"abc\\","b":"x"}`, `{"a":"abc\\","b":"x"}`, 5},
		{"surrogates stay together", `{"a":"ab\ud83d\ude00cdefghijklmnop"}`, `{"a":"ab…"}`, 9},
		{"characters stay whole", `{"a":"äöüäöü"}`, `{"a":"äö…"}`, 5},
		{"an unterminated string", `{"a":"abcdefgh`, `{"a":"abcd…`, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, cut, err := Shorten(strings.NewReader(test.line), test.longest)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if cut != (test.line != test.want) {
				t.Errorf("cut is %v", cut)
			}
		})
	}
}

// What is JSON stays JSON: the same but for strings, of which each begins as it did.
func TestShortenKeepsJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]string{`\"`, `\\`, `\u00e4`, `\ud83d\ude00`, "ä", "😀", "x", `\n`, "abc"}))
		value := rapid.Custom(func(t *rapid.T) string { return `"` + strings.Join(text.Draw(t, "text"), "") + `"` })
		line := `{"a":` + value.Draw(t, "a") + `,"b":[` + value.Draw(t, "b") + `,7,null]}`
		longest := rapid.IntRange(1, 40).Draw(t, "longest")
		// A small buffer ends within strings, and within what must not be cut.
		short, _, err := shorten(bufio.NewReaderSize(strings.NewReader(line), 16), longest)
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}

		var before, after struct {
			A string
			B []any
		}
		if err := json.Unmarshal([]byte(line), &before); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(short, &after); err != nil {
			t.Fatalf("%s became %s: %v", line, short, err)
		}
		first, _ := after.B[0].(string)
		whole, _ := before.B[0].(string)
		for _, pair := range [][2]string{{before.A, after.A}, {whole, first}} {
			if pair[0] != pair[1] && !strings.HasPrefix(pair[0], strings.TrimSuffix(pair[1], "…")) {
				t.Fatalf("%q became %q", pair[0], pair[1])
			}
			if !utf8.ValidString(pair[1]) || strings.ContainsRune(pair[1], utf8.RuneError) {
				t.Fatalf("%q is not whole text", pair[1])
			}
		}
		if len(after.B) != 3 || after.B[1] != 7.0 || after.B[2] != nil {
			t.Fatalf("%v is another list", after.B)
		}
	})
}

func TestShortenTellsOfFailure(t *testing.T) {
	broken := errors.New("broken")
	if _, _, err := Shorten(iotest.ErrReader(broken), 10); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
