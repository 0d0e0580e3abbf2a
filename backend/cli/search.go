package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/index"
	"palimpsest/backend/query"
)

const searchLong = `Looks through every session, yours and those of other agents, but for the trash: through what you wrote, answers,
thinking, tool calls, tool output, summaries and names. Of each session the best place is shown, of the newest session
first; --session shows every place of one.

  word          anything, also within words: a-b, f(x), C:\x, 漢字
  "a phrase"    over the end of a line, too; quote it once more for your shell
  /a+b/         a regular expression; --regex takes all of it for one
  -word         leaves out what has it; ->, -= and --flag are words (the last needs -- in front of all of the query)
  name:value    a filter:
    agent:codex  project:api  model:gpt-5  name:deploy  id:01JD  scope:user,output
    tool:bash    what a tool was called with, and what it gave back; tool:bash,read what either of them was
    in:context   what the model still sees; in:summary what a summary stands for; in:dropped what it sees no more
    is:compacted, archived, gone, foreign, damaged or imported
    compactions:>=5
    after:2026-10  before:7d  on:yesterday  when it was written: 2026, 2026-10, 2026-10-05, 7d, 2w, today
    -in:context and the like leave that out
    of several of one name, or with commas, one has to hold; of is:, compactions: and times all of them

All words have to be in the same part of a message. Upper and lower case are the same, other letters are not: e does not
find é, nor ss ß, nor i İ. What is not understood is looked for as text, and said.

It first brings the index up to date, or waits for another program that does so; --no-scan waits for neither. What was
not looked through is said, and why.
That nothing is found is no error.`

func (p *program) searchCommand() *cobra.Command {
	var opts backend.SearchOptions
	var in string
	var noScan bool
	limit := &number{kind: "count"}
	cmd := &cobra.Command{
		Use:     "search QUERY...",
		Short:   "Search every session",
		GroupID: groupLook,
		Long:    searchLong,
		Example: `  palimpsest search canary timeout
  palimpsest search '"connection refused" tool:bash after:7d'
  palimpsest search in:dropped vendor
  palimpsest search --regex 'ERR_[A-Z_]+' --scope output
  palimpsest search is:compacted compactions:'>=5' --json | jq -r '.hits[].id'`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: completeQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Text, opts.Limit = strings.Join(args, " "), int(limit.value)
			if strings.TrimSpace(opts.Text) == "" {
				return badInput(cmd, "search: there is nothing to look for; usage: %s", cmd.UseLine())
			}
			b, err := p.openScanned(cmd, noScan, asksForDays(opts))
			if err != nil {
				return err
			}
			if in == "" {
				return p.searchAll(cmd, b, opts)
			}
			id, err := b.ResolveSearched(cmd.Context(), in)
			if err != nil {
				return err
			}
			return p.searchIn(cmd, b, id, opts)
		},
	}
	cmd.Flags().Var(limit, "limit", "at most so many sessions or, with --session, places; 0: 50, or 1000")
	cmd.Flags().BoolVar(&opts.Case, "case", false, "mind upper and lower case")
	cmd.Flags().BoolVar(&opts.Regex, "regex", false, "all that is no filter is one regular expression")
	cmd.Flags().StringSliceVar(&opts.Scopes, "scope", nil, "only in these: user, assistant, thinking, call, output, summary, name, injected")
	cmd.Flags().StringVar(&in, "session", "", "every place in this session")
	cmd.Flags().BoolVar(&noScan, "no-scan", false, "don't bring the index up to date first")
	registerCompletion(cmd, "scope", scopeWords())
	return cmd
}

// asksForDays tells whether a filter asks on which days something happened.
func asksForDays(opts backend.SearchOptions) bool {
	return slices.ContainsFunc(query.Parse(opts.Text, opts.Regex).Filters, func(f query.Filter) bool { return f.Name == query.On })
}

func scopeWords() []string {
	var names []string
	for _, scope := range index.Scopes {
		names = append(names, scope.String())
	}
	return names
}

