package overlay_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFrame: a summary that another agent made is said as that agent says it; what is no frame leaves it in ours.
func TestFrame(t *testing.T) {
	const ours = "user: The conversation history before this point was compacted into the following summary:\n<summary>\nS\n</summary>"
	const branch = "user: The conversation came back here from another branch, which is left out. A summary of that branch:\n<summary>\nB\n</summary>"
	for _, c := range []struct {
		frame   string
		summary []string
		branch  []string
	}{
		{``, []string{ours}, []string{branch}},
		{`,"frame":7`, []string{ours}, []string{branch}},
		{`,"frame":{}`, []string{"user: S"}, []string{"user: B"}},
		{`,"frame":{"before":"<< ","after":" >>","role":"toolResult"}`, []string{"user: << S >>"}, []string{"user: << B >>"}},
		{
			`,"frame":{"question":"Well?","role":"assistant","before":"","after":"."}`,
			[]string{"user: Well?", "assistant: S."},
			[]string{"user: Well?", "assistant: B."},
		},
	} {
		log := asked(1) + "\n" + asked(2) + "\n" +
			fmt.Sprintf(`{"recordType":"compaction","schemaVersion":1,"seq":3,"firstKeptSeq":2,"summary":"S","tokensBefore":1,"readFiles":[],"modifiedFiles":[]%s}`, c.frame) + "\n" +
			asked(4) + "\n" +
			fmt.Sprintf(`{"recordType":"branch","schemaVersion":2,"seq":5,"fromSeq":3,"summary":"B"%s}`, c.frame) + "\n"
		ctx, _ := resolve(t, []byte(log))
		var got []string
		for _, m := range ctx.Messages {
			if m.Seq == 0 {
				got = append(got, string(m.Role)+": "+m.Content[0].Text)
			}
		}
		if diff := cmp.Diff(append(c.summary, c.branch...), got); diff != "" {
			t.Errorf("%s: %s", c.frame, diff)
		}
	}
}
