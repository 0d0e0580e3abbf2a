package compaction

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// script is a summarizer that answers from a list, and remembers what it was asked.
type script struct {
	t       testing.TB
	room    int
	answers []func(ctx context.Context, prompt string) (Completion, error)
	asked   []string
	systems []string
}

func (s *script) Budget() tokens.Budget { return tokens.Budget{Window: s.room} }

func (s *script) Complete(ctx context.Context, system, prompt string, text func(string)) (Completion, error) {
	s.asked, s.systems = append(s.asked, prompt), append(s.systems, system)
	if len(s.answers) == 0 {
		s.t.Fatalf("asked once too often: %.200s", prompt)
	}
	next := s.answers[0]
	s.answers = s.answers[1:]
	answer, err := next(ctx, prompt)
	if half := len(answer.Text) / 2; half > 0 {
		text(answer.Text[:half])
		text(answer.Text[half:])
	}
	return answer, err
}

type reply = func(ctx context.Context, prompt string) (Completion, error)

func scripted(t testing.TB, answers ...reply) *script {
	return &script{t: t, room: 100_000, answers: answers}
}

func completes(c Completion) reply {
	return func(context.Context, string) (Completion, error) { return c, nil }
}

func answer(text string) reply {
	return completes(Completion{Text: text, Stop: "stop", Model: "m-1"})
}

func refuses(err error) reply {
	return func(context.Context, string) (Completion, error) { return Completion{}, err }
}

