package wellformed

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func check(t interface{ Fatalf(string, ...any) }, data []byte) {
	if got, want := JSON(data), json.Valid(data); got != want {
		t.Fatalf("%.200q: %v, and encoding/json says %v", data, got, want)
	}
}

func texts() []string {
	return []string{
		"", " ", "{}", "[]", " [ ] ", "{ }", "[1,]", "[,1]", "{,}", `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, "]", "}", "[}", "{]",
		`{"a":[1,{"b":null}],"c":"d"}`, "true", "tru", "truex", "false", "null", "nul", "0", "-0", "-", "01", "1.", ".5", "1.5e", "1e+", "1e-7", "1E5", "+1", "0x1", "1.5E+10 ",
		`"`, `"a`, `"\`, `"\"`, `"\u12"`, `"\u12g4"`, `"\uABcd"`, `"\x"`, `"\/\b\f\n\r\t\\\""`, "\"\x01\"", "\"\x1f234567890\"", "\"\x7f\xff\xc3\x28\"", "\"aaaaaaa\n\"",
		"\"12345678901234567890\"", "{} {}", "{}\x00", "\xEF\xBB\xBF{}", "[\"\\u0000\"]", `{"a":1,"a":2}`, "nan", `["a"x]`, `{"a":1]`, `[1}`, "\v1", `"é漢"`, "\"\x80\x80\x80\x80\x80\x80\x80\"",
	}
}

// TestVerdicts: each is what encoding/json says, also of every beginning, and of what has another byte somewhere.
func TestVerdicts(t *testing.T) {
	for _, text := range texts() {
		for i := range len(text) + 1 {
			check(t, []byte(text[:i]))
			for _, c := range []byte("\"\\{}[]:,0e-.x \n\x00\x1f\x80") {
				check(t, append([]byte(text[:i]), append([]byte{c}, text[min(i+1, len(text)):]...)...))
			}
		}
	}
	for _, deep := range []int{depthMost - 1, depthMost, depthMost + 1} {
		check(t, []byte(strings.Repeat("[", deep)+strings.Repeat("]", deep)))
		check(t, []byte(strings.Repeat(`{"a":`, deep)+"1"+strings.Repeat("}", deep)))
	}
}

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{"1": 0, "[]": 1, `{"a":[[1],2],"b":{}}`: 3, `[[],[[{}]]]`: 4} {
		if got, ok := Depth([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d, %v", text, got, ok)
		}
	}
}

// value draws a JSON value, as text with white space of all kinds.
func value(t *rapid.T, depth int) string {
	kind := rapid.IntRange(0, 7).Draw(t, "kind")
	if depth == 0 {
		kind %= 5
	}
	space := rapid.SampledFrom([]string{"", " ", "\n\t", "\r"}).Draw(t, "space")
	switch kind {
	case 0, 1:
		text, _ := json.Marshal(rapid.String().Draw(t, "text"))
		return space + string(text)
	case 2:
		text, _ := json.Marshal(rapid.Float64().Draw(t, "number"))
		return string(text) + space
	case 3:
		return rapid.SampledFrom([]string{"true", "false", "null", "0", "-1"}).Draw(t, "word")
	case 4:
		return space + `"` + rapid.SampledFrom([]string{`\u2028`, `\n`, `\\`, "plain text of some length", "é"}).Draw(t, "escape") + `"`
	}
	var parts []string
	for range rapid.IntRange(0, 4).Draw(t, "count") {
		part := value(t, depth-1)
		if kind > 5 {
			part = `"n"` + space + ":" + part
		}
		parts = append(parts, part)
	}
	if kind > 5 {
		return "{" + space + strings.Join(parts, ",") + space + "}"
	}
	return "[" + space + strings.Join(parts, ","+space) + "]"
}

// TestAnyValue: what is JSON is, and what had one byte changed, or lost its end, is what encoding/json says.
func TestAnyValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(value(t, 4))
		if check(t, text); !JSON(text) {
			t.Fatalf("%q is JSON", text)
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		check(t, text[:at])
		other := bytes.Clone(text)
		other[at] = rapid.Byte().Draw(t, "byte")
		check(t, other)
	})
}

func FuzzJSON(f *testing.F) {
	for _, text := range texts() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}

func BenchmarkJSON(b *testing.B) {
	line, _ := json.Marshal(map[string]any{"type": "message", "content": []string{strings.Repeat("Words of a \"text\"\n that an agent wrote, 漢字 too. ", 40)}, "n": 12})
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		if !JSON(line) {
			b.Fatal()
		}
	}
}

// TestBehind: of two objects of which the first was torn, the second is found wherever that is certain, and never anything else; in what was
// torn alone nothing is.
func TestBehind(t *testing.T) {
	for text, want := range map[string]int{
		`{"a":"b{"c":1}`: 7, `{"a{"c":1}`: 3, `{"a":1,{"c":1}`: 7, `{"a":1{"c":1}`: 6, `{"a":"\{"c":1}`: 7, `{"a":-{"c":1}`: 6, `{"a"{"c":1}`: 4,
		`{"a":"b{"c":"d{"e":1}`: 14, `{"a":[1]{"c":{"d":{}}}`: 8, `{"a":"b{"c":1} {"d":2}`: 7,
		`{"a":1}{"b":"c{"d":1}`: 14,
		`{"a":{"c":1}`:          0, `{"a":[{"c":1}`: 0, `{"a":"b{"c":1`: 0, `{"a":"b{"c":1}}`: 0, `{"c":1}`: 0, `x{"c":1}`: 0, `{"a":"\u{"c":1}`: 0, ``: 0,
	} {
		if at, ok := Behind([]byte(text)); at != want || ok != (want > 0) {
			t.Errorf("%s: %d %v", text, at, ok)
		}
	}
	for _, text := range []string{`{"a":1}{"c":1}`, `{"a":1} {"b":1}{"c":"{"}`} {
		if at, ok := Behind([]byte(text)); at != 0 || !ok {
			t.Errorf("%s: %d %v", text, at, ok)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		first, second := `{"k":`+value(rt, 3)+`}`, `{"k":`+value(rt, 3)+`}`
		torn := first[:rapid.IntRange(1, len(first)-1).Draw(rt, "torn")]
		if at, ok := Behind([]byte(torn)); ok {
			rt.Fatalf("%s: %d", torn, at)
		}
		if at, ok := Behind([]byte(torn + second)); ok && at != len(torn) {
			rt.Fatalf("%s and %s: %d", torn, second, at)
		}
	})
}
