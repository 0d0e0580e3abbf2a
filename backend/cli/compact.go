package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
)

const compactLong = `Replaces the older messages by a summary in what the model sees. The log keeps them all: a record is appended, and
revert takes it back.

The newest messages stay, about as many tokens as compaction.keep_recent_tokens says. The cut before them never
separates a tool call from its result. --dry-run shows what would go, what would stay and the summary, and writes
nothing.

The model in force writes the summary; with --offline, or if none is configured, it is put together by rule from the log
itself. A command set as compaction.hook is asked first, and may add to the summary, write it, or refuse.
--summary-file commits a text of your own; - is standard input. The lists of files at a summary's end are always
made anew.`

func (p *program) compactCommand() *cobra.Command {
	var opts backend.Compact
	var summaryFile string
	cmd := &cobra.Command{
		Use:     "compact ID",
		Short:   "Replace older messages by a summary in what the model sees",
		GroupID: groupChange,
		Long:    compactLong,
		Example: `  palimpsest compact 01JD9ZK3 --dry-run
  palimpsest compact 01JD9ZK3 --offline --keep-recent 2000
  palimpsest compact 01JD9ZK3 --dry-run --json | jq -r .draft.summary > summary.md
  palimpsest compact 01JD9ZK3 --cut 211 --summary-file summary.md`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	keep := &number{kind: "tokens"}
	cmd.Flags().Var(keep, "keep-recent", "how many tokens of the newest messages stay; 0: none (default the setting)")
	cut := seqFlag(cmd, "cut", "the first message to keep, instead of the one by rule")
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "show plan and draft, write nothing")
	cmd.Flags().BoolVar(&opts.Offline, "offline", false, "ask no model")
	cmd.Flags().StringVar(&opts.Instructions, "instructions", "", "what the summary should mind in particular")
	cmd.Flags().StringVar(&summaryFile, "summary-file", "", "commit the text of this file as the summary")
	cmd.RunE = p.onSession(func(cmd *cobra.Command, b *backend.Backend, id string) error {
		opts.Cut.Cut = cut.value
		if cmd.Flags().Changed("keep-recent") {
			tokens := int(keep.value)
			opts.KeepRecent = &tokens
		}
		if opts.KeepRecent != nil && cut.value != 0 {
			return badInput(cmd, "--cut and --keep-recent both say where to cut; give one of them")
		}
		if cmd.Flags().Changed("summary-file") {
			text, err := p.textOf(cmd, summaryFile)
			if err != nil {
				return err
			}
			opts.Summary = &text
		}
		opts.Retry = func(r llm.Retry) { p.note("asking again in %s: %s", r.In.Round(100*1e6), r.Reason) }
		return p.compact(cmd, b, id, opts)
	})
	return cmd
}

func (p *program) compact(cmd *cobra.Command, b *backend.Backend, id string, opts backend.Compact) error {
	done, err := b.Compact(cmd.Context(), id, opts)
	if err != nil {
		return err
	}
	if done.Plan == nil && opts.KeepRecent == nil {
		done.Reason += "; --keep-recent N keeps fewer"
	}
	switch {
	case p.json:
		return p.answer(done)
	case done.Plan == nil:
		return p.say("nothing to compact: %s", oneLine(done.Reason))
	}
	return p.compactText(&done)
}

