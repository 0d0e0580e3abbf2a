package compaction

import (
	"errors"
	"fmt"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Errors that a caller tells apart.
var (
	// ErrOverflow is returned if what has to be kept, or what has to be summarized, does not fit even when it is cut down.
	ErrOverflow = errors.New("does not fit into the model's window")
	// ErrStale is returned if the log has changed so that a plan does not hold any more.
	ErrStale = errors.New("the conversation has changed since this was planned")
	// ErrCut is returned for a cut that is no valid boundary.
	ErrCut = errors.New("not a place where this conversation can be cut")
	// ErrOpenCalls is returned if the conversation ends with calls whose results are still to come.
	ErrOpenCalls = errors.New("the last answer made tool calls that have no results yet, and a compaction may not stand between them")
)

// Options of [Make].
type Options struct {
	// KeepRecent is how many tokens of the newest messages stay, at least. 0 keeps nothing.
	KeepRecent int
	// KeepMessages, if not 0, says in messages what KeepRecent says in tokens.
	KeepMessages int
	// Limit is what the kept part may count at most: the window less the reserve. 0 is no limit.
	Limit int
	// Cut moves the cut to the boundary that this seq names; 0 leaves it to the rule.
	Cut int64
	// Again tells that Cut is that of a plan made before: if that kept nothing, its seq may be any record's by now.
	Again bool
	// Propose cuts at the boundary nearest the middle where the rule finds nothing to compact.
	Propose bool
}

// Plan says what a compaction takes, what it keeps and what that costs.
type Plan struct {
	// CutSeq is the seq of the first message kept; the one after the log's last if nothing is.
	CutSeq int64
	// Summarize is in the order a model sees it, Keep in the order of the path.
	Summarize, Keep []overlay.Message
	// SplitTurn tells that the cut is inside a turn, whose beginning is summarized in a section of its own.
	SplitTurn bool
	// TokensBefore are those of Summarize, TokensKept those of Keep after Prune; raw estimates.
	TokensBefore, TokensKept int
	// ReadFiles and ModifiedFiles are cumulative, sorted, and have nothing in common.
	ReadFiles, ModifiedFiles []string
	// Previous is the compaction in force, nil if there is none; PreviousSeq names it.
	Previous    *record.Compaction
	PreviousSeq int64
	// Prune clears tool results that would not fit, nil if all do.
	Prune *Prune
	// Proposed tells that the rule would compact nothing.
	Proposed bool
	// Calibration is by how much estimates of this session have to be multiplied, at least 1.
	Calibration float64

	model  record.Model
	limit  int               // what is kept may count at most this, with the summary; 0 is no limit
	replay []overlay.Message // a previous compaction's replacement, which has no summary
	// context is the one that was planned on, and unread why texts of it could not be read.
	context *overlay.Context
	unread  error
}

// Nothing says why there is nothing to compact. It is a result, not a failure.
type Nothing struct{ Reason string }

func (n *Nothing) Error() string { return "nothing to compact: " + n.Reason }

// Make plans a compaction of a context. It returns a *[Nothing] if there is nothing to compact, [ErrCut] if the cut is no
// boundary, and [ErrOverflow] if what is kept does not fit even with its largest tool results cleared.
func Make(c *overlay.Context, opts Options) (*Plan, error) {
	s := spanOf(c)
	cut, proposed, err := s.choose(opts)
	if err != nil {
		return nil, err
	}
	return s.plan(c, cut, proposed, opts.Limit)
}

// Hold makes a plan again when it is to be committed: it holds as long as its cut is on the path and the compaction in
// force is still the one it was made on, else [ErrStale]. What has come since is kept.
func Hold(c *overlay.Context, planned *Plan, limit int) (*Plan, error) {
	if len(OpenCalls(c)) > 0 {
		return nil, ErrOpenCalls
	}
	if c.CompactionSeq != planned.PreviousSeq {
		return nil, fmt.Errorf("%w: another compaction is in force", ErrStale)
	}
	s := spanOf(c)
	cut, ok := s.at(planned.CutSeq, true)
	left := len(planned.Keep) == 0 && !s.unbroken(planned.CutSeq)
	if !ok || cut == 0 || left {
		return nil, fmt.Errorf("%w: seq %d is no place to cut it any more", ErrStale, planned.CutSeq)
	}
	return s.plan(c, cut, false, limit)
}

// choose finds the index of the first message kept.
func (s *span) choose(opts Options) (cut int, proposed bool, err error) {
	if opts.Cut != 0 {
		cut, ok := s.at(opts.Cut, opts.Again)
		if !ok || cut == 0 {
			return 0, false, fmt.Errorf("%w: seq %d", ErrCut, opts.Cut)
		}
		return cut, false, nil
	}
	cut = s.byRule(opts)
	if cut > 0 {
		return cut, false, nil
	}
	if opts.Propose {
		if cut = s.middle(); cut > 0 {
			return cut, true, nil
		}
	}
	return 0, false, s.nothing(opts)
}

// byRule walks back from the newest message until as much is kept as is to be; the cut is the nearest boundary at or after
// that message, or else before it. 0 means that everything is kept.
func (s *span) byRule(opts Options) int {
	if opts.KeepMessages > 0 {
		return s.nearest(len(s.messages) - opts.KeepMessages)
	}
	if opts.KeepRecent <= 0 {
		return len(s.messages)
	}
	sum := 0
	for i := range slices.Backward(s.messages) {
		if sum += s.messages[i].Tokens; sum >= opts.KeepRecent {
			return s.nearest(i)
		}
	}
	return 0
}

// nearest is the boundary at or behind i or, if there is none, the one before it; 0 if there is none at all.
func (s *span) nearest(i int) int {
	if i <= 0 {
		return 0
	}
	if cut := s.next(i); cut < len(s.messages) {
		return cut
	}
	return s.previous(i)
}

// middle is the boundary that leaves about as many tokens before it as after it, 0 if there is none.
func (s *span) middle() int {
	total := sizeOf(s.messages)
	best, distance, before := 0, total+1, 0
	for i := range s.messages {
		if off := max(total-2*before, 2*before-total); i > 0 && s.cuttable[i] && off < distance {
			best, distance = i, off
		}
		before += s.messages[i].Tokens
	}
	return best
}

func (s *span) nothing(opts Options) error {
	size := sizeOf(s.messages)
	switch {
	case len(s.messages) == 0:
		return &Nothing{"there are no messages yet"}
	case opts.KeepMessages > 0 && len(s.messages) <= opts.KeepMessages:
		return &Nothing{fmt.Sprintf("there are %d messages, and the newest %d are kept", len(s.messages), opts.KeepMessages)}
	case opts.KeepMessages == 0 && size < opts.KeepRecent:
		return &Nothing{fmt.Sprintf("the messages are about %s tokens, and the newest %s are kept", tokens.Written(size), tokens.Written(opts.KeepRecent))}
	}
	return &Nothing{"there is no place to cut before the messages that are kept"}
}

func (s *span) plan(c *overlay.Context, cut int, proposed bool, limit int) (*Plan, error) {
	p := &Plan{
		CutSeq: s.seqAt(cut), Keep: s.messages[cut:], Proposed: proposed,
		Previous: c.Compaction, PreviousSeq: c.CompactionSeq, Calibration: max(c.Calibration, 1), model: c.Model, limit: limit,
		context: c,
	}
	border := int64(-1)
	if cut < len(s.messages) {
		border = s.messages[cut].Offset
		p.SplitTurn = s.messages[cut].Role == record.RoleAssistant
	}
	p.Summarize = part(c.Messages, func(m *overlay.Message) bool {
		return m.Part != overlay.PartSummary && (border < 0 || m.Offset < border)
	})
	if c.Compaction != nil && len(c.Compaction.Replacement) > 0 {
		p.replay = part(c.Messages, func(m *overlay.Message) bool { return m.Part == overlay.PartSummary })
	}
	p.TokensBefore, p.TokensKept = sizeOf(p.Summarize), sizeOf(p.Keep)
	p.ReadFiles, p.ModifiedFiles = filesOf(p.texts(hasCalls, p.Summarize), c.Compaction)
	if p.unread != nil {
		return nil, p.unread
	}
	if limit > 0 && p.TokensKept > limit {
		if err := s.prune(p, limit); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Conversation is what is summarized, as flat text.
func (p *Plan) Conversation() string { return p.serialize(p.replay, p.Summarize) }

func sizeOf(messages []overlay.Message) int {
	total := 0
	for i := range messages {
		total += messages[i].Tokens
	}
	return total
}
