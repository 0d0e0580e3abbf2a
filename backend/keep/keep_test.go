package keep

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

type inner struct {
	raw  json.RawMessage
	list []string
	at   time.Time
}

// outer has a field of each kind that there is.
type outer struct {
	inner
	Flag   bool
	small  int8
	number int
	size   uint64
	share  float64
	text   string
	byName map[string]inner
	same   map[int64]bool
	to     *inner
	four   [4]int32
	now    func() `keep:"-"`
}

func drawnInner(t *rapid.T) inner {
	in := inner{list: rapid.SampledFrom([][]string{nil, {}, {"a", ""}}).Draw(t, "list")}
	if rapid.Bool().Draw(t, "raw") {
		in.raw = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	}
	if rapid.Bool().Draw(t, "dated") {
		in.at = time.Unix(rapid.Int64Range(-1<<40, 1<<40).Draw(t, "at"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).UTC()
	}
	return in
}

func drawnOuter(t *rapid.T) outer {
	o := outer{
		inner: drawnInner(t), Flag: rapid.Bool().Draw(t, "flag"), small: rapid.Int8().Draw(t, "small"), number: rapid.Int().Draw(t, "number"),
		size: rapid.Uint64().Draw(t, "size"), share: rapid.Float64().Draw(t, "share"), text: rapid.String().Draw(t, "text"),
		byName: map[string]inner{}, four: [4]int32{1, -1, math.MaxInt32, math.MinInt32},
	}
	for _, name := range rapid.SliceOf(rapid.String()).Draw(t, "names") {
		o.byName[name] = drawnInner(t)
	}
	if rapid.Bool().Draw(t, "same") {
		o.same = map[int64]bool{rapid.Int64().Draw(t, "key"): true}
	}
	if rapid.Bool().Draw(t, "to") {
		to := drawnInner(t)
		o.to = &to
	}
	return o
}

// TestWhatIsReadIsWhatWasWritten, whatever stood there before; what is of the moment stays what it is.
func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, got, called := drawnOuter(t), drawnOuter(t), false
		got.now = func() { called = true }
		var to bytes.Buffer
		if err := Write(&to, "v", &want); err != nil {
			t.Fatal(err)
		}
		if err := Read(&to, "v", &got); err != nil {
			t.Fatal(err)
		}
		got.now()
		if got.now = nil; !called || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\nnot\n%+v", got, want)
		}
	})
}

// TestNothingElseIsRead: what is damaged, cut off or of another version is an error.
func TestNothingElseIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, got := drawnOuter(t), outer{}
		var to bytes.Buffer
		if err := Write(&to, "v", &want); err != nil {
			t.Fatal(err)
		}
		if err := Read(bytes.NewReader(to.Bytes()), "w", &got); !errors.Is(err, ErrOther) {
			t.Fatalf("of another version: %v", err)
		}
		text := to.Bytes()
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if err := Read(bytes.NewReader(text[:at]), "v", &got); !errors.Is(err, ErrOther) {
			t.Fatalf("cut off at %d of %d: %v", at, len(text), err)
		}
		text[at] ^= byte(1 << rapid.IntRange(0, 7).Draw(t, "bit"))
		if err := Read(bytes.NewReader(text), "v", &got); err == nil && !reflect.DeepEqual(got, want) || err != nil && !errors.Is(err, ErrOther) {
			t.Fatalf("byte %d of %d is another: %v", at, len(text), err)
		}
	})
}

// TestWhatCantBeKept is said when it is written.
func TestWhatCantBeKept(t *testing.T) {
	with := struct{ any error }{errors.New("x")}
	if err := Write(&bytes.Buffer{}, "v", &with); err == nil || !strings.Contains(err.Error(), "error can't be kept") {
		t.Error(err)
	}
}

// FuzzRead: whatever stands in the place of what was kept, it is an error or a value, and takes memory only for what is there.
func FuzzRead(f *testing.F) {
	var to bytes.Buffer
	one := outer{text: "x", byName: map[string]inner{"a": {}}, to: &inner{list: []string{"a"}}}
	if err := Write(&to, "v", &one); err != nil {
		f.Fatal(err)
	}
	f.Add(to.Bytes())
	inside := &bytes.Buffer{}
	s := &State{out: bufio.NewWriter(inside), sum: sha256.New()}
	s.Values(&one)
	_ = s.out.Flush() // to memory
	f.Add(inside.Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		var got outer
		if err := Read(bytes.NewReader(text), "v", &got); err != nil && !errors.Is(err, ErrOther) {
			t.Error(err)
		}
		inside := &State{in: bufio.NewReader(bytes.NewReader(text)), sum: sha256.New()}
		inside.Values(&got)
	})
}
