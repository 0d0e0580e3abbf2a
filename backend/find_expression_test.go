package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

func TestFindExpression(t *testing.T) {
	b, id := open(t, findLog())
	v, err := b.view(id)
	newsMust(t, err)
	defer v.close()
	for _, test := range []struct {
		query     string
		matchCase bool
		want      []string // index × count, and what was found first
	}{
		{`ne+dle`, false, []string{"0×2 needle", "1×3 needle", "4×2 needle", "5×1 needle", "6×1 needle", "7×1 needle"}},
		{`N[e]+dle`, true, []string{"1×1 Needle"}},
		{`\bneedle\?`, false, []string{"0×1 needle?"}},
		{`needle\?\s+the`, false, []string{"0×1 needle? The"}},
		{`needle\?.+the`, false, nil}, // what is on two lines
		{`^thing`, false, nil},
		{`(?m)^lines:`, false, []string{"8×1 lines:"}},
		{`Ä\w`, false, []string{"7×1 Är"}},
		{`压.`, false, []string{"7×1 压缩"}},
		{`\*\*important\*\*`, false, []string{"8×1 **important**"}}, // as it is written
		{`very\simportant\sthing`, false, []string{"8×1 very important thing"}},
		{`foo(b|x)ar`, false, []string{"8×1 foobar"}},
		{`Tom & J\w+`, false, []string{"8×1 Tom & Jerry"}},
		{`caf[é] (in|whole)`, false, []string{"10×2 café in"}},
		{`command: grep`, false, []string{"1×1 command: grep"}}, // as a search of everything has it
		{`x*`, false, []string{"11×4 x"}},
		{`(qqq)*`, false, nil},
		{`\b`, false, nil},
		{`record[T]ype`, false, []string{"5×1 recordType"}},
		{`hay.*stack`, false, nil},
	} {
		t.Run(test.query, func(t *testing.T) {
			opts := FindOptions{Query: test.query, MatchCase: test.matchCase, Regex: true, Limit: findMost}
			found, err := v.find(t.Context(), opts, time.Now().Add(time.Hour))
			newsMust(t, err)
			var got []string
			for _, m := range found.Matches {
				got = append(got, fmt.Sprintf("%d×%d %s", m.Index, m.Count, m.Excerpt.Match))
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

// TestFindExpressionAsItIsShown: where lines end otherwise, and cells of a table stand beside each other, it fits what is seen.
func TestFindExpressionAsItIsShown(t *testing.T) {
	b, id := open(t, said(1, "user", `one\r\ntwo`)+said(2, "user", `| lamp | oil |\n|---|---|\n| wick | *tar* |`)+said(3, "user", `lamp | oil`))
	for query, want := range map[string]string{
		`one\ntwo`: "1 one two", `one\r\ntwo`: "1 one two", `(?m)one$`: "1 one", `lamp\noil`: "2 lamp oil", `oil\s+wick`: "2 oil wick", `lamp \| oil`: "2 lamp | oil 3 lamp | oil",
		`(?m)^tar$`: "2 tar",
	} {
		found, err := b.Find(t.Context(), id, FindOptions{Query: query, Regex: true})
		newsMust(t, err)
		var got []string
		for _, m := range found.Matches {
			got = append(got, fmt.Sprint(m.Seq, " ", m.Excerpt.Match))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", query, got, want)
		}
	}
}

// TestFindInWhatTheModelGot: what only the model sees is found as what was said is.
func TestFindInWhatTheModelGot(t *testing.T) {
	b, id := open(t, said(1, "user", "before")+
		`{"recordType":"compaction","schemaVersion":1,"seq":2,"firstKeptSeq":1,"summary":"","tokensBefore":9,"readFiles":[],"modifiedFiles":[],"replacement":[{"role":"user","content":"The words INSTEAD of it."}]}`+"\n")
	found, err := b.Find(t.Context(), id, FindOptions{Query: `words \w+ of`, Regex: true})
	if err != nil || len(found.Matches) != 1 || found.Matches[0].Seq != 2 || found.Matches[0].Excerpt.Match != "words INSTEAD of" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestFindRefusesWhatIsNoExpression(t *testing.T) {
	b, id := open(t, story())
	_, err := b.Find(t.Context(), id, FindOptions{Query: "f(x", Regex: true})
	if p := ProblemOf(err); p.Code != CodeBadInput || !strings.Contains(p.Message, "no regular expression: missing closing ): `f(x`") {
		t.Errorf("%+v", p)
	}
}

// TestSlowExpression is given up, and that is said; what was called off is no fault of it.
func TestSlowExpression(t *testing.T) {
	rec, err := record.Decode([]byte(said(1, "user", "x")))
	newsMust(t, err)
	f, err := newExpressionFinder(FindOptions{Query: "x+"})
	newsMust(t, err)
	f.within = -1
	if _, err := f.in(t.Context(), &rec); !errors.Is(err, session.ErrInput) || !strings.Contains(err.Error(), "takes too long") {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.in(ended, &rec); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

func TestMatches(t *testing.T) {
	b, _ := open(t, story())
	texts := []string{"🎉 ERR_LOUD, err_x", "cafe\u0301 ERR_A", "nothing", ""}
	found, err := b.Matches(t.Context(), MatchOptions{Expression: `ERR_\w+`, Texts: texts})
	newsMust(t, err)
	if diff := cmp.Diff([][]int{{3, 11, 13, 18}, {6, 11}, {}, {}}, found.Matches); diff != "" {
		t.Error(diff)
	}
	found, err = b.Matches(t.Context(), MatchOptions{Expression: `ERR_\w+`, MatchCase: true, Texts: texts[:1]})
	newsMust(t, err)
	if diff := cmp.Diff([][]int{{3, 11}}, found.Matches); diff != "" {
		t.Error(diff)
	}
}

func TestMatchesAreBounded(t *testing.T) {
	b, _ := open(t, story())
	long := strings.Repeat("x ", 2*matchesMost)
	found, err := b.Matches(t.Context(), MatchOptions{Expression: "x", Texts: strings.Split(strings.Repeat(long+"|", 19)+long, "|")})
	newsMust(t, err)
	all := 0
	for _, one := range found.Matches {
		if all += len(one) / 2; len(one) > 2*matchesMost {
			t.Errorf("%d places of one text", len(one)/2)
		}
	}
	if all != matchesInAll || len(found.Matches) != matchesInAll/matchesMost {
		t.Errorf("%d places of %d texts: of those behind them nothing is known, rather than that there are none", all, len(found.Matches))
	}
	for name, opts := range map[string]MatchOptions{
		"nothing": {}, "long": {Expression: strings.Repeat("x", queryMost+1)}, "none": {Expression: "["}, "many": {Expression: "x", Texts: make([]string, matchTexts+1)},
	} {
		if _, err := b.Matches(t.Context(), opts); !errors.Is(err, session.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Matches(ended, MatchOptions{Expression: "x", Texts: []string{"x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

// TestFindWaitsForTheNextLook: a line that takes longer than the time that is left is the first one of the next look, and has more of it there.
func TestFindWaitsForTheNextLook(t *testing.T) {
	rec, err := record.Decode([]byte(said(1, "user", "xx")))
	newsMust(t, err)
	f, err := newExpressionFinder(FindOptions{Query: "x+"})
	newsMust(t, err)
	for _, first := range []bool{false, true} {
		found, inTime, err := findIn(t.Context(), f, &rec, first, time.Unix(0, 0))
		if newsMust(t, err); inTime != first || (found.Count > 0) != first {
			t.Errorf("first %v: %+v, %v", first, found, inTime)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := findIn(ended, f, &rec, false, time.Unix(0, 0)); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}