func ask(t testing.TB, plan *Plan, answers ...reply) *Draft {
	t.Helper()
	draft, err := Summarize(t.Context(), scripted(t, answers...), Request{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	return draft
}

func TestPromptsAreTheSpecificationsWordForWord(t *testing.T) {
	for name, prompt := range map[string]string{"system.txt": SystemPrompt, "initial.txt": InitialPrompt, "update.txt": UpdatePrompt} {
		if diff := cmp.Diff(golden(t, name), prompt); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
	model := scripted(t, answer(fullSummary))
	draft, err := Summarize(t.Context(), model, Request{Plan: keepingNothing(t, said("one"), answered("two"))})
	if err != nil {
		t.Fatal(err)
	}
	want := "<conversation>\n[User]: one\n[Assistant]: two\n</conversation>\n\n" + golden(t, "initial.txt")
	if diff := cmp.Diff([]string{golden(t, "system.txt"), want}, []string{model.systems[0], model.asked[0]}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if draft.Summary != fullSummary || draft.Model != "m-1" || draft.Offline || draft.Usage != nil {
		t.Errorf("%+v", draft)
	}
}

// long is a conversation of n exchanges, each a question, an answer with a call, and its result.
func long(n, size int) []string {
	var records []string
	for i := range n {
		id := fmt.Sprint("c", i)
		records = append(
			records, said(fmt.Sprintf("question %03d %s", i, tokensOf(size))),
			answered(fmt.Sprintf("answer %03d %s", i, tokensOf(size)), read(id, fmt.Sprintf("file%03d", i))), result(id, fmt.Sprintf("result %03d", i)),
		)
	}
	return records
}

// numbers are those of the texts that begin so, in order.
func numbers(text, word string) []string {
	var out []string
	for part := range strings.SplitSeq(text, word+" ") {
		if len(part) >= 3 && part[0] >= '0' && part[0] <= '9' {
			out = append(out, part[:3])
		}
	}
	return out
}

func TestWhatIsTooLongIsSummarizedInParts(t *testing.T) {
	plan := planned(t, contextOf(t, append(long(12, 300), answered("kept"))...), Options{Cut: 37})
	if !plan.SplitTurn {
		t.Fatal("the cut is inside a turn")
	}
	model := scripted(t)
	model.room = 4000
	part := 0
	answers := func(context.Context, string) (Completion, error) {
		part++
		text := strings.Replace(fullSummary, "Ship", fmt.Sprintf("Part %d: ship", part), 1)
		usage := &record.Usage{Input: 100, Output: 10, CacheRead: 1, CacheWrite: part}
		return Completion{Text: text, Stop: "stop", Model: "m-1", Usage: usage}, nil
	}
	for range 20 {
		model.answers = append(model.answers, answers)
	}
	var told []string
	var heard strings.Builder
	draft, err := Summarize(t.Context(), model, Request{Plan: plan, Instructions: "Keep the numbers.", Progress: Progress{
		Part: func(part, parts int) { told = append(told, fmt.Sprint(part, "/", parts)); heard.Reset() },
		Text: func(piece string) { heard.WriteString(piece) },
	}})
	if err != nil {
		t.Fatal(err)
	}
	n := len(model.asked)
	if n < 3 || len(told) != n || told[n-1] != fmt.Sprint(n, "/", n) {
		t.Fatalf("%d requests, told %q", n, told)
	}
	var seen []string
	for i, prompt := range model.asked {
		if size := tokens.Estimate(prompt) + tokens.Estimate(model.systems[i]); size > model.room {
			t.Errorf("request %d has %d tokens, %d fit", i, size, model.room)
		}
		seen = append(seen, numbers(prompt, "question")...)
		if results := numbers(prompt, "result"); !slices.Equal(results, numbers(prompt, "answer")) {
			t.Errorf("request %d has the results %q, not those of its answers", i, results)
		}
		if last := i == n-1; strings.Contains(prompt, "## Turn So Far\n") != last {
			t.Errorf("request %d of %d: Turn So Far is asked for: %v", i+1, n, !last)
		}
		before := fmt.Sprintf("<previous-summary>\n## Goal\nPart %d: ship", i)
		if i == 0 && !strings.Contains(prompt, golden(t, "initial.txt")) || i > 0 && (!strings.Contains(prompt, golden(t, "update.txt")) || !strings.Contains(prompt, before)) {
			t.Errorf("request %d: %.300s", i, prompt[strings.Index(prompt, "</conversation>"):])
		}
		if !strings.HasSuffix(prompt, "\nKeep the numbers.") {
			t.Errorf("request %d does not pass on the instructions", i)
		}
	}
	for i, number := range seen[:12] {
		if number != fmt.Sprintf("%03d", i) {
			t.Errorf("in the order %q", seen)
		}
	}
	if want := (&record.Usage{Input: 100 * n, Output: 10 * n, CacheRead: n, CacheWrite: n * (n + 1) / 2}); *draft.Usage != *want {
		t.Errorf("usage %+v, want %+v", draft.Usage, want)
	}
	if !strings.HasPrefix(draft.Summary, fmt.Sprintf("## Goal\nPart %d:", n)) || heard.String() != StripTags(draft.Summary) {
		t.Errorf("the draft is %.60q, heard was %.60q", draft.Summary, heard.String())
	}
	if diff := cmp.Diff([]string{turnHeading}, draft.MissingHeadings); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
	}
	input, requests := plan.Cost(model.Budget())
	if requests != n || input < 5000 {
		t.Errorf("the cost is said to be %d tokens in %d requests, and it was %d", input, requests, n)
	}
}

func TestSplitTurnIsAskedForWithItsRequest(t *testing.T) {
	plan := planned(t, contextOf(t, said("one"), summarized(2, fullSummary, ""), said("Fix the flaky test."), answered("looking"), answered("kept")), Options{Cut: 5})
	model := scripted(t, answer(fullSummary+"\n\n## Turn So Far\nLooked."))
	draft, err := Summarize(t.Context(), model, Request{Plan: plan, Instructions: "Be short."})
	if err != nil {
		t.Fatal(err)
	}
	if len(draft.MissingHeadings) != 0 {
		t.Errorf("missing %q", draft.MissingHeadings)
	}
	prompt := model.asked[0]
	at := -1
	for _, part := range []string{
		"[User]: Fix the flaky test.\n", "<previous-summary>\n" + fullSummary + "\n</previous-summary>\n\n" + golden(t, "update.txt"),
		"## Critical Context", "## Turn So Far", "The turn began with this message of the user:\nFix the flaky test.", "Be short.",
	} {
		next := strings.LastIndex(prompt, part)
		if next <= at {
			t.Errorf("%q is at %d, behind what comes before it", part, next)
		}
		at = next
	}
}

func TestMessageTooLongForTheSummarizerIsNamed(t *testing.T) {
	plan := keepingNothing(t, said("one"), said("huge "+tokensOf(3000)), answered("three"))
	model := scripted(t, answer(fullSummary))
	model.room = 5000
	draft, err := Summarize(t.Context(), model, Request{Plan: plan})
	if err != nil {
		t.Fatal(err)
	}
	const name = "message 2 (user, about 3,002 tokens)"
	if prompt := model.asked[0]; strings.Contains(prompt, "huge") || !strings.Contains(prompt, "- "+name) || !strings.Contains(prompt, "one") {
		t.Errorf("asked %.300s … %s", prompt, prompt[len(prompt)-200:])
	}
	if len(draft.Notes) == 0 || !strings.Contains(draft.Notes[0], name) {
		t.Errorf("notes %q", draft.Notes)
	}
	alone := keepingNothing(t, said(tokensOf(3000)))
	model = scripted(t)
	model.room = 5000
	if _, err := Summarize(t.Context(), model, Request{Plan: alone}); !errors.Is(err, ErrOverflow) {
		t.Errorf("nothing that can be shown: %v", err)
	}
}

func TestOverflowDropsTheOldestPartAndSaysSo(t *testing.T) {
	plan := keepingNothing(t, long(8, 50)...)
	overflow := refuses(fmt.Errorf("400: too long: %w", ErrOverflow))
	model := scripted(t, overflow, overflow, answer(fullSummary))
	parts := 0
	draft, err := Summarize(t.Context(), model, Request{Plan: plan, Progress: Progress{Part: func(int, int) { parts++ }}})
	if err != nil {
		t.Fatal(err)
	}
	all, some, fewer := numbers(model.asked[0], "question"), numbers(model.asked[1], "question"), numbers(model.asked[2], "question")
	if len(all) != 8 || len(some) >= 8 || len(fewer) >= len(some) || len(fewer) < 3 || fewer[len(fewer)-1] != "007" {
		t.Errorf("asked with %q, then %q, then %q", all, some, fewer)
	}
	if !slices.Equal(numbers(model.asked[2], "result"), numbers(model.asked[2], "answer")) {
		t.Error("results were torn from their calls")
	}
	if parts != 3 {
		t.Errorf("what was written was void %d times, not at each of 3 requests", parts)
	}
	if len(draft.Notes) < 2 || !strings.Contains(draft.Notes[0], "seq 1 to ") || !strings.Contains(draft.Notes[1], "were not shown") {
		t.Errorf("notes %q", draft.Notes)
	}
	model = scripted(t, overflow, overflow, overflow)
	_, err = Summarize(t.Context(), model, Request{Plan: keepingNothing(t, said("one"), said("two"), said("three"))})
	if !errors.Is(err, ErrOverflow) || len(model.asked) != 3 || strings.Contains(model.asked[2], "two") {
		t.Errorf("with one message left: %v after %d requests", err, len(model.asked))
	}
}

func TestUnusableAnswersAreRefused(t *testing.T) {
	plan := keepingNothing(t, said("one"))
	for name, c := range map[string]Completion{
		"stopped for length": {Text: fullSummary, Stop: "length"},
		"called a tool":      {Text: fullSummary, Stop: "toolUse", Calls: true},
		"called and stopped": {Text: fullSummary, Stop: "stop", Calls: true},
		"empty":              {Text: " \n", Stop: "stop"},
		"nothing but files":  {Text: "<read-files>\na\n</read-files>", Stop: "stop"},
		"nothing but thought": {
			Text: "<think>\n" + fullSummary + "\n</think>\n", Stop: "stop",
		},
		"no headings": {Text: "Goal\n# Goal\ntext ## Goal", Stop: "stop"},
		"no end":      {Text: fullSummary},
	} {
		if draft, err := Summarize(t.Context(), scripted(t, completes(c)), Request{Plan: plan}); !errors.Is(err, ErrUnusable) {
			t.Errorf("%s: %+v, %v", name, draft, err)
		}
	}
	if _, err := Summarize(t.Context(), scripted(t, completes(Completion{Text: fullSummary, Stop: "length"})), Request{Plan: plan}); !strings.Contains(err.Error(), "stopped in the middle") {
		t.Errorf("stopped for length: %v", err)
	}
	thought := ask(t, plan, answer("<think>## Plan\nhm</think>\n\n"+fullSummary))
	if thought.Summary != fullSummary {
		t.Errorf("behind thinking: %q", thought.Summary)
	}
}

func TestModelsFileTagsAreNotBelieved(t *testing.T) {
	plan := keepingNothing(t, said("one"), answered("", read("a", "real.go")), result("a", ""))
	draft := ask(t, plan, answer("<modified-files>\nmade-up.go\n</modified-files>\n"+fullSummary+"\n<read-files>\nmade-up.go\n</read-files>"))
	if want := fullSummary + "\n\n<read-files>\nreal.go\n</read-files>"; draft.Summary != want {
		t.Errorf("%q", draft.Summary)
	}
}

func TestCancelledSummaryIsNone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	model := scripted(t, func(ctx context.Context, _ string) (Completion, error) {
		cancel()
		return Completion{Text: fullSummary}, ctx.Err()
	})
	draft, err := Summarize(ctx, model, Request{Plan: keepingNothing(t, said("one"))})
	if draft != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", draft, err)
	}
}

func TestSummaryThatSavesNothingSaysSo(t *testing.T) {
	plan := keepingNothing(t, said("one"))
	if draft := ask(t, plan, answer(fullSummary)); len(draft.Notes) != 1 || !strings.Contains(draft.Notes[0], "no shorter") {
		t.Errorf("notes %q", draft.Notes)
	}
	plan = keepingNothing(t, said(tokensOf(2000)))
	if draft := ask(t, plan, answer(fullSummary)); len(draft.Notes) != 0 {
		t.Errorf("notes %q", draft.Notes)
	}
}

func TestCalibrationMakesPartsSmaller(t *testing.T) {
	plan := keepingNothing(t, long(6, 200)...)
	_, before := plan.Cost(tokens.Budget{Window: 5500})
	plan.Calibration = 1.6
	if _, after := plan.Cost(tokens.Budget{Window: 5500}); before != 1 || after < 2 {
		t.Errorf("%d requests, %d where the model counts more", before, after)
	}
}

func TestSerializeForms(t *testing.T) {
	for name, c := range map[string]struct{ record, want string }{
		"several blocks":    {`{"recordType":"message","role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "[User]: a\nb"},
		"several calls":     {answered("", call("1", "ls", `{"path":".","all":true, "n": 3}`), call("2", "wait", "{}")), `[Assistant tool calls]: ls(path=".", all=true, n=3); wait()`},
		"nested arguments":  {answered("", call("1", "edit", `{"edits": [{"old": "a\nb", "new": null}]}`)), `[Assistant tool calls]: edit(edits=[{"old":"a\nb","new":null}])`},
		"thinking":          {`{"recordType":"message","role":"assistant","content":[{"type":"thinking","text":"hm"},{"type":"text","text":"so"}]}`, "[Assistant]: so"},
		"an image":          {`{"recordType":"message","role":"user","content":[{"type":"image","mediaType":"image/png","blob":"` + strings.Repeat("0", 64) + `"}]}`, "[User]: [image]"},
		"a note":            {`{"recordType":"note","namespace":"n","data":{},"display":true,"content":[{"type":"text","text":"seen"}]}`, "[User]: seen"},
		"a result of 2000":  {result("1", strings.Repeat("é", 2000)), ""},
		"a result of 2001":  {result("1", strings.Repeat("é", 2001)), ""},
		"a branch's return": {branch(0, "they tried"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			log := []string{c.record}
			switch {
			case strings.HasPrefix(name, "a result"):
				log = []string{answered("", call("1", "ls", "{}")), c.record}
				c.want = "[Assistant tool calls]: ls()\n[Tool result]: " + strings.Repeat("é", 2000)
				if name == "a result of 2001" {
					c.want += "\n[… 1 more characters]"
				}
			case strings.HasPrefix(name, "several calls"), strings.HasPrefix(name, "nested"):
				messages := contextOf(t, c.record).Messages[:1]
				if got := Serialize(messages); got != c.want {
					t.Errorf("%q", got)
				}
				return
			case name == "a branch's return":
				log = []string{said("gone"), c.record}
				c.want = "[User]: " + contextOf(t, log...).Messages[0].Content[0].Text
				if !strings.Contains(c.want, "\nthey tried\n") {
					t.Fatal(c.want)
				}
			}
			if got := Serialize(contextOf(t, log...).Messages); got != c.want {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestSerializePrunedResult(t *testing.T) {
	c := contextOf(t, answered("", read("1", "a")), result("1", tokensOf(50)), `{"recordType":"prune","seqs":[2],"tokensFreed":40}`)
	want := "[Assistant tool calls]: read(path=\"a\")\n[Tool result]: [tool result cleared: 50 tokens]"
	if got := Serialize(c.Messages); got != want || c.Messages[1].Overlay != overlay.OverlayPrune {
		t.Errorf("%q", got)
	}
}
