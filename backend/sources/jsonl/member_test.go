package jsonl

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"
)

// drawnValue is a JSON value of a few names, with texts of all kinds.
func drawnValue(depth int) *rapid.Generator[any] {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("a\"\\\n\t\x01/漢é😀\u2028<"))))
	plain := rapid.OneOf(text.AsAny(), rapid.Float64Range(-1e6, 1e6).AsAny(), rapid.Bool().AsAny(), rapid.Just[any](nil))
	if depth == 0 {
		return plain
	}
	name := rapid.SampledFrom([]string{"a", "b", "type", "text", "a_b", "a.b", "é", "", "0", "#", "x*"})
	below := rapid.Deferred(func() *rapid.Generator[any] { return drawnValue(depth - 1) })
	return rapid.OneOf(plain, rapid.SliceOfN(below, 0, 20).AsAny(), rapid.MapOfN(name, below, 0, 5).AsAny())
}

func sameValue(got, want gjson.Result) bool {
	return got.Type == want.Type && got.Raw == want.Raw && got.Str == want.Str && got.Num == want.Num
}

// TestMembersAndItemsAreThoseOfGjson: what is found without reading the rest is what gjson finds.
func TestMembersAndItemsAreThoseOfGjson(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(drawnValue(3).Draw(t, "value"))
		if err == nil && rapid.Bool().Draw(t, "with spaces") {
			text, err = json.MarshalIndent(json.RawMessage(text), " ", "\t")
		}
		if err != nil {
			t.Fatal(err)
		}
		value := gjson.ParseBytes(text)
		if value.IsObject() {
			value.ForEach(func(name, _ gjson.Result) bool {
				if got, want := Member(value, name.Str), value.Get(gjson.Escape(name.Str)); name.Str != "" && !sameValue(got, want) {
					t.Fatalf("%q of %s: %+v, not %+v", name.Str, text, got, want)
				}
				return true
			})
		}
		if got := Member(value, "missing"); got.Exists() {
			t.Fatalf("of %s: %+v", text, got)
		}
		for _, path := range []string{"a", "a.b", "a.a_b.text", "b.0.a", "a.#(type==text)", "b.#", "text.type"} {
			if got, want := at(value, path), value.Get(path); !sameValue(got, want) {
				t.Fatalf("%s of %s: %+v, not %+v", path, text, got, want)
			}
		}
		var got, want []gjson.Result
		Listed(value, func(item gjson.Result) bool { got = append(got, item); return len(got) < 18 })
		value.ForEach(func(_, item gjson.Result) bool { want = append(want, item); return len(want) < 18 })
		if !slices.EqualFunc(got, want, sameValue) {
			t.Fatalf("%s: %+v, not %+v", text, got, want)
		}
	})
}

// TestTextsAreThoseOfGjson: whatever stands between two quotes says what gjson reads there.
func TestTextsAreThoseOfGjson(t *testing.T) {
	part := rapid.OneOf(rapid.SampledFrom([]string{
		`\n`, `\"`, `\\`, `\/`, `\b\f\r\t`, `\u0041`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, `\ud83dx`, `\ud83d\u0041`, `\ud83d\uzzzz`, `\uD8`, `\u12`, `\x`, "\x01", "\xff", "漢",
	}), rapid.StringMatching(`[ -!#-\[\]-~é]{0,20}`))
	rapid.Check(t, func(t *rapid.T) {
		text := `"`
		for _, p := range rapid.SliceOfN(part, 0, 8).Draw(t, "parts") {
			text += p
		}
		text += `"`
		if want := gjson.Parse(text); want.Raw == text && !sameValue(valueOf(text), want) {
			t.Fatalf("%q: %q, not %q", text, valueOf(text).Str, want.Str)
		}
	})
}
