package jsonl

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// TestToldOfWhatIsNotRead: of a list with more items than are read, the first are, and the log says that there are more.
func TestToldOfWhatIsNotRead(t *testing.T) {
	most := itemsMost
	itemsMost = 3
	defer func() { itemsMost = most }()
	for text, want := range map[string]int{"[1,2,3,4]": 3, "[1,2,3]": 3, "[]": 0, `"a"`: 1, "null": 0} {
		var out strings.Builder
		list := gjson.Parse(text)
		got := Told(sources.NewLog("pi", "s", &out, nil), "content", list)
		if said := strings.Contains(out.String(), `"namespace":"pi.overlong"`); len(got) != want || len(Items(list)) != want || said != (text == "[1,2,3,4]") {
			t.Errorf("%s: %d %s", text, len(got), out.String())
		}
	}
}
