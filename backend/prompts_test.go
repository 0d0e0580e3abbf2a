package backend

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func promptsOf(t *testing.T, b *Backend, id string, opts PromptOptions) Prompts {
	t.Helper()
	prompts, err := b.Prompts(id, opts)
	if err != nil {
		t.Fatal(err)
	}
	return prompts
}

func TestPromptsAreFoundByPlaceAndByLine(t *testing.T) {
	// Prompts stand at the lines 0, 2, 4, 7 and 12.
	b, id := open(t, story())
	for _, c := range []struct {
		opts  PromptOptions
		first int
		want  []int
	}{
		{PromptOptions{}, 0, []int{0, 2, 4, 7, 12}},
		{PromptOptions{First: 3}, 3, []int{7, 12}},
		{PromptOptions{First: 99}, 5, []int{}},
		{PromptOptions{First: 1, Limit: 2}, 1, []int{2, 4}},
		{PromptOptions{From: 2, Limit: 1}, 1, []int{2}},
		{PromptOptions{From: 3, Limit: 1}, 2, []int{4}},
		{PromptOptions{From: 13}, 5, []int{}},
		{PromptOptions{Before: 12, Limit: 1}, 3, []int{7}},
		{PromptOptions{Before: 12, Limit: 2}, 2, []int{4, 7}},
		{PromptOptions{Before: 1}, 0, []int{0}},
		{PromptOptions{Before: 99, Limit: 1}, 4, []int{12}},
	} {
		prompts := promptsOf(t, b, id, c.opts)
		got := []int{}
		for _, p := range prompts.Prompts {
			got = append(got, p.Index)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || prompts.First != c.first || prompts.Total != 5 {
			t.Errorf("%+v: first %d of %d %s", c.opts, prompts.First, prompts.Total, diff)
		}
	}
}

func TestPromptSaysHowItBegins(t *testing.T) {
	long := strings.Repeat("é", 300)
	log := said(1, "user", `\n\n  raise it \nand more`) + said(2, "user", long) + said(3, "user", "") +
		said(4, "user", strings.Repeat("x", promptBytes+1))
	b, id := open(t, log)
	prompts := promptsOf(t, b, id, PromptOptions{}).Prompts
	var got []string
	for _, p := range prompts {
		got = append(got, p.Text)
	}
	if diff := cmp.Diff([]string{"raise it", strings.Repeat("é", 200) + "…", "", ""}, got); diff != "" {
		t.Error(diff)
	}
	if p := prompts[0]; p.Seq != 1 || p.Timestamp == nil || *p.Timestamp != "2026-03-02T08:00:01Z" {
		t.Errorf("%+v", p)
	}
	if p := prompts[3]; p.Bytes < promptBytes {
		t.Errorf("%d bytes", p.Bytes)
	}
}
