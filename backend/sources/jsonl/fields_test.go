package jsonl

import (
	"bytes"
	"math/rand/v2"
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

// sameMembers: what is found is what gjson finds, whatever the text is.
func sameMembers(t *testing.T, text string) {
	t.Helper()
	object := gjson.Parse(text)
	var want []gjson.Result
	if object.IsObject() {
		object.ForEach(func(name, value gjson.Result) bool {
			want = append(want, name, value)
			return true
		})
	}
	var f Fields
	f.Read(object)
	if 2*f.Len() != len(want) {
		t.Fatalf("%q: %d members, not %d", text, f.Len(), len(want)/2)
	}
	for i := range f.Len() {
		name, got := f.Name(i), f.Value(i)
		value := want[2*i+1]
		if name != want[2*i].Str || got.Type != value.Type || got.Raw != value.Raw || got.Str != value.Str || got.Num != value.Num && got.Num == got.Num {
			t.Fatalf("%q: %q is %+v, not %q, %+v", text, name, got, want[2*i].Str, value)
		}
	}
}

var memberTexts = []string{
	`{"a":1,"b":{"c":[{"d":"x"},2],"a":"\u0041"},"a":2,"\u0062":3,"e.f":-4e5,"n":null,"t":true,"f":false,"long":"` + "\\n\\\"" + `"}`,
	` { "a" : "\\" , "b" : [ ] , "c" : { } , "d" : "(" } `, `{}`, ` {} `, `{"a":(1)}`, `{"a":[(]}`, `{"a":1} "b":2`, `{"a":nan,"b":Infinity}`,
	`{"a":1,}`, `{"a" 1}`, `{"a":"x`, `{"a`, `{"a":[1,"]"`, `{"a":tru,"b":nul}`, `{"a":1 2,"b":3}`, `{"a":"\\\"","b":[{"c":"}\\"}]}`,
}

func TestMembersAreThoseOfGjson(t *testing.T) {
	const marks = `"\{}[](),:tn01 x`
	for _, text := range memberTexts {
		sameMembers(t, text)
		for seed := range uint64(300) { // with damage
			random := rand.New(rand.NewPCG(seed, 1))
			damaged := []byte(text)
			for range 1 + random.IntN(3) {
				if at := random.IntN(len(damaged) + 1); random.IntN(3) == 0 {
					damaged = damaged[:at]
				} else {
					damaged = bytes.Join([][]byte{damaged[:at], {marks[random.IntN(len(marks))]}, damaged[min(at+random.IntN(2), len(damaged)):]}, nil)
				}
			}
			sameMembers(t, string(damaged))
		}
	}
}

func FuzzMembers(f *testing.F) {
	for _, text := range memberTexts {
		f.Add(text)
	}
	f.Fuzz(sameMembers)
}
