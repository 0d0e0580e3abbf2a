package jsonl

import (
	"testing"

	"github.com/tidwall/gjson"
)

// TestFieldsAreThoseOfTheObject: what a path leads to is what it leads to in the object.
func TestFieldsAreThoseOfTheObject(t *testing.T) {
	var f Fields
	for _, text := range []string{
		`{"a":1,"b":{"c":[{"d":"x"},2],"a":"\u0041"},"a":2,"\u0062":3,"e.f":4,"n":null,"long":"` + "\\n" + `"}`, `{}`, `[1,{"a":2}]`, `"a"`, ``,
	} {
		object := gjson.Parse(text)
		f.Read(object)
		for _, path := range []string{"a", "b", "b.a", "b.c.0.d", "b.c.#(d==x)", "n", "n.x", "long", "missing", "missing.a", "a.b"} {
			want := object.Get(path)
			if !object.IsObject() {
				want = gjson.Result{}
			}
			if got := f.Get(path); got.Type != want.Type || got.Raw != want.Raw || got.Str != want.Str || got.Num != want.Num {
				t.Errorf("%s of %s: %+v, not %+v", path, text, got, want)
			}
		}
		if f.Raw != object.Raw {
			t.Errorf("%q is not %q", f.Raw, object.Raw)
		}
	}
}
