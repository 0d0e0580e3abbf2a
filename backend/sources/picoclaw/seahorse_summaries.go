package picoclaw

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// summary is one of messages or, condensed, of summaries.
type summary struct {
	id, kind, text, model string
	earliest, latest      string
	depth, count          int64
	tokens, replaced      int64
	at                    time.Time
	// parents are the summaries that it stands for, by their ids.
	parents []string
	// first is the first message that it stands for, end is behind the last one, and place is the first that was said after it was made.
	first, end, place int
	// covers is how many of the written messages it is the first to stand for.
	covers int
	// into is the summary that stands for it; or else the number of all.
	into int
}

// loadSummaries reads the summaries that the model has seen, and what it sees now. at are the places of messages.
func (r *recall) loadSummaries(at *many.IDs) error {
	conversation := number(r.conversation)
	known := map[string]int{}
	err := r.rows("summaries", "conversation_id = ?", "rowid", []string{
		"summary_id", "kind", "depth", "content", "token_count", "earliest_at", "latest_at", "descendant_count", "source_message_token_count", "model", "created_at",
	}, func(row []string) {
		known[row[0]] = len(r.summaries)
		r.summaries = append(r.summaries, summary{
			id: row[0], kind: row[1], depth: number(row[2]), text: row[3], tokens: number(row[4]), earliest: inZone(row[5]), latest: inZone(row[6]),
			count: number(row[7]), replaced: number(row[8]), model: row[9], at: timeOf(row[10]), first: r.messages.Len(),
		})
	}, conversation)
	if err != nil {
		return err
	}
	const ofThese = "summary_id IN (SELECT summary_id FROM summaries WHERE conversation_id = ?)"
	err = r.rows("summary_parents", ofThese, "parent_summary_id", []string{"summary_id", "parent_summary_id"}, func(row []string) {
		if _, is := known[row[1]]; is {
			s := &r.summaries[known[row[0]]]
			s.parents = append(s.parents, row[1])
		}
	}, conversation)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var now []string
	err = r.rows("context_items", "conversation_id = ?", "ordinal", []string{"item_type", "summary_id", "message_id"}, func(row []string) {
		if i, is := at.Get(row[2]); is && row[0] == "message" {
			m := r.messages.At(i)
			m.seen = true
			r.messages.Set(i, m)
		} else if _, is := known[row[1]]; is && row[0] == "summary" {
			seen[row[1]] = true
			now = append(now, row[1])
		}
	}, conversation)
	if err != nil {
		return err
	}
	// One that is not in the context, nor in what is there, was never put there.
	for _, s := range slices.Backward(r.summaries) {
		for _, parent := range s.parents {
			seen[parent] = seen[parent] || seen[s.id]
		}
	}
	r.summaries = slices.DeleteFunc(r.summaries, func(s summary) bool { return !seen[s.id] })
	clear(known)
	for i, s := range r.summaries {
		known[s.id] = i
	}
	for _, id := range now {
		r.active = append(r.active, known[id])
	}
	for i := range r.messages.Len() {
		m := r.messages.At(i)
		m.by = int32(len(r.summaries))
		r.messages.Set(i, m)
	}
	err = r.rows("summary_messages", ofThese, "", []string{"summary_id", "message_id"}, func(row []string) {
		k, is := known[row[0]]
		i, there := at.Get(row[1])
		if !is || !there {
			return
		}
		s, m := &r.summaries[k], r.messages.At(i)
		s.first, s.end = min(s.first, i), max(s.end, i+1)
		m.by = min(m.by, int32(k))
		r.messages.Set(i, m)
	}, conversation)
	r.order(known)
	return err
}

