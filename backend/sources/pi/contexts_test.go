package pi

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// contexts are sessions, and what the model sees of each: pi's own library was asked, and is again where it is at hand.
var contexts = []struct {
	name, text string
	want       []string
}{
	{
		"all of it", tree("1 - "+user("one"), "2 1 "+said("two"), "3 2 "+`"type":"mystery"`, "4 3 "+user("three")),
		[]string{"user: one", "assistant: two", "user: three"},
	},
	{
		"kept from an entry", tree("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+compacted("S", "2", ""), "4 3 "+user("three")),
		[]string{fmt.Sprintf(summary, "S"), "user: two", "user: three"},
	},
	{"a summary that is empty", tree("1 - "+user("one"), "2 1 "+compacted("", "1", ""), "3 2 "+user("two")), []string{fmt.Sprintf(summary, ""), "user: one", "user: two"}},
	{
		"kept from an entry that is not on the path", tree("1 - "+user("one"), "2 1 "+compacted("S", "9", ""), "3 2 "+user("three")),
		[]string{fmt.Sprintf(summary, "S"), "user: three"},
	},
	{
		"kept across an older one", tree("1 - "+user("one"), "2 1 "+compacted("S1", "1", ""), "3 2 "+user("three"), "4 3 "+compacted("S2", "1", "")),
		[]string{fmt.Sprintf(summary, "S2"), "user: one", "user: three"},
	},
	{
		"a branch that left before it", tree("1 - "+user("one"), "2 1 "+compacted("S", "1", ""), "3 1 "+user("three")),
		[]string{"user: one", "user: three"},
	},
	{
		"an older branch again", tree("1 - "+user("one"), "2 1 "+user("two"), "3 1 "+user("three"), "4 2 "+user("four"), "5 3 "+user("five")),
		[]string{"user: one", "user: three", "user: five"},
	},
	{"from the beginning", tree("1 - "+user("one"), "2 - "+user("two")), []string{"user: two"}},
	{"a parent that is not there", tree("1 - "+user("one"), "3 2 "+user("three"), "4 3 "+user("four")), []string{"user: three", "user: four"}},
	{"a label is where it stands", tree("1 - "+user("one"), "2 1 "+user("two"), `3 1 "type":"label","targetId":"2","label":"L"`), []string{"user: one"}},
	{
		"a summary of a branch", tree("1 - "+user("one"), "2 1 "+user("two"), `3 1 "type":"branch_summary","fromId":"2","summary":"B"`, "4 3 "+user("four")),
		[]string{"user: one", "user: The following is a summary of a branch that this conversation came back from:\n\n<summary>\nB</summary>", "user: four"},
	},
	{"a system message", tree("1 - "+system("A"), "2 1 "+user("two")), []string{"user: A\n\nB", "user: two"}},
	{
		"a newer one at a compaction", tree("1 - "+user("one"), "2 1 "+system("old"), "3 2 "+user("three"), "4 3 "+compacted("S", "1", `,"systemMessage":{"role":"system","content":"new"}`), "5 4 "+system("late")),
		[]string{"user: new", fmt.Sprintf(summary, "S"), "user: one", "user: three", "user: late\n\nB"},
	},
	{
		"one that is kept goes", tree("1 - "+user("one"), "2 1 "+system("old"), "3 2 "+compacted("S", "1", "")),
		[]string{fmt.Sprintf(summary, "S"), "user: one"},
	},
	{
		"an entry that is left out", tree("1 - "+user("one"), "2 1 "+user("two"), `3 2 "type":"context_edit","targetId":"1","replacement":null`, "4 3 "+user("four")),
		[]string{"user: two", "user: four"},
	},
	{
		"an entry that is changed, later kept", tree("1 - "+user("one"), "2 1 "+user("two"), `3 2 "type":"context_edit","targetId":"2","replacement":{"content":"2!"}`, "4 3 "+compacted("S", "2", "")),
		[]string{fmt.Sprintf(summary, "S"), "user: 2!"},
	},
	{
		"a summary that is left out", tree("1 - "+user("one"), "2 1 "+compacted("S", "2", ""), `3 2 "type":"custom_message","customType":"x","content":"E"`, `4 3 "type":"context_edit","targetId":"2","replacement":null`, "5 4 "+user("five")),
		[]string{"user: E", "user: five"},
	},
	{"nothing is left", tree("1 - "+user("one"), `2 1 "type":"context_edit","targetId":"1","replacement":null`, "3 2 "+user("three")), []string{"user: three"}},
	{
		"an edit of a command has no effect", tree(`1 - "type":"message","message":{"role":"bashExecution","command":"ls","output":"a","exitCode":2}`, `2 1 "type":"context_edit","targetId":"1","replacement":{"content":"x"}`),
		[]string{"user: Ran `ls`\n```\na\n```\n\nCommand exited with code 2"},
	},
	{
		"a command that stays out", tree(`1 - "type":"message","message":{"role":"bashExecution","command":"ls","excludeFromContext":true}`, "2 1 "+user("two")),
		[]string{"user: two"},
	},
	{
		"a message of an extension", tree(`1 - "type":"custom_message","customType":"x","content":"E","display":true`, `2 1 "type":"message","message":{"role":"custom","content":[{"type":"text","text":"F"}]}`),
		[]string{"user: E", "user: F"},
	},
	{
		"an extension's message by its earlier name, in a version that had it", strings.Replace(tree(`1 - "type":"message","message":{"role":"hookMessage","content":"E"}`, "2 1 "+user("two")), `"version":3`, `"version":2`, 1),
		[]string{"user: E", "user: two"},
	},
	{
		"and in one that has not", tree(`1 - "type":"message","message":{"role":"hookMessage","content":"E"}`, "2 1 "+user("two"), "3 2 "+compacted("S", "1", `,"systemMessage":{"role":"system","content":"new"}`)),
		[]string{"user: new", fmt.Sprintf(summary, "S"), "user: two"},
	},
	{
		"a summary that is left out, and put back by an edit that can't change it", tree("1 - "+user("one"), "2 1 "+compacted("S", "9", ""), "3 2 "+user("three"), `4 3 "type":"context_edit","targetId":"2","replacement":null`, `5 4 "type":"context_edit","targetId":"2","replacement":{"content":"x"}`),
		[]string{fmt.Sprintf(summary, "S"), "user: three"},
	},
	{
		"an answer that was stopped is not sent again, kept or not", tree("1 - "+user("one"), "2 1 "+stopped("half"), "3 2 "+user("two"), "4 3 "+compacted("S", "1", `,"systemMessage":{"role":"system","content":"new"}`), "5 4 "+stopped("half"), "6 5 "+user("three")),
		[]string{"user: new", fmt.Sprintf(summary, "S"), "user: one", "user: two", "user: three"},
	},
	{"a line that is no object goes on from nothing", tree("1 - "+user("one")) + "[1]\n" + `"x"` + "\n7\n", nil},
	{"one that counts for nothing", tree("1 - "+user("one")) + "null\nfalse\n0\n" + `""` + "\n", []string{"user: one"}},
	{"the place of no line, in version 1", strings.Join([]string{`{"type":"session","id":"s1"}`, "{" + user("one") + "}", "{" + compacted("S", "", `,"firstKeptEntryIndex":1.5`) + "}", ""}, "\n"), []string{fmt.Sprintf(summary, "S")}},
	{"content that is missing", tree(`1 - "type":"message","message":{"role":"user","content":null}`, "2 1 "+user("two")), []string{"user: two"}},
}

// TestContext: what the model sees follows pi's own rules.
func TestContext(t *testing.T) {
	for _, c := range contexts {
		t.Run(c.name, func(t *testing.T) {
			_, r := read(t, c.text)
			if got := r.View(t); r.Err != nil || !slices.Equal(got, c.want) {
				t.Errorf("%v\n got %q\nwant %q\n%s", r.Err, got, c.want, r.Log)
			}
		})
	}
}
