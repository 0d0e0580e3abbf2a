package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
)

func findLog() string {
	call := `{"recordType":"message","schemaVersion":1,"seq":2,"role":"assistant","content":[{"type":"thinking","text":"hmm, needle"},{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"grep \"Needle\"\tfile","depth":[{"path":"src/needle.go"}]}}]}` + "\n"
	escaped := `{"recordType":"message","schemaVersion":1,"seq":7,"role":"assistant","content":[{"type":"text","text":"\u00c4rger mit \u538b\u7f29"}],"errorMessage":"no \u003cneedle\u003e"}` + "\n"
	return said(1, "user", "Where is the needle?\\nThe NEEDLE, I mean.") + call + said(3, "toolResult", "nothing") +
		`{"torn needle` + "\n" +
		`{"recordType":"compaction","schemaVersion":1,"seq":4,"firstKeptSeq":3,"summary":"looked for a needle","tokensBefore":9,"readFiles":["needle.md"],"modifiedFiles":[]}` + "\n" +
		`{"recordType":"hologram","schemaVersion":1,"seq":5,"deep":{"er":["needle"]}}` + "\n" +
		`{"recordType":"branch","schemaVersion":2,"seq":6,"fromSeq":3,"summary":"needle again"}` + "\n" + escaped +
		said(8, "user", "A very **important** `thing`\\non two\\nlines: \\u001b[31mfoo\\u001b[0mbar, Tom &amp; Jerry, 2*3") +
		said(9, "user", "**Note**: see (`thing.go`), press `Ctrl`+`K`, **P**retty **G**ood; **重点**：无") +
		said(10, "user", "cafe\u0301 in pieces, café whole; \u1112\u1161\u11ab\u1100\u1173\u11af") +
		said(11, "user", "See [the docs](https://x.example/a \\\"t\\\"), ~~not~~ now; <https://y.example>.\\n\\n- one item\\n- and `two`\\n\\n1\\\\. first \\\\*star, link[ed](https://z.example)out; 300\u212a, ma\u017ft, Ma\u00dfe")
}