// order says when each summary was made, and what it stands for.
func (r *recall) order(known map[string]int) {
	earliest := r.earliest()
	place := 0
	for k := range r.summaries {
		s := &r.summaries[k]
		s.into = len(r.summaries)
		place = max(place, s.end)
		for _, id := range s.parents {
			parent := &r.summaries[known[id]]
			s.first, parent.into = min(s.first, parent.first), k
		}
		made := s.at.UnixMilli()
		for i := place; i < r.messages.Len() && earliest.At(i) <= made; i++ {
			if m := r.messages.At(i); m.before(made) {
				place = i + 1
			} else if m.at == made {
				break // and so is all that follows it
			}
		}
		s.place = place
	}
}

// earliest is, for each message, when the earliest of it and those behind it was said.
func (r *recall) earliest() (out many.List[int64]) {
	count := r.messages.Len()
	for i := range count {
		out.Add(r.messages.At(i).at)
	}
	for i := count - 2; i >= 0; i-- {
		out.Set(i, min(out.At(i), out.At(i+1)))
	}
	return out
}

// before tells whether a message was there when a summary was made. Their times are whole seconds: a turn has ended when its summary is made,
// which takes a model, and the next waits for that, so that of the same second what ends a turn was there, and what begins one was not.
func (m *stored) before(made int64) bool {
	return m.at < made || m.at == made && !m.prompt
}

// inForce are the summaries that the model saw once a summary was made.
func (r *recall) inForce(made int) []int {
	if made == len(r.summaries)-1 {
		return r.active
	}
	var out []int
	for k := range r.summaries[:made+1] {
		if r.summaries[k].into > made {
			out = append(out, k)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(r.summaries[a].first, r.summaries[b].first) })
	return out
}

// How PicoClaw asks its model to look for what the summaries don't say.
const (
	manyLevels = "Your context has been heavily compressed through multi-level summarization.\n" +
		"- Do NOT assert specific facts (commands, SHAs, paths, timestamps) from summaries without expanding.\n" +
		"- When uncertain, use expand to recover original detail before making claims.\n" +
		"- Tool escalation: grep → describe → expand"
	oneLevel = "Some earlier messages have been summarized. Use expand tools to recover details if needed."
)

// frame is how PicoClaw says a summary among those that are in force.
func (r *recall) frame(made int) *record.Frame {
	var before, after []string
	opens, closes, came, condensed, depth := "", "", false, 0, int64(0)
	for _, k := range r.inForce(made) {
		s := &r.summaries[k]
		depth = max(depth, s.depth)
		if s.kind == "condensed" {
			condensed++
		}
		switch said := s.frame(); {
		case k == made:
			came, opens, closes = true, said.Before, said.After
		case s.text == "": // PicoClaw leaves it out
		case came:
			after = append(after, said.Say(s.text))
		default:
			before = append(before, said.Say(s.text))
		}
	}
	if depth >= 2 || condensed >= 2 {
		after = append(after, manyLevels)
	} else {
		after = append(after, oneLevel)
	}
	const between = "\n\n"
	return &record.Frame{
		Before: approximate.Before + strings.Join(append(before, opens), between), After: closes + between + strings.Join(after, between), XML: true,
	}
}

// frame is how a summary is said.
func (s *summary) frame() *record.Frame {
	about := fmt.Sprintf(`<summary id="%s" kind="%s" depth="%d" descendant_count="%d"`, s.id, s.kind, s.depth, s.count)
	if s.earliest != "" {
		about += fmt.Sprintf(` earliest_at="%s"`, s.earliest)
	}
	if s.latest != "" {
		about += fmt.Sprintf(` latest_at="%s"`, s.latest)
	}
	of := ""
	if s.kind == "condensed" && len(s.parents) > 0 {
		of = "<parents>\n"
		for _, id := range s.parents {
			of += fmt.Sprintf("    <summary_ref id=\"%s\" />\n", id)
		}
		of += "  </parents>\n"
	}
	return &record.Frame{Before: about + ">\n  <content>\n    ", After: "\n  </content>\n" + of + "</summary>", XML: true}
}

// inZone is a time as PicoClaw says it; empty for none.
func inZone(text string) string {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.Format(time.RFC3339)
	}
	return ""
}
