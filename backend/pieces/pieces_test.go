package pieces

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type document struct {
	Name string   `json:"name"`
	List []string `json:"list"`
	Rest struct {
		List []int `json:"list"`
	} `json:"rest"`
}

func compact(value any, _ string) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

func indented(value any, prefix string) (string, error) {
	text, err := json.MarshalIndent(value, prefix, "  ")
	return string(text), err
}

// TestTheSameAsWhole: in pieces or at once, the document is the same, whatever its strings hold.
func TestTheSameAsWhole(t *testing.T) {
	for _, encode := range []Encode{compact, indented} {
		for _, list := range [][]string{{}, {"a"}, {"a", `"list":[]`, "c\nd"}} {
			d := document{Name: `"list":[] "list": []`, List: list}
			d.Rest.List = []int{}
			want, err := encode(d, "")
			if err != nil {
				t.Fatal(err)
			}
			d.List = []string{}
			var out bytes.Buffer
			if err := Write(&out, encode, d, "list", len(list), func(i int) (any, error) { return list[i], nil }); err != nil || out.String() != want+"\n" {
				t.Errorf("%v\n%s\n%s", err, out.String(), want)
			}
		}
	}
}

func TestFailures(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, compact, document{List: []string{"not empty"}}, "list", 0, nil); err == nil {
		t.Error("a list that is there already")
	}
	d := document{List: []string{}}
	if err := Write(&out, compact, d, "list", 1, func(int) (any, error) { return func() {}, nil }); err == nil {
		t.Error("what can't be encoded")
	}
	gone := errors.New("gone")
	if err := Write(&out, compact, d, "list", 1, func(int) (any, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Error(err)
	}
	full := errors.New("full")
	if err := Write(failing{full}, compact, d, "list", 1, func(int) (any, error) { return strings.Repeat("x", 9), nil }); !errors.Is(err, full) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