// registerCompletion offers words for a flag.
func registerCompletion(cmd *cobra.Command, flag string, words []string) {
	// It fails for a flag that is not there, or has one.
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// completeQuery offers filters, and the values of those that have a few.
func completeQuery(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	var offered []string
	for _, name := range query.Names() {
		offered = append(offered, string(name)+":")
		for _, word := range query.Words(name) {
			if strings.HasPrefix(typed, string(name)+":") {
				offered = append(offered, string(name)+":"+word)
			}
		}
	}
	offered = slices.DeleteFunc(offered, func(one string) bool { return !strings.HasPrefix(one, typed) || one == typed })
	return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// problemsOf tells what of a query was not understood, beside the answer.
func (p *program) problemsOf(q query.Query) error {
	for _, problem := range q.Problems {
		p.err.print("palimpsest: %s\n", oneLine(problem))
	}
	return nil
}

// hit prints a session with its best place, and how to see that.
func (p *program) hit(h *backend.SearchHit) error {
	about := []string{localTime(h.LastMessageAt), oneLine(h.Agent)}
	if h.Count > 1 {
		about = append(about, count(h.Count, "place", "places"))
	}
	if h.Gone {
		about = append(about, gone)
	}
	head := fmt.Sprintf("%s  %s  ", oneLine(h.ID), strings.Join(about, "  "))
	title := oneLine(orEmpty(h.Title))
	if title == "" {
		title = "untitled"
	}
	if err := p.say("%s%s", head, cut(title, max(p.terminal.width-len(head), 10))); err != nil {
		return err
	}
	if h.Hit == nil {
		return nil
	}
	if err := p.placeLine(h.Hit); err != nil {
		return err
	}
	if h.Hit.Seq == nil || h.Gone { // a copy that is left may be from before that was said
		return nil
	}
	return p.say("  palimpsest show %s --from %d", oneLine(h.ID), *h.Hit.Seq)
}

// placeLine prints a place: its number, what kind of text, what became of it, and what stands there.
func (p *program) placeLine(place *backend.SearchPlace) error {
	head := "  "
	if place.Seq != nil {
		head += fmt.Sprintf("%d ", *place.Seq)
	}
	head += place.Scope
	if place.State != nil {
		head += ", " + *place.State
	}
	head += ": "
	e := place.Excerpt
	room := max(p.terminal.width-len(head), 20)
	// What was found stands in view: of what is before it no more than a third of the line.
	return p.say("%s%s", head, cut(strings.TrimSpace(tailOf(oneLined(e.Before), room/3)+oneLined(e.Match)+oneLined(e.After)), room))
}

// oneLined is [oneLine] of a piece of a line: blanks at its ends stay.
func oneLined(s string) string {
	out := oneLine(s)
	if strings.HasPrefix(s, " ") {
		out = " " + out
	}
	if strings.HasSuffix(s, " ") && strings.TrimSpace(s) != "" {
		out += " "
	}
	return out
}

// tailOf is the end of a line, no wider than so many columns, with an ellipsis for what is left out.
func tailOf(s string, columns int) string {
	letters := []rune(s)
	n := 0
	for i, letter := range slices.Backward(letters) {
		if n += columnsOfRune(letter); n > columns {
			return "…" + string(letters[i+1:])
		}
	}
	return s
}

func (p *program) searchEnd(found *backend.Search) error {
	switch {
	case found.Cursor != nil && len(found.Hits) > 0:
		if err := p.say("there may be more; --limit shows more"); err != nil {
			return err
		}
	case !found.Complete:
		if err := p.say("not everything was looked through"); err != nil {
			return err
		}
	}
	p.skipped(found.Skipped)
	return nil
}

// skipped says what was not looked through, and why.
func (p *program) skipped(all []backend.Unsearched) {
	for _, skipped := range all {
		name, more := unsearchedNames[skipped.Reason], "palimpsest index lists them"
		if skipped.Reason == "notYetScanned" {
			more = "palimpsest index scan reads them"
		}
		p.err.print("palimpsest: %s: %s; %s\n", count(skipped.Count, "session", "sessions"), name, more)
	}
}

var unsearchedNames = map[string]string{
	"notYetScanned": "not read yet", "tooLarge": "too large to be looked through whole", "damaged": "damaged, looked through as far as can be read",
	"unreadable": "can't be read", "gone": "their own files are gone or can't be reached, looked through as they were",
}

// foundBy says what of a query could not be read, and that nothing was found.
func (p *program) foundBy(q query.Query, hits int) error {
	if err := p.problemsOf(q); err != nil || hits > 0 {
		return err
	}
	return p.say("nothing found")
}

func (p *program) searchIn(cmd *cobra.Command, b *backend.Backend, id string, opts backend.SearchOptions) error {
	found, err := b.SearchIn(cmd.Context(), id, opts)
	if err != nil {
		return err
	}
	if p.json {
		return p.answer(found)
	}
	if err := p.foundBy(found.Query, len(found.Hits)); err != nil {
		return err
	}
	for i := range found.Hits {
		if err := p.placeLine(&found.Hits[i]); err != nil {
			return err
		}
	}
	if !found.Complete {
		if err := p.say("not all of the session was looked through"); err != nil {
			return err
		}
	}
	p.skipped(found.Skipped)
	return nil
}
