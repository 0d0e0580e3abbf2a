package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"palimpsest/backend/sources"
)

// read are the items of the list in a document, and what was kept of what can't be read.
func read(t interface{ Fatal(args ...any) }, text string) (d Document, items []string, damaged int) {
	log := sources.NewLog("a", "s", io.Discard, nil)
	d, err := OpenList(strings.NewReader(text), "list")
	if err == nil {
		err = d.Each(log, func(item gjson.Result) error {
			items = append(items, item.Raw)
			return nil
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return d, items, log.Damaged()
}

func value() *rapid.Generator[any] {
	return rapid.Deferred(func() *rapid.Generator[any] {
		return rapid.OneOf(
			rapid.Just[any](nil), rapid.Map(rapid.Bool(), func(b bool) any { return b }), rapid.Map(rapid.IntRange(-9, 9), func(n int) any { return n }),
			rapid.Map(rapid.StringMatching(`[a"\\{}\[\],: é]{0,6}`), func(s string) any { return s }),
			rapid.Map(rapid.SliceOfN(value(), 0, 2), func(v []any) any { return v }),
			rapid.Map(object(), func(v map[string]any) any { return v }),
		)
	})
}

func object() *rapid.Generator[map[string]any] {
	return rapid.MapOfN(rapid.StringMatching(`[a-d"\\]{0,3}`), rapid.Deferred(value), 0, 3)
}

// TestADocumentIsAnObject: it has the members and the items that a decoder finds, however it is laid out.
func TestADocumentIsAnObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := object().Draw(t, "members")
		list := rapid.SliceOfN(object(), 0, 5).Draw(t, "list")
		want["list"] = list
		text, err := json.Marshal(want)
		if rapid.Bool().Draw(t, "indented") {
			text, err = json.MarshalIndent(want, "", "\t")
		}
		if err != nil {
			t.Fatal(err)
		}
		d, items, damaged := read(t, string(text))
		if damaged > 0 || len(items) != len(list) {
			t.Fatalf("%d items, not %d, and %d damaged", len(items), len(list), damaged)
		}
		for i, item := range items {
			if !same(item, list[i]) {
				t.Errorf("item %d is %s, not %v", i, item, list[i])
			}
		}
		if want["list"] = []any{}; !same(d.Raw, want) {
			t.Errorf("the rest is %s, not %v", d.Raw, want)
		}
	})
}

func same(text string, value any) bool {
	var a, b bytes.Buffer
	want, err := json.Marshal(value)
	return err == nil && json.Compact(&a, want) == nil && json.Compact(&b, []byte(ordered(text))) == nil && a.String() == b.String()
}

// ordered is JSON with the members of each object in order.
func ordered(text string) string {
	var v any
	_ = json.Unmarshal([]byte(text), &v) // else it is not the same either
	out, _ := json.Marshal(v)
	return string(out)
}

// TestACutDocument: what stands whole before the end is read, and it is told that something is missing.
func TestACutDocument(t *testing.T) {
	items := []string{`{"n":1,"s":"]}\""}`, `{"n":[{}]}`, `{}`}
	whole := "\uFEFF " + `{"a":"b","list":[` + strings.Join(items, " ,\n") + `],"z":1}`
	for cut := strings.Index(whole, "{") + 1; cut < len(whole); cut++ {
		ended := 0
		for end := 0; ended < len(items); ended++ {
			at := strings.Index(whole[end:], items[ended])
			if end += at + len(items[ended]); end > cut {
				break
			}
		}
		_, got, damaged := read(t, whole[:cut])
		if !slices.Equal(got, items[:ended]) || damaged != 1 {
			t.Errorf("%q: %q, %d damaged", whole[:cut], got, damaged)
		}
	}
}

// TestDamagedDocuments: what is no item stays as it is, and of other damage the end of the file.
func TestDamagedDocuments(t *testing.T) {
	for text, want := range map[string]struct{ items, damaged int }{
		`{"list":[{"a":1},{"b":2}]}`: {2, 0}, ` [{},{}] `: {2, 0}, `{"list":[]}`: {}, `{}`: {}, `{"list":null}`: {},
		`{"list":[{"a":x},{"b":2}]}`: {1, 1}, `{"list":[{},7,"t",null,[]]}`: {1, 4}, `{"list":{"a":1}}`: {0, 1}, `{"list":"x"}`: {0, 1},
		`{"list":[{} {}]}`: {2, 1}, `{"list":[{},,{}]}`: {2, 1}, `{"list":[{},]}`: {1, 1}, `{"list":[,{}]}`: {1, 1}, `{"list":[{}:{}]}`: {2, 1},
		`{"list":[{}]} x`: {1, 1}, `{"list":[{}],"a":y}`: {1, 1}, `{"list":[{}] "a":1}`: {1, 1}, `{"a":1,,"list":[{}]}`: {1, 1}, `{"a" 1,"list":[{}]}`: {1, 1},
		`{"list":[{"a":"x},{}]}`: {0, 1}, `{"list":[{}],"list":[{},{}]}`: {1, 0},
	} {
		if _, items, damaged := read(t, text); len(items) != want.items || damaged != want.damaged {
			t.Errorf("%s: %d items and %d damaged, not %+v", text, len(items), damaged, want)
		}
	}
	for _, text := range []string{"", " ", "x", `"a"`, "7"} {
		if _, err := OpenDocument(strings.NewReader(text), "list"); err == nil {
			t.Errorf("%q is an object", text)
		}
	}
	if _, err := OpenDocument(strings.NewReader("[{}]"), "list"); err == nil {
		t.Error("a list is an object")
	}
}

// FuzzDocument: whatever stands in a file, reading it ends, and what is not damaged is what a decoder finds.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{`{"list":[{"a":1},{}],"b":[2]}`, `[{}]`, `{"list":[{"a":"\"]`, `{"a":{"list":[1]},"list":[ ]}`, `{"list":[tru,{`, "{\"list\":[{}\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := sources.NewLog("a", "s", io.Discard, nil)
		d, err := OpenDocument(strings.NewReader(text), "list")
		if err != nil {
			return
		}
		var items []json.RawMessage
		if err := d.Each(log, func(item gjson.Result) error { items = append(items, json.RawMessage(item.Raw)); return nil }); err != nil {
			t.Fatal(err)
		}
		plain := strings.TrimPrefix(text, "\uFEFF")
		if valid := json.Valid([]byte(plain)); !valid && log.Damaged() == 0 && strings.Trim(plain, " \t\r\n\x00") != "" {
			t.Fatalf("%q is whole: %s", text, items)
		} else if valid && log.Damaged() == 0 && !gjson.Get(plain, "list").IsArray() && len(items) > 0 {
			t.Fatalf("%q has a list: %s", text, fmt.Sprint(items))
		}
	})
}
