package sources

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/record"
)

// drawer draws values of our records, of every type that they have.
type drawer struct{ *rapid.T }

func (d drawer) text() string {
	return rapid.OneOf(
		rapid.String(), rapid.SampledFrom([]string{"", "a <b> & c", "\u2028 \u2029", "\xff\xfe half \xe2\x80", "\x00\x1f\x7f\b\f\n\r\t\"\\/", "漢字 é 🙂", "plain words"}),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
	).Draw(d.T, "text")
}

func (d drawer) raw() json.RawMessage {
	text := rapid.SampledFrom([]string{
		"", "null", "{}", ` { "a" : [ 1 , "x <y> & z" , null ] } `, `"{\"inner\": 1}"`, `"{ \"a\":\u0020\"<\" } "`, "\"\u2028<\u2029\xff\"", "[1,2]", "7", "-0.5e10", `"\u2028\/"`, "not JSON", `{"a":`,
		strings.Repeat("[", nestedMost+1) + strings.Repeat("]", nestedMost+1), `"` + `\"` + `"`, "\n[\t]\r", `"text"`, "\"\xe2\x80\"",
	}).Draw(d.T, "raw")
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}

// fill gives a value any content, by its type.
func (d drawer) fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case json.RawMessage:
		if rapid.IntRange(0, 3).Draw(d.T, "given") == 0 {
			v.SetBytes(d.raw())
		}
		return
	}
	switch v.Kind() { //nolint:exhaustive // the others don't occur, and would panic below
	case reflect.String:
		v.SetString(d.text())
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(d.T, "truth"))
	case reflect.Int, reflect.Int64:
		v.SetInt(rapid.OneOf(rapid.Just(int64(0)), rapid.Int64()).Draw(d.T, "whole"))
	case reflect.Uint8: // kinds of tokens
		v.SetUint(rapid.Uint64Range(0, uint64(record.AllTokens)).Draw(d.T, "kinds"))
	case reflect.Float64:
		v.SetFloat(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, 1e-7, 1e-6, 1e21, 0.001, 1.5})).Draw(d.T, "number"))
	case reflect.Pointer:
		if rapid.Bool().Draw(d.T, "there") {
			v.Set(reflect.New(v.Type().Elem()))
			d.fill(v.Elem(), depth)
		}
	case reflect.Slice:
		if depth == 0 {
			return
		}
		n := rapid.IntRange(0, 2).Draw(d.T, "length")
		if n == 0 && rapid.Bool().Draw(d.T, "none") {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			d.fill(v.Index(i), depth-1)
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			if field.CanSet() && rapid.IntRange(0, 2).Draw(d.T, "set") > 0 {
				d.fill(field, depth)
			}
		}
		if block, ok := reflect.TypeAssert[*Block](v.Addr()); ok {
			block.Type = rapid.SampledFrom([]string{"text", "thinking", "toolCall", "image", "<odd>"}).Draw(d.T, "type")
		}
	case reflect.Map: // further members are drawn by who needs them
	default:
		panic(v.Kind())
	}
}

func drawWire(t *rapid.T) *wire {
	var w wire
	drawer{t}.fill(reflect.ValueOf(&w).Elem(), 2)
	return &w
}

// standard writes a record as the standard library does.
func standard(w *wire) ([]byte, error) {
	var line bytes.Buffer
	to := json.NewEncoder(&line)
	to.SetEscapeHTML(false)
	err := to.Encode(w)
	return bytes.TrimRight(line.Bytes(), "\n"), err
}

// TestEncodeIsTheStandard: every record is written to the byte as encoding/json writes it, and what that refuses is refused.
func TestEncodeIsTheStandard(t *testing.T) {
	l := &Log{}
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		w := drawWire(t)
		want, wantErr := standard(w)
		got, plain, err := l.encode(w)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%s\n%s\n%v, %v", got, want, err, wantErr)
		}
		if err == nil {
			l.line = got
		}
		if plain {
			written++
		}
	})
	if written == 0 {
		t.Error("all of them were left to encoding/json")
	}
}

// TestSignsStand: a call is what the model wrote, for those who read the log and for what is counted of it.
func TestSignsStand(t *testing.T) {
	const text = "a && b <c>"
	content := []Block{{Type: "text", Text: text}, {Type: "toolCall", ID: "c", Name: "sh", Arguments: json.RawMessage(`{"command":"a && b <c>"}`)}}
	w := &wire{RecordType: "message", Seq: 1, Content: &content}
	fast, _, err := (&Log{}).encode(w)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := standard(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]byte{fast, slow} {
		if strings.Count(string(line), text) != 2 {
			t.Errorf("%s", line)
		}
	}
}

// TestMoreIsTheStandard: further members are written as they were when each was quoted, compacted and looked for by itself.
func TestMoreIsTheStandard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawer{t}
		w := wire{RecordType: "note", Seq: 1, Model: d.text(), Data: json.RawMessage("1")}
		line, err := standard(&w)
		if err != nil {
			t.Skip(err)
		}
		more := map[string]json.RawMessage{}
		for range rapid.IntRange(0, 4).Draw(t, "count") {
			more[rapid.OneOf(rapid.SampledFrom([]string{"model", "role", "data", "cwd", "a<b"}), rapid.Custom(func(t *rapid.T) string { return drawer{t}.text() })).Draw(t, "name")] = d.raw()
		}
		want := slices.Clone(line)
		for _, name := range slices.Sorted(maps.Keys(more)) {
			var compact bytes.Buffer
			if namesIn(line)[name] || json.Compact(&compact, more[name]) != nil {
				continue
			}
			quoted, _ := asItStands(name)
			want = append(append(append(append(want[:len(want)-1], ','), quoted...), ':'), append(compact.Bytes(), '}')...)
		}
		if got := withMore(slices.Clone(line), more); !bytes.Equal(got, want) {
			t.Fatalf("%s\n%s", got, want)
		}
	})
}

// BenchmarkEncode is a message as most are.
func BenchmarkEncode(b *testing.B) {
	text := strings.Repeat("Words of a \"text\"\n that an agent wrote, <b>漢字</b> too.\n", 40)
	l := NewLog("codex", "s", discard{}, nil)
	m := Message{Role: "assistant", Content: []Block{{Type: "text", Text: text}, {Type: "toolCall", ID: "c", Name: "bash", Arguments: []byte(`{"command":"ls -la"}`)}}, Model: "m"}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		l.Message(m)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
