package overlay_test

import (
	"fmt"
	"slices"
	"strings"

	"palimpsest/backend/record"
)

// This file is a second implementation of the rules from log to context: forward, over the whole log in memory, written
// to be read beside the format's description and not to be fast. The properties hold the real one against it.

// line is one record as the naive implementation has it: in file order, damage left out.
type line struct {
	rec        record.Record
	start, end int64
}

// naive is what the naive implementation makes of a log.
type naive struct {
	context []string
	repairs []int64
	comp    int64
}

// path lists the positions on the path, oldest first, and whether it reaches back to where nothing precedes it.
func path(lines []line) []int {
	var backward []int
	for at := len(lines) - 1; at >= 0; {
		backward = append(backward, at)
		r := &lines[at].rec
		if r.Branch == nil || r.Branch.FromSeq >= r.Seq {
			at--
			continue
		}
		at = branchOrigin(lines, at)
	}
	slices.Reverse(backward)
	return backward
}

func branchOrigin(lines []line, at int) int {
	branch := lines[at].rec.Branch
	if branch.FromSeq == 0 {
		return -1
	}
	for i := range at {
		if lines[i].end == branch.FromOffset && branch.FromOffset > 0 && lines[i].rec.Seq == branch.FromSeq {
			return i
		}
	}
	for i := at - 1; i >= 0; i-- {
		if lines[i].rec.Seq <= branch.FromSeq {
			return i
		}
	}
	return -1
}

// target is the position on the path, before from, that a pointer to seq leads to; -1 if none.
func target(lines []line, onPath []int, from int, seq int64) int {
	for _, at := range slices.Backward(onPath) {
		if at < from && lines[at].rec.Seq == seq {
			return at
		}
	}
	return -1
}

func isOverlay(r *record.Record) bool { return r.Compaction != nil || r.Prune != nil }

func resolveNaively(lines []line) naive {
	n := naive{}
	onPath := path(lines)
	reverted := map[int]bool{}
	for _, at := range onPath {
		if r := lines[at].rec.Revert; r != nil {
			if to := target(lines, onPath, at, r.TargetSeq); to >= 0 && isOverlay(&lines[to].rec) {
				reverted[to] = true
			}
		}
	}
	comp := -1
	for _, at := range onPath {
		if lines[at].rec.Compaction != nil && !reverted[at] {
			comp = at
		}
	}
	first := 0 // position within onPath at which the range starts
	whole := true
	if comp >= 0 {
		n.comp = lines[comp].rec.Seq
		first, whole = rangeStart(lines, onPath, comp)
	}
	inRange := onPath[first:]
	n.overlaysWithoutEffect(lines, onPath, inRange, whole, reverted)
	n.emit(lines, inRange, comp, prunedIn(lines, onPath, inRange, reverted))
	slices.Sort(n.repairs)
	n.repairs = slices.Compact(n.repairs)
	return n
}

func rangeStart(lines []line, onPath []int, comp int) (int, bool) {
	at := slices.Index(onPath, comp)
	if len(lines[comp].rec.Compaction.Replacement) > 0 {
		return at, false
	}
	for at > 0 && lines[onPath[at-1]].rec.Seq >= lines[comp].rec.Compaction.FirstKeptSeq {
		at--
	}
	return at, at == 0
}

func prunedIn(lines []line, onPath, inRange []int, reverted map[int]bool) map[int]*record.Prune {
	pruned := map[int]*record.Prune{}
	for _, at := range inRange {
		if p := lines[at].rec.Prune; p != nil && !reverted[at] {
			for i, seq := range p.Seqs {
				if to := target(lines, onPath, at, seq); to >= 0 && lines[to].rec.Role == record.RoleToolResult && !lines[to].rec.Newer {
					pruned[to] = &record.Prune{Texts: []string{""}}
					if i < len(p.Texts) {
						pruned[to].Texts[0] = p.Texts[i]
					}
				}
			}
		}
	}
	return pruned
}

func (n *naive) overlaysWithoutEffect(lines []line, onPath, inRange []int, whole bool, reverted map[int]bool) {
	lowest := len(lines)
	if len(inRange) > 0 {
		lowest = inRange[0]
	}
	for _, at := range inRange {
		r := &lines[at].rec
		switch {
		case r.Newer, r.Branch != nil && r.Branch.FromSeq >= r.Seq:
			n.repairs = append(n.repairs, r.Seq)
		case r.Revert != nil:
			to := target(lines, onPath, at, r.Revert.TargetSeq)
			unseen := !whole && to < lowest
			if !unseen && (to < 0 || !isOverlay(&lines[to].rec)) {
				n.repairs = append(n.repairs, r.Seq)
			}
		case r.Prune != nil && !reverted[at]:
			hit := false
			for _, seq := range r.Prune.Seqs {
				to := target(lines, onPath, at, seq)
				unseen := !whole && to < lowest
				hit = hit || unseen || to >= 0 && lines[to].rec.Role == record.RoleToolResult
			}
			if !hit {
				n.repairs = append(n.repairs, r.Seq)
			}
		}
	}
}