func (p *program) compactText(done *backend.Compacted) error {
	plan := done.Plan
	lines := []string{
		fmt.Sprintf("summarized  %d messages, about %d tokens%s", plan.Goes, plan.TokensBefore, seqsFromTo(plan.Summarize)),
		fmt.Sprintf("kept        %d messages, about %d tokens%s", plan.Stays, plan.TokensKept, seqsFromTo(plan.Keep)),
		fmt.Sprintf("summary     about %d tokens, %s", *plan.TokensAfter, writer(done.Draft)),
	}
	if plan.SplitTurn {
		lines = append(lines, "the cut is inside a turn, whose beginning has a section of its own")
	}
	if plan.PreviousSeq != nil {
		lines = append(lines, fmt.Sprintf("it takes the place of the compaction %d", *plan.PreviousSeq))
	}
	if plan.Prune != nil {
		lines = append(lines, fmt.Sprintf("results of %d tool calls that are kept are cleared to make room, about %d tokens", len(plan.Prune.Seqs), plan.Prune.TokensFreed))
	}
	if missing := done.Draft.MissingHeadings; len(missing) > 0 {
		lines = append(lines, "sections missing: "+strings.Join(missing, ", "))
	}
	lines = append(lines, fidelityText(done.Draft.Fidelity)...)
	for _, note := range done.Draft.Notes {
		lines = append(lines, "note: "+oneLine(note))
	}
	if done.CommittedSeq == nil {
		lines = append(lines, fmt.Sprintf("nothing was written (--dry-run); --cut %d makes the same cut", plan.CutSeq), "", manyLines(done.Draft.Summary))
	} else {
		lines = append(lines, fmt.Sprintf("record %d is the compaction; palimpsest revert takes it back", *done.CommittedSeq))
	}
	return p.say("%s", strings.Join(lines, "\n"))
}

// fidelityText is what a summary keeps and loses of what it replaces.
func fidelityText(f *compaction.Fidelity) []string {
	const most = 12
	if f == nil || f.Total == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("facts       %d of %d that stood in them are in the summary", f.Kept, f.Total)}
	for _, fact := range f.Lost[:min(len(f.Lost), most)] {
		lines = append(lines, fmt.Sprintf("  lost      %s  (%s, record %d)", oneLine(fact.Text), fact.Kind, fact.Seq))
	}
	if more := f.Total - f.Kept - most; more > 0 {
		lines = append(lines, fmt.Sprintf("  lost      %d more; --json lists them", more))
	}
	return lines
}

func writer(d *backend.Draft) string {
	switch {
	case d.Hook != nil && d.Hook.Used == compaction.UsedSummary:
		return "written by compaction.hook"
	case d.Offline:
		return "put together by rule, no model was asked"
	case d.Model != nil:
		return "written by " + oneLine(*d.Model)
	}
	return "as given"
}

func seqsFromTo(seqs []int64) string {
	if len(seqs) == 0 {
		return ""
	}
	return fmt.Sprintf(" (records %d to %d)", seqs[0], seqs[len(seqs)-1])
}

// textMost bounds a summary or a message that is read from a file.
const textMost = 8 << 20

// textOf reads a file that the user names; - is standard input.
func (p *program) textOf(cmd *cobra.Command, path string) (string, error) {
	var in io.Reader
	if path == "-" {
		lines, done := interruptible(cmd.Context(), p.in)
		defer done()
		in = lines
	} else {
		file, err := os.Open(path)
		if err != nil {
			return "", &fault{err: err, code: backend.CodeBadInput, hint: "nothing was changed; check the name of the file"}
		}
		defer func() { _ = file.Close() }() // opened for reading
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, textMost+1))
	text = bytes.TrimPrefix(text, []byte("\uFEFF")) // as editors of Windows put it before what they save
	switch {
	case err != nil && path != "-":
		return "", &fault{err: err, code: backend.CodeBadInput, hint: "nothing was changed; check that it is a file"}
	case err != nil:
		return "", fmt.Errorf("reading standard input: %w", err)
	case len(text) > textMost:
		return "", badInput(cmd, "%s is longer than %d MiB", path, textMost>>20)
	case strings.TrimSpace(compaction.StripTags(string(text))) == "":
		return "", badInput(cmd, "%s is empty", path)
	}
	return string(text), nil
}

// note tells something on standard error that is no error.
func (p *program) note(format string, args ...any) {
	p.err.print("palimpsest: %s\n", oneLine(fmt.Sprintf(format, args...)))
}
