package compaction

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Draft is a summary that can be looked at, edited and committed.
type Draft struct {
	// Summary ends with the file tags, as it would be stored.
	Summary string
	// Model wrote it, empty for the offline summarizer.
	Model   string
	Offline bool
	// MissingHeadings names the sections of the format that it does not have.
	MissingHeadings []string
	// Notes say what was left out of what the summarizer was shown, and why.
	Notes []string
	// Usage is what was reported for all requests together, nil if nothing was.
	Usage *record.Usage
	// Hooked is what the user's hook did for it, nil if there is none.
	Hooked *Hooked

	unheard string // why the context that the hook gave was not used
}

// ErrUnusable is returned for a summary that must not be committed. Nothing was written.
var ErrUnusable = errors.New("the model's summary can't be used")

// headings are the sections of the format.
var headings = []string{"Goal", "Constraints & Preferences", "Progress", "Key Decisions", "Next Steps", "Critical Context"}

// missingHeadings names the sections that a summary does not have.
func missingHeadings(summary string) []string {
	missing := []string{}
	for _, heading := range headings {
		if !hasHeading(summary, heading) {
			missing = append(missing, heading)
		}
	}
	return missing
}

// DraftOf is a summary as the draft of a plan: with the lists of files, and with what is to be said about it.
func DraftOf(p *Plan, summary string) *Draft {
	d := &Draft{Summary: p.WithTags(summary), MissingHeadings: missingHeadings(summary)}
	if p.SplitTurn && !hasHeading(summary, turnHeading) {
		d.MissingHeadings = append(d.MissingHeadings, turnHeading)
	}
	before := p.TokensBefore
	if p.Previous != nil {
		before += TokensAfter(p.Previous.Summary)
	}
	if after := TokensAfter(d.Summary); after >= before {
		d.Notes = append(d.Notes, fmt.Sprintf("the summary is no shorter than what it replaces: about %s tokens for %s", tokens.Written(after), tokens.Written(before)))
	}
	return d
}

func hasHeading(summary, heading string) bool {
	return regexp.MustCompile(`(?mi)^##[ \t]+` + regexp.QuoteMeta(heading) + `[ \t]*:?[ \t]*\r?$`).MatchString(summary)
}

// thinking is what models without a field of its own for it put before their answer.
var thinking = regexp.MustCompile(`(?s)^\s*<think>.*?</think>`)

// judge takes the summary out of an answer, or says why there is none that could be committed.
func judge(answer Completion) (string, error) {
	summary := StripTags(thinking.ReplaceAllString(answer.Text, ""))
	switch {
	case answer.Calls:
		return "", fmt.Errorf("%w: it called a tool instead of writing one", ErrUnusable)
	case answer.Stop == "length":
		return "", fmt.Errorf("%w: it stopped in the middle, at the most it may write", ErrUnusable)
	case answer.Stop != "stop":
		return "", fmt.Errorf("%w: it ended with %q", ErrUnusable, answer.Stop)
	case strings.TrimSpace(summary) == "":
		return "", fmt.Errorf("%w: it is empty", ErrUnusable)
	case len(missingHeadings(summary)) == len(headings):
		return "", fmt.Errorf("%w: it has none of the sections that were asked for", ErrUnusable)
	}
	return summary, nil
}