// said is a message of the context in the making.
type said struct {
	name   string
	seq    int64
	role   record.Role
	msg    *record.Message
	blocks []record.Block
	gone   bool
	failed bool
}

func (n *naive) emit(lines []line, inRange []int, comp int, pruned map[int]*record.Prune) {
	var all []*said
	if comp >= 0 {
		c := lines[comp].rec
		if len(c.Compaction.Replacement) > 0 {
			for i := range c.Compaction.Replacement {
				m := &c.Compaction.Replacement[i]
				all = append(all, &said{name: "C", seq: c.Seq, role: m.Role, msg: m, blocks: m.Content})
			}
		} else {
			if strings.TrimSpace(c.Compaction.Summary) == "" {
				n.repairs = append(n.repairs, c.Seq)
			}
			all = append(all, &said{name: "C", seq: c.Seq, role: record.RoleUser, blocks: []record.Block{record.TextBlock("s")}})
		}
	}
	for _, at := range inRange {
		r := &lines[at].rec
		switch {
		case r.Aside():
		case r.Message != nil:
			s := &said{name: fmt.Sprintf("m%d", r.Seq), seq: r.Seq, role: r.Message.Role, msg: r.Message, blocks: r.Message.Content}
			if p := pruned[at]; p != nil {
				s.name = fmt.Sprintf("p%d", r.Seq) + p.Texts[0]
			}
			all = append(all, s)
		case r.Branch != nil && r.Branch.FromSeq < r.Seq && r.Branch.Summary != "":
			all = append(all, &said{name: "B", seq: r.Seq, role: record.RoleUser, blocks: []record.Block{record.TextBlock("b")}})
		case r.Note != nil && len(r.Note.Content) > 0:
			all = append(all, &said{name: "N", seq: r.Seq, role: r.Note.Says(), blocks: r.Note.Content})
		}
	}
	n.valid(all)
}

func hasContent(blocks []record.Block) bool {
	for _, b := range blocks {
		if b.Aside {
			continue
		}
		if b.Kind == record.BlockText && b.Text != "" || b.Kind == record.BlockImage || b.Kind == record.BlockToolCall || b.Kind == record.BlockAsIs {
			return true
		}
	}
	return false
}

func (n *naive) valid(all []*said) {
	for _, s := range all {
		stop := ""
		if s.msg != nil && s.role == record.RoleAssistant {
			stop = s.msg.StopReason
		}
		if stop == record.StopError || stop == record.StopAborted && !hasContent(s.blocks) {
			s.failed, s.gone = true, true
			n.repairs = append(n.repairs, s.seq)
			continue
		}
		told := slices.DeleteFunc(slices.Clone(s.blocks), func(b record.Block) bool { return b.Aside })
		aside := len(told) < len(s.blocks)
		kept := slices.DeleteFunc(slices.Clone(told), func(b record.Block) bool {
			return b.Kind == record.BlockUnknown || b.Kind == record.BlockToolCall && (s.role != record.RoleAssistant || s.msg == nil) ||
				b.Kind == record.BlockThinking && s.msg == nil // no provider thought it
		})
		if len(kept) < len(told) {
			n.repairs = append(n.repairs, s.seq)
		}
		s.blocks = kept
		if !hasContent(kept) {
			if s.role != record.RoleToolResult {
				s.gone = true
				if !aside {
					n.repairs = append(n.repairs, s.seq)
				}
			} else if !strings.HasPrefix(s.name, "p") {
				n.repairs = append(n.repairs, s.seq)
			}
		}
	}
	n.pair(all)
}

// pair gives each result to the nearest earlier open call, then writes the result down, moving where it must.
func (n *naive) pair(all []*said) {
	type slot struct {
		id     string
		result *said
	}
	calls := make([][]*slot, len(all))
	for i, s := range all {
		if s.role == record.RoleAssistant {
			for _, b := range s.blocks {
				if b.Kind == record.BlockToolCall {
					calls[i] = append(calls[i], &slot{id: b.ID})
				}
			}
		}
		if s.role != record.RoleToolResult {
			continue
		}
		s.gone = true
		var found *slot
		for j := i - 1; j >= 0 && found == nil; j-- {
			for _, c := range calls[j] {
				if c.id == s.msg.ToolCallID && c.result == nil {
					found = c
					s.gone = all[j].gone
					break
				}
			}
		}
		if found != nil {
			found.result = s
		}
		if s.gone {
			n.repairs = append(n.repairs, s.seq)
		}
	}
	left := slices.DeleteFunc(slices.Clone(all), func(s *said) bool { return s.gone })
	take := func(s *said) {
		n.context = append(n.context, s.name)
		left = slices.DeleteFunc(left, func(o *said) bool { return o == s })
	}
	for i, s := range all {
		if s.gone || s.role == record.RoleToolResult {
			continue
		}
		take(s)
		for _, c := range calls[i] {
			switch c.result {
			case nil:
				n.context = append(n.context, "r:"+c.id)
				n.repairs = append(n.repairs, s.seq)
			default:
				if left[0] != c.result {
					n.repairs = append(n.repairs, c.result.seq)
				}
				take(c.result)
			}
		}
	}
}