func TestFind(t *testing.T) {
	b, id := open(t, findLog())
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	for _, test := range []struct {
		query     string
		matchCase bool
		want      []string // index × count
	}{
		{"needle", false, []string{"0×2", "1×3", "4×2", "5×1", "6×1", "7×1"}},
		{"needle", true, []string{"0×1", "1×2", "4×2", "5×1", "6×1", "7×1"}},
		{`grep "needle"`, false, []string{"1×1"}},
		{"bash", false, []string{"1×1"}},
		{"src/needle.go", false, []string{"1×1"}},
		{"ärger", false, []string{"7×1"}},
		{"压", false, []string{"7×1"}},
		{"<needle>", false, []string{"7×1"}},
		{"needle?\nthe", false, []string{"0×1"}},
		{"very important thing", false, []string{"8×1"}}, // emphasis, a soft break, colours and entities
		{"on two lines", false, []string{"8×1"}},
		{"foobar", false, []string{"8×1"}},
		{"Tom & Jerry", false, []string{"8×1"}},
		{"2*3", false, []string{"8×1"}},
		{"note:", false, []string{"9×1"}}, // emphasis within what is looked for
		{"Note:", true, []string{"9×1"}},
		{"(thing.go)", false, []string{"9×1"}},
		{"Ctrl+K", false, []string{"9×1"}},
		{"pretty", false, []string{"9×1"}},
		{"重点：", false, []string{"9×1"}},
		{"café whole", false, []string{"10×1"}},
		{"Cafe\u0301 whole", false, []string{"10×1"}}, // whichever way an accent is written, here and there
		{"café in", false, []string{"10×1"}},
		{"한글", false, []string{"10×1"}},
		{"see the docs, not now", false, []string{"11×1"}}, // over the ends of a link and of what is struck
		{"docs,", false, []string{"11×1"}},
		{"now; https://y.example.", false, []string{"11×1"}},
		{"one item and two", false, []string{"11×1"}},     // two items of a list
		{"one item - and `two`", false, []string{"11×1"}}, // as they are written, on one line
		{"1. first *star", false, []string{"11×1"}},       // escaped
		{"linkedout", false, []string{"11×1"}},
		{"300k", false, []string{"11×1"}}, // the sign of the kelvin
		{"mast", false, nil},
		{"maſt", false, []string{"11×1"}},
		{"MAẞE", false, []string{"11×1"}},
		{"recordType", false, []string{"5×1"}}, // of a newer record all is shown
		{"toolCall", false, nil},               // how it is stored is not
		{"haystack", false, nil},
	} {
		t.Run(test.query, func(t *testing.T) {
			// Without a time that could end before the log does.
			found, err := v.find(t.Context(), FindOptions{Query: test.query, MatchCase: test.matchCase, Limit: findMost}, time.Now().Add(time.Hour))
			newsMust(t, err)
			var got []string
			for _, m := range found.Matches {
				got = append(got, fmt.Sprintf("%d×%d", m.Index, m.Count))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if found.Next != nil || found.Total != 12 {
				t.Errorf("next %v of %d", found.Next, found.Total)
			}
		})
	}
}

func TestFindExcerpt(t *testing.T) {
	around := strings.Repeat("ä", 2*excerptAround)
	b, id := open(t, said(1, "user", around+"\\n\\nthe  needle\u3000ends"+around))
	found, err := b.Find(t.Context(), id, FindOptions{Query: "NEEDLE"})
	newsMust(t, err)
	got := found.Matches[0].Excerpt
	want := Excerpt{Before: strings.Repeat("ä", excerptAround-7) + " the ", Match: "needle", After: " ends" + strings.Repeat("ä", excerptAround-5)}
	if got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
}

// TestFindGoesOn: a look stops at its limit or when its time is over, and all looks together find everything once.
func TestFindGoesOn(t *testing.T) {
	var log strings.Builder
	for seq := 1; seq <= 30; seq++ {
		log.WriteString(said(seq, "user", strings.Repeat("needle ", seq%3)))
	}
	b, id := open(t, log.String())
	limited := func(from int) (Finds, error) {
		return b.Find(t.Context(), id, FindOptions{Query: "needle", From: from, Limit: 3})
	}
	late := func(from int) (Finds, error) {
		v, err := b.view(id)
		newsMust(t, err)
		defer v.close()
		return v.find(t.Context(), FindOptions{Query: "needle", From: from, Limit: 100}, time.Time{})
	}
	for name, look := range map[string]func(int) (Finds, error){"limit": limited, "time": late} {
		t.Run(name, func(t *testing.T) {
			seen := map[int]bool{}
			looks := 0
			for from := 0; ; looks++ {
				found, err := look(from)
				newsMust(t, err)
				for _, m := range found.Matches {
					if seen[m.Index] {
						t.Fatalf("line %d was found twice", m.Index)
					}
					seen[m.Index] = true
				}
				if found.Next == nil {
					break
				}
				if *found.Next <= from {
					t.Fatalf("from %d goes on at %d", from, *found.Next)
				}
				from = *found.Next
			}
			if len(seen) != 20 || looks < 5 {
				t.Errorf("%d lines in %d looks", len(seen), looks)
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	b, id := open(t, story())
	for _, query := range []string{"", strings.Repeat("x", queryMost+1)} {
		if _, err := b.Find(t.Context(), id, FindOptions{Query: query}); !errors.Is(err, session.ErrInput) {
			t.Errorf("%d bytes: %v", len(query), err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Find(ended, id, FindOptions{Query: "one"}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
	if found, err := b.Find(t.Context(), id, FindOptions{Query: "one", From: 1 << 30}); err != nil || found.Next != nil {
		t.Errorf("behind the end: %+v, %v", found, err)
	}
}
